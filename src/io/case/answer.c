/* The answer to a case, as a JSON tree. The order of the keys is the order of a reader's questions: which case, did it
 * work, what is the impulse, what moves how, where did the energy go, what happened inside. */
#include <math.h>
#include <stdio.h>

#include "carom/utf8.h"
#include "io/case/answer.h"

/* ---- vectors ---- */

json_t *contact_vector(const carom_case *c, carom_cvec v)
{
    const double spatial[3] = {v.t1, v.t2, v.n}, planar[2] = {v.t1, v.n};
    return numbers(c->dim == 3 ? spatial : planar, c->dim);
}

json_t *patch_vector(const carom_case *c, carom_cvec v, carom_cspin w)
{
    const double all[CAROM_PATCH_SIZE] = {v.t1, v.t2, v.n, w.n, w.t1, w.t2};
    return c->dim == 3 ? numbers(all, patch_numbers(c)) : contact_vector(c, v);
}

static json_t *world_vector(const carom_case *c, carom_vec3 v)
{
    return numbers((const double[3]){v.x, v.y, v.z}, c->dim);
}

json_t *by_contact(const carom_case *c, const carom_result *result, contact_value *value)
{
    if (!c->together)
        return value(c, result, 0);
    json_t *array = json_array();
    for (int i = 0; i < c->count; i++)
        json_array_append_new(array, value(c, result, i));
    return array;
}

/* ---- the problem as it was reduced ---- */

static void add_patch_problem(const carom_case *c, json_t *answer)
{
    carom_patch_problem problem;
    json_t *rows = json_array();
    if (patch_problem(c, &problem) == CAROM_STATUS_OK)
        for (int i = 0; i < problem.size; i++)
            json_array_append_new(rows, numbers(problem.K + i * problem.size, problem.size));
    set(answer, "K", rows);
    set(answer, "u", numbers(problem.u, problem.size));
}

static json_t *matrix(const carom_case *c)
{
    const carom_csym *K = &c->problem.K;
    json_t *rows = json_array();
    json_array_append_new(rows, contact_vector(c, carom_cvec_make(K->t11, K->t12, K->t1n)));
    if (c->dim == 3)
        json_array_append_new(rows, contact_vector(c, carom_cvec_make(K->t12, K->t22, K->t2n)));
    json_array_append_new(rows, contact_vector(c, carom_cvec_make(K->t1n, K->t2n, K->nn)));
    return rows;
}

static json_t *frame(const carom_case *c)
{
    const carom_frame *f = &c->pairs->contact.frame;
    json_t *object = json_object();
    if (c->dim == 3) {
        set(object, "t1", world_vector(c, f->t1));
        set(object, "t2", world_vector(c, f->t2));
    } else
        set(object, "t", world_vector(c, f->t1));
    set(object, "n", world_vector(c, f->n));
    return object;
}

/* Bodies and links give the contact frame in world axes; M and J do not. */
static bool is_framed(const carom_case *c)
{
    const carom_vec3 n = c->pairs->contact.frame.n;
    return carom_vec3_dot(n, n) > 0;
}

static void add_problem(const carom_case *c, json_t *answer)
{
    if (c->together)
        return;
    if (is_framed(c))
        set(answer, "frame", frame(c));
    if (c->source == CAROM_SOURCE_REDUCED)
        return;
    if (patch_numbers(c) > 3) {
        add_patch_problem(c, answer);
        return;
    }
    set(answer, "K", matrix(c));
    set(answer, "u", contact_vector(c, c->problem.u));
}

/* ---- what moves ---- */

static json_t *motion(const carom_case *c, const carom_body *body)
{
    json_t *object = json_object();
    set(object, "velocity", world_vector(c, body->velocity));
    set(object, "omega", c->dim == 3 ? world_vector(c, body->omega) : number(body->omega.z));
    return object;
}

static json_t *impulse(const carom_case *c, const carom_result *result, int i)
{
    return world_vector(c, carom_frame_to_world(c->pairs[i].contact.frame, carom_result_p(c, result, i)));
}

static json_t *moment(const carom_case *c, const carom_result *result, int i)
{
    return world_vector(c, carom_patch_moment(&c->pairs[i].contact, carom_result_m(c, result, i)));
}

static void add_motion(const carom_case *c, const carom_result *result, json_t *answer)
{
    const bool bodies = c->source == CAROM_SOURCE_BODIES;
    json_t *motions = bodies ? json_object() : NULL;
    if (bodies || (!c->together && is_framed(c)))
        set(answer, "impulse", by_contact(c, result, impulse));
    if ((bodies || (!c->together && is_framed(c))) && patch_numbers(c) > 3)
        set(answer, "moment", by_contact(c, result, moment));
    for (int i = 0; i < c->body_count; i++)
        set(motions, c->names[i], motion(c, &result->bodies[i]));
    if (bodies)
        set(answer, "bodies", motions);
    if (c->source == CAROM_SOURCE_MECHANISM)
        set(answer, "qdot_after", numbers(result->qdot_after, c->mechanism.n));
}

/* ---- the ledger ---- */

/* Of one contact also its own energy, and the works of what turns. */
static json_t *energy(const carom_case *c, const carom_result *result)
{
    const carom_energy *e = &result->energy;
    json_t *object = json_object();
    set_number(object, "before", e->before);
    set_number(object, "after", e->after);
    set_number(object, "change", e->change);
    set_number(object, "normal", e->normal);
    set_number(object, "friction", e->friction);
    if (!c->together)
        set_number(object, "contact", result->outcome.energy.before);
    if (patch_numbers(c) > 3)
        set_number(object, "spin", c->together ? result->together.spin : result->outcome.turning.spin);
    if (patch_numbers(c) > 4)
        set_number(object, "roll", c->together ? result->together.roll : result->outcome.turning.roll);
    return object;
}

static json_t *restitution(const carom_restitution *r)
{
    json_t *object = json_object();
    set(object, "newton", r->defined & CAROM_HAS_NEWTON ? number(r->newton) : json_null());
    set(object, "poisson", r->defined & CAROM_HAS_POISSON ? number(r->poisson) : json_null());
    set(object, "stronge", r->defined & CAROM_HAS_STRONGE ? number(r->stronge) : json_null());
    set(object, "ivanov", r->defined & CAROM_HAS_IVANOV ? number(r->ivanov) : json_null());
    return object;
}

static json_t *margins(const carom_case *c, const carom_result *result, int i)
{
    const carom_margins *m = &result->outcome.margins;
    const carom_cvec p = carom_result_p(c, result, i);
    json_t *object = json_object();
    set_number(object, "normal", c->together ? carom_result_u_after(c, result, i).n : m->normal);
    if (!c->together)
        set_number(object, "energy", m->energy);
    const double m_n = c->together ? carom_result_m(c, result, i).n : 0;
    const double load = c->together ? carom_patch_needs(&c->coeffs[i], c->together_rule.options.pressure, p, m_n) : 0;
    const double cone = c->together ? c->coeffs[i].mu * p.n - load : m->cone;
    set(object, "cone", isfinite(cone) ? number(cone) : json_null()); /* no impulse leaves the cone of an infinite mu */
    return object;
}

static json_t *flags(unsigned raised)
{
    json_t *array = json_array();
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        if (raised >> i & 1)
            json_array_append_new(array, json_string(carom_flag_word((carom_flag)i)));
    return array;
}

static json_t *warnings(unsigned raised)
{
    json_t *array = json_array();
    for (int i = 0; i < CAROM_WARNING_COUNT; i++)
        if (raised >> i & 1)
            json_array_append_new(array, json_string(carom_warning_word((carom_warning)i)));
    return array;
}

static void add_ledger(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_outcome *out = &result->outcome;
    set(answer, "energy", energy(c, result));
    if (!c->together) {
        set(answer, "restitution", restitution(&out->restitution));
        set_number(answer, "friction_ratio", out->friction_ratio);
    }
    set(answer, "margins", by_contact(c, result, margins));
    set(answer, "flags", flags(out->flags));
    if (!c->together) {
        set(answer, "warnings", warnings(carom_case_warnings(c)));
        set(answer, "mode", json_string(out->mode ? out->mode : ""));
    }
    if (out->turning.rolling)
        set(answer, "roll", json_string(out->turning.rolling));
    set_number(answer, "solutions", out->solutions);
}

/* ---- whole answers ---- */

static json_t *headed(const carom_case *c, const char *status, const char *message)
{
    json_t *answer = json_object();
    if (c->name)
        set(answer, "name", json_string(c->name));
    if (carom_case_law(c)[0])
        set(answer, "law", json_string(carom_case_law(c)));
    set(answer, "status", json_string(status));
    set(answer, "message", json_string(message));
    return answer;
}

static json_t *impulses(const carom_case *c, const carom_result *result, int i)
{
    return patch_vector(c, carom_result_p(c, result, i), carom_result_m(c, result, i));
}

static json_t *velocities(const carom_case *c, const carom_result *result, int i)
{
    return patch_vector(c, carom_result_u_after(c, result, i), carom_result_w_after(c, result, i));
}

carom_json *carom_case_answer(const carom_case *c, const carom_result *result)
{
    carom_status status = result->outcome.status;
    json_t *answer = headed(c, carom_status_id(status), carom_status_message(status));
    set(answer, "p", by_contact(c, result, impulses));
    set(answer, "u_after", by_contact(c, result, velocities));
    add_problem(c, answer);
    add_motion(c, result, answer);
    add_ledger(c, result, answer);
    answer_inside(c, result, answer);
    if (c->together)
        set(answer, "warnings", warnings(carom_case_warnings(c)));
    if (result->saltation_size > 0)
        set(answer, "saltation", saltation_answer(result));
    return answer;
}

/* ---- all solutions ---- */

static json_t *solution(const carom_case *c, const carom_result *from, double change)
{
    json_t *object = json_object();
    set(object, "p", by_contact(c, from, impulses));
    if (patch_numbers(c) > 3) /* velocities follow from K, u and p */
        return object;
    set(object, "u_after", by_contact(c, from, velocities));
    set_number(object, "energy_change", change);
    return object;
}

static json_t *solution_of_one(const carom_case *c, const carom_result *result, int k)
{
    const carom_outcome *out = &result->outcome;
    carom_result one = {.outcome = *out};
    if (out->solutions > 1) {
        one.outcome.p = out->all[k];
        one.outcome.turning.m = out->all_m[k];
    }
    const carom_cvec p = one.outcome.p, after = carom_cvec_add(c->problem.u, carom_csym_apply(c->problem.K, p));
    one.outcome.u_after = after;
    return solution(c, &one, 0.5 * carom_cvec_dot(p, carom_cvec_add(c->problem.u, after)));
}

static json_t *solution_together(const carom_case *c, const carom_result *result, int k)
{
    const int n = c->count * c->contacts.dim;
    carom_result one = {.together = result->together};
    double change = 0;
    if (result->solution_count > 1) {
        one.together.p = result->solutions + (ptrdiff_t)2 * k * n;
        one.together.u_after = one.together.p + n;
    }
    for (int i = 0; i < n; i++)
        change += 0.5 * one.together.p[i] * (c->contacts.u[i] + one.together.u_after[i]);
    return solution(c, &one, change);
}

carom_json *carom_case_solutions(const carom_case *c, const carom_result *result)
{
    const int found = result->outcome.solutions, listed = result->solution_count > 1 ? result->solution_count : 1;
    const int count = c->together ? listed : found < CAROM_SOLUTIONS_KEPT ? found : CAROM_SOLUTIONS_KEPT;
    json_t *array = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(array, (c->together ? solution_together : solution_of_one)(c, result, k));
    return array;
}

carom_json *carom_case_error_answer(const carom_case *c, const carom_case_error *error)
{
    char message[sizeof error->key + sizeof error->rule + 2];
    snprintf(message, sizeof message, "%s%s%s", error->key, error->key[0] ? ": " : "", error->rule);
    carom_utf8_clean(message);
    return headed(c, error->status ? carom_status_id(error->status) : "error", message);
}

/* The answer to a case, as a JSON tree. The order of the keys is the order of a reader's questions: which case, did it
 * work, what is the impulse, what moves how, where did the energy go, what happened inside. */
#include <stdio.h>
#include <stdlib.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "carom/utf8.h"
#include "io/case/reader.h"

/* Zero has no sign in an answer. */
static json_t *number(double value)
{
    return json_real(value + 0.0);
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void set_number(json_t *object, const char *key, double value)
{
    set(object, key, number(value));
}

static void append(json_t *array, double value)
{
    json_array_append_new(array, number(value));
}

/* As the case counts: [t1, t2, n], or [t, n] in planar cases. */
static json_t *contact_vector(const carom_case *c, carom_cvec v)
{
    json_t *array = json_array();
    append(array, v.t1);
    if (c->dim == 3)
        append(array, v.t2);
    append(array, v.n);
    return array;
}

/* The same with what turns, where the contact has a patch. */
static json_t *patch_vector(const carom_case *c, carom_cvec v, carom_cspin w)
{
    json_t *array = contact_vector(c, v);
    const int count = patch_numbers(c);
    if (count > 3)
        append(array, w.n);
    if (count > 4) {
        append(array, w.t1);
        append(array, w.t2);
    }
    return array;
}

static json_t *world_vector(const carom_case *c, carom_vec3 v)
{
    json_t *array = json_array();
    append(array, v.x);
    append(array, v.y);
    if (c->dim == 3)
        append(array, v.z);
    return array;
}

/* ---- the problem as it was reduced ---- */

static json_t *numbers(const double *list, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        append(array, list[i]);
    return array;
}

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
    const carom_frame *f = &c->contact.frame;
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
    return carom_vec3_dot(c->contact.frame.n, c->contact.frame.n) > 0;
}

static void add_problem(const carom_case *c, json_t *answer)
{
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

/* Null when memory ends. */
static json_t *speeds(const carom_case *c, const carom_state *at)
{
    double *qdot = malloc((size_t)c->mechanism.n * sizeof *qdot);
    if (!qdot)
        return NULL;
    const carom_generalized with_spin = patch_mechanism(c);
    if (c->patch.size > 0)
        carom_patch_apply_generalized(&with_spin, at->p, at->m, qdot);
    else
        carom_generalized_apply(&c->mechanism, at->p, qdot);
    json_t *array = numbers(qdot, c->mechanism.n);
    free(qdot);
    return array;
}

static json_t *motion(const carom_case *c, const carom_body *body)
{
    json_t *object = json_object();
    set(object, "velocity", world_vector(c, body->velocity));
    set(object, "omega", c->dim == 3 ? world_vector(c, body->omega) : number(body->omega.z));
    return object;
}

static void add_motion(const carom_case *c, const carom_result *result, json_t *answer)
{
    if (is_framed(c))
        set(answer, "impulse", world_vector(c, carom_frame_to_world(c->contact.frame, result->outcome.p)));
    if (c->source == CAROM_SOURCE_BODIES && patch_numbers(c) > 3)
        set(answer, "moment", world_vector(c, carom_patch_moment(&c->contact, result->outcome.turning.m)));
    if (c->source == CAROM_SOURCE_BODIES) {
        json_t *bodies = json_object();
        set(bodies, "a", motion(c, &result->a));
        set(bodies, "b", motion(c, &result->b));
        set(answer, "bodies", bodies);
    }
    if (c->source == CAROM_SOURCE_MECHANISM && result->qdot_after)
        set(answer, "qdot_after", numbers(result->qdot_after, c->mechanism.n));
}

/* ---- the ledger ---- */

static json_t *energy(const carom_energy *e, double contact)
{
    json_t *object = json_object();
    set_number(object, "before", e->before);
    set_number(object, "after", e->after);
    set_number(object, "change", e->change);
    set_number(object, "normal", e->normal);
    set_number(object, "friction", e->friction);
    set_number(object, "contact", contact);
    return object;
}

/* The works of what turns. */
static void add_spin(const carom_case *c, const carom_turning *turning, json_t *answer)
{
    json_t *ledger = json_object_get(answer, "energy");
    if (patch_numbers(c) > 3)
        set_number(ledger, "spin", turning->spin);
    if (patch_numbers(c) > 4)
        set_number(ledger, "roll", turning->roll);
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

static json_t *margins(const carom_margins *m)
{
    json_t *object = json_object();
    set_number(object, "normal", m->normal);
    set_number(object, "energy", m->energy);
    set_number(object, "cone", m->cone);
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
    set(answer, "energy", energy(&result->energy, out->energy.before));
    add_spin(c, &out->turning, answer);
    set(answer, "restitution", restitution(&out->restitution));
    set_number(answer, "friction_ratio", out->friction_ratio);
    set(answer, "margins", margins(&out->margins));
    set(answer, "flags", flags(out->flags));
    set(answer, "warnings", warnings(carom_case_warnings(c)));
    set(answer, "mode", json_string(out->mode ? out->mode : ""));
    if (out->turning.rolling)
        set(answer, "roll", json_string(out->turning.rolling));
    set_number(answer, "solutions", out->solutions);
}

/* ---- the path ---- */

static json_t *event(const carom_case *c, const carom_event *e)
{
    const carom_state *at = &e->at;
    json_t *object = json_object();
    set(object, "kind", json_string(carom_event_word(e->kind)));
    set_number(object, "p_n", at->p.n);
    set(object, "p", patch_vector(c, at->p, at->m));
    set(object, "u", patch_vector(c, at->u, at->w));
    set_number(object, "work_normal", at->work_normal);
    set_number(object, "work_friction", at->work_friction);
    if (patch_numbers(c) > 3)
        set_number(object, "work_spin", at->work_spin);
    if (c->rule.law->traits & CAROM_TRAIT_SPRINGS) {
        set(object, "stretch", contact_vector(c, at->stretch));
        set(object, "stored", contact_vector(c, at->stored));
    }
    if (c->source == CAROM_SOURCE_MECHANISM)
        set(object, "qdot", speeds(c, at));
    return object;
}

/* "slip:C", "stick:R": a mode and its half, C for compression and R for restitution. */
static json_t *modes(const carom_result *result)
{
    json_t *array = json_array();
    char word[32];
    for (int i = 0; i < result->mode_count; i++) {
        snprintf(word, sizeof word, "%s:%c", result->modes[i], result->compressing[i] ? 'C' : 'R');
        json_array_append_new(array, json_string(word));
    }
    return array;
}

static void add_path(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_phases *ph = &result->outcome.phases;
    if (!(c->rule.law->traits & CAROM_TRAIT_HAS_PATH))
        return;
    set_number(answer, "phases", ph->phases);
    set_number(answer, "work_compression", ph->work_compression);
    set_number(answer, "work_decompression", ph->work_decompression);
    set_number(answer, "work_friction", result->energy.friction);
    if (patch_numbers(c) > 3)
        set_number(answer, "work_spin", result->outcome.turning.spin);
    if (ph->path)
        set(answer, "path", json_string(ph->path));
    if (c->rule.law->traits & CAROM_TRAIT_SPRINGS) {
        set_number(answer, "dissipated_normal", -result->energy.normal);
        set_number(answer, "dissipated_friction", -result->energy.friction);
        set(answer, "modes", modes(result));
    }
    json_t *events = json_array();
    for (int i = 0; i < result->event_count; i++)
        json_array_append_new(events, event(c, &result->events[i]));
    set(answer, "events", events);
}

/* ---- what contact-force laws add ---- */

static json_t *contact_modes(const carom_contact_force *f)
{
    json_t *array = json_array();
    for (int i = 0; i < f->mode_count && i < CAROM_CONTACT_MODES_KEPT; i++)
        json_array_append_new(array, json_string(carom_contact_mode_word((carom_contact_mode)f->modes[i])));
    if (f->mode_count > CAROM_CONTACT_MODES_KEPT)
        json_array_append_new(array, json_string("..."));
    json_array_append_new(array, json_string("end"));
    return array;
}

static void add_force(const carom_case *c, const carom_result *result, json_t *answer)
{
    const carom_contact_force *f = &result->outcome.force;
    if (!(c->rule.law->traits & CAROM_TRAIT_CONTACT_FORCE))
        return;
    set_number(answer, "duration", f->duration);
    set_number(answer, "max_compression", f->max_compression);
    set_number(answer, "peak_force", f->peak_force);
    set(answer, "modes", contact_modes(f));
    set(answer, "contacts", json_integer(f->contacts));
    set_number(answer, "dissipated_normal", f->dissipated_normal);
    set_number(answer, "dissipated_friction", f->dissipated_friction);
    set_number(answer, "dissipated_tangential", f->dissipated_tangential);
    set_number(answer, "residual_tangential", f->residual_tangential);
    set_number(answer, "vibration_energy", f->vibration_energy);
    set_number(answer, "dissipated_vibration", f->dissipated_vibration);
    set(answer, "dead_impulse", contact_vector(c, f->dead_impulse));
    set_number(answer, "kinetic_loss", -result->energy.change);
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

carom_json *carom_case_answer(const carom_case *c, const carom_result *result)
{
    carom_status status = result->outcome.status;
    json_t *answer = headed(c, carom_status_id(status), carom_status_message(status));
    if (c->several) {
        answer = several_answer(c, result, answer);
        set(answer, "warnings", warnings(carom_case_warnings(c)));
        return answer;
    }
    set(answer, "p", patch_vector(c, result->outcome.p, result->outcome.turning.m));
    set(answer, "u_after", patch_vector(c, result->outcome.u_after, result->outcome.turning.w_after));
    add_problem(c, answer);
    add_motion(c, result, answer);
    add_ledger(c, result, answer);
    add_path(c, result, answer);
    add_force(c, result, answer);
    if (result->saltation_size > 0)
        set(answer, "saltation", saltation_answer(result));
    return answer;
}

carom_json *carom_case_solutions(const carom_case *c, const carom_result *result)
{
    if (c->several)
        return several_solutions(c, result);
    const carom_outcome *out = &result->outcome;
    json_t *array = json_array();
    int count = out->solutions < CAROM_SOLUTIONS_KEPT ? out->solutions : CAROM_SOLUTIONS_KEPT;
    for (int i = 0; i < count; i++) {
        carom_cvec p = out->solutions > 1 ? out->all[i] : out->p;
        carom_cvec after = carom_cvec_add(c->problem.u, carom_csym_apply(c->problem.K, p));
        json_t *object = json_object();
        if (patch_numbers(c) > 3) { /* velocities follow from K, u and p */
            set(object, "p", patch_vector(c, p, out->solutions > 1 ? out->all_m[i] : out->turning.m));
            json_array_append_new(array, object);
            continue;
        }
        set(object, "p", contact_vector(c, p));
        set(object, "u_after", contact_vector(c, after));
        set_number(object, "energy_change", 0.5 * carom_cvec_dot(p, carom_cvec_add(c->problem.u, after)));
        json_array_append_new(array, object);
    }
    return array;
}

carom_json *carom_case_error_answer(const carom_case *c, const carom_case_error *error)
{
    char message[sizeof error->key + sizeof error->rule + 2];
    snprintf(message, sizeof message, "%s%s%s", error->key, error->key[0] ? ": " : "", error->rule);
    carom_utf8_clean(message);
    return headed(c, error->status ? carom_status_id(error->status) : "error", message);
}

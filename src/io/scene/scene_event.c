/* What happened in a simulation, as JSON: states, and events with the case that repeats them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/elementary.h"
#include "carom/solve.h"
#include "io/scene/scene.h"

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

/* The numbers as they are, with the sign of zero: a case repeats an impact bit for bit. */
static json_t *numbers(int count, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(x[i]));
    return array;
}

static json_t *world(int dim, carom_vec3 v)
{
    return numbers(dim, (double[3]){v.x, v.y, v.z});
}

static json_t *spin(int dim, carom_vec3 omega)
{
    return dim == 2 ? json_real(omega.z) : world(3, omega);
}

static json_t *turn(carom_quat q)
{
    return numbers(4, (double[4]){q.w, q.x, q.y, q.z});
}

double carom_state_angle(const carom_sim_state *state)
{
    double half = carom_atan2(state->orientation.z, state->orientation.w), pi = carom_acos(-1);
    return half > pi / 2 ? 2 * (half - pi) : half < -pi / 2 ? 2 * (half + pi) : 2 * half;
}

carom_json *carom_state_json(const carom_scene_file *file, const carom_sim_state *state)
{
    int dim = file->scene.dim;
    json_t *object = json_object();
    set(object, "position", world(dim, state->position));
    if (dim == 2)
        set(object, "angle", json_real(carom_state_angle(state)));
    else
        set(object, "orientation", turn(state->orientation));
    set(object, "velocity", world(dim, state->velocity));
    set(object, "omega", spin(dim, state->omega));
    if (state->road != CAROM_SIM_ROAD_EXACT || state->error > 0) {
        set(object, "road", json_string(carom_sim_road_word(state->road)));
        set(object, "since", json_real(state->since));
        set(object, "error", json_real(state->error));
    }
    return object;
}

/* ---- a case ---- */

json_t *scene_inertia_json(int dim, carom_sym3 I)
{
    if (dim == 2)
        return json_real(I.zz);
    if (I.xy == 0 && I.xz == 0 && I.yz == 0)
        return numbers(3, (double[3]){I.xx, I.yy, I.zz});
    double rows[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
    json_t *matrix = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(matrix, numbers(3, rows[i]));
    return matrix;
}

static json_t *body_of(int dim, const carom_body_def *def)
{
    json_t *body = json_object();
    if (def->fixed)
        set(body, "fixed", json_true());
    else {
        set(body, "mass", json_real(def->mass));
        set(body, "inertia", scene_inertia_json(dim, def->inertia));
        if (dim == 3)
            set(body, "orientation", turn(def->orientation));
    }
    set(body, "position", world(dim, def->position));
    set(body, "velocity", world(dim, def->velocity));
    set(body, "omega", spin(dim, def->omega));
    return body;
}

/* Those that the law uses, and what else was set. */
static json_t *coefficients_of(const carom_coeffs *coeffs, uint64_t uses)
{
    json_t *object = json_object();
    carom_coeffs usual = carom_coeffs_default();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        double value = carom_coeffs_get(coeffs, (carom_coeff)i);
        bool absent =
            i == CAROM_COEFF_mu_s || i == CAROM_COEFF_patch || i == CAROM_COEFF_rho || value == CAROM_NOT_GIVEN;
        if (value == carom_coeffs_get(&usual, (carom_coeff)i) && (absent || !(uses >> i & 1)))
            continue;
        set(object, carom_coeff_at((carom_coeff)i)->name, isinf(value) ? json_string("infinite") : json_real(value));
    }
    return object;
}

static void set_options(json_t *document, const carom_options *options)
{
    for (int i = 0; i < CAROM_OPTION_COUNT; i++) {
        const carom_option_info *info = carom_option_at((carom_option)i);
        int choice = carom_options_get(options, (carom_option)i);
        if (choice != 0)
            set(document, info->name, json_string(info->words[choice]));
    }
}

void scene_set_rule(json_t *document, const carom_rule *rule)
{
    set(document, "law", json_string(rule->law->id));
    set(document, "coefficients", coefficients_of(&rule->coeffs, rule->law->uses));
    set_options(document, &rule->options);
}

static void set_contact(json_t *object, int dim, const carom_sim_contact *x)
{
    set(object, "arm_a", world(dim, x->arm_a));
    set(object, "arm_b", world(dim, x->arm_b));
    set(object, "normal", world(dim, x->normal));
}

/* K and u of one contact, rows t1, t2, n, or in the plane t, n. */
static json_t *reduced_of_one(int dim, const carom_problem *x)
{
    const carom_csym *K = &x->K;
    const double space[3][3] = {{K->t11, K->t12, K->t1n}, {K->t12, K->t22, K->t2n}, {K->t1n, K->t2n, K->nn}};
    const double plane[2][2] = {{K->t11, K->t1n}, {K->t1n, K->nn}}, u[3] = {x->u.t1, x->u.t2, x->u.n};
    json_t *object = json_object(), *matrix = json_array();
    for (int i = 0; i < dim; i++)
        json_array_append_new(matrix, numbers(dim, dim == 3 ? space[i] : plane[i]));
    set(object, "K", matrix);
    set(object, "u", numbers(dim, dim == 3 ? u : (double[2]){u[0], u[2]}));
    return object;
}

/* The same of several: K is full. */
static json_t *reduced_together(const carom_contacts *x)
{
    json_t *object = json_object(), *matrix = json_array(), *velocities = json_array();
    for (int r = 0; r < x->count * x->dim; r++) {
        json_t *row = json_array();
        for (int c = 0; c < x->count * x->dim; c++) {
            const double *block = carom_contacts_block(x, r / x->dim, c / x->dim);
            json_array_append_new(row, json_real(block ? block[r % x->dim * x->dim + c % x->dim] : 0));
        }
        json_array_append_new(matrix, row);
    }
    for (int k = 0; k < x->count; k++)
        json_array_append_new(velocities, numbers(x->dim, x->u + k * x->dim));
    set(object, "K", matrix);
    set(object, "u", velocities);
    return object;
}

static json_t *case_of_one(const carom_scene_file *file, const carom_sim_contact *x)
{
    int dim = file->scene.dim;
    json_t *document = json_object(), *bodies = json_object(), *contact = json_object();
    scene_set_rule(document, &x->rule);
    if (x->jointed) {
        json_decref(bodies);
        json_decref(contact);
        set(document, "reduced", reduced_of_one(dim, &x->problem));
        return document;
    }
    set(bodies, "a", body_of(dim, &x->def_a));
    set(bodies, "b", body_of(dim, &x->def_b));
    set(document, "bodies", bodies);
    set_contact(contact, dim, x);
    set(document, "contact", contact);
    return document;
}

json_t *scene_together_coefficients(const carom_scene_file *file, const carom_sim_contact *x)
{
    carom_coeffs coeffs = x->rule.coeffs;
    coeffs.mu = carom_rule_friction(&x->rule);
    return coefficients_of(&coeffs, file->scene.together.law->uses);
}

static json_t *contact_together(const carom_scene_file *file, const carom_sim_contact *x)
{
    json_t *contact = json_object();
    if (!x->jointed) {
        set(contact, "a", json_string(file->names[x->a]));
        set(contact, "b", json_string(file->names[x->b]));
        set_contact(contact, file->scene.dim, x);
    }
    set(contact, "coefficients", scene_together_coefficients(file, x));
    return contact;
}

void scene_set_together_rule(json_t *document, const carom_together_rule *rule)
{
    set(document, "law", json_string(rule->law->id));
    if (rule->base)
        set(document, "base", json_string(rule->base->id));
    set_options(document, &rule->options);
}

/* Several contacts have one pressure: that of the first patch. */
static int pressure_together(const carom_together_rule *rule, const carom_sim_event *event)
{
    for (int i = 0; i < event->count; i++)
        if (event->contacts[i].rule.coeffs.patch > 0)
            return event->contacts[i].rule.options.pressure;
    return rule->options.pressure;
}

static json_t *case_together(const carom_scene_file *file, const carom_sim_event *event)
{
    json_t *document = json_object(), *bodies = json_object(), *contacts = json_array();
    carom_together_rule rule = file->scene.together;
    rule.options.pressure = pressure_together(&rule, event);
    scene_set_together_rule(document, &rule);
    for (int i = 0; i < event->count; i++) {
        const carom_sim_contact *x = &event->contacts[i];
        const char *a = file->names[x->a], *b = file->names[x->b];
        json_array_append_new(contacts, contact_together(file, x));
        if (x->jointed)
            continue;
        if (!json_object_get(bodies, a))
            set(bodies, a, body_of(file->scene.dim, &x->def_a));
        if (!json_object_get(bodies, b))
            set(bodies, b, body_of(file->scene.dim, &x->def_b));
    }
    if (event->reduced) {
        json_decref(bodies);
        set(document, "reduced", reduced_together(event->reduced));
    } else {
        set(document, "bodies", bodies);
    }
    set(document, "contacts", contacts);
    return document;
}

carom_json *carom_event_case(const carom_scene_file *file, const carom_sim_event *event)
{
    return event->count == 1 ? case_of_one(file, event->contacts) : case_together(file, event);
}

/* ---- an event ---- */

static bool same_vector(carom_vec3 a, carom_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_motion(const carom_body *a, const carom_body *b)
{
    return same_vector(a->velocity, b->velocity) && same_vector(a->omega, b->omega);
}

static bool same_impulse(const carom_sim_contact *x, carom_cvec p, carom_cspin m)
{
    return x->p.t1 == p.t1 && x->p.t2 == p.t2 && x->p.n == p.n && x->m.n == m.n && x->m.t1 == m.t1 && x->m.t2 == m.t2;
}

/* Does the solution of the case have the bits of the simulation? */
static bool is_repeated(const carom_sim_event *event, const carom_case *c, const carom_result *result)
{
    for (int i = 0; i < event->count; i++)
        if (!same_impulse(&event->contacts[i], carom_result_p(c, result, i), carom_result_m(c, result, i)))
            return false;
    return c->together || event->contacts->jointed ||
           (same_motion(&event->contacts->after_a, &result->bodies[0]) &&
            same_motion(&event->contacts->after_b, &result->bodies[1]));
}

/* The answer to a case that is given as a tree, by way of its text: 17 digits are every double. */
static json_t *answer_of(const json_t *tree, const carom_sim_event *event, carom_result *result, bool *repeats)
{
    char *bytes = json_text(tree, 17);
    if (!bytes)
        return NULL;
    carom_text text = {"event", 1, bytes, strlen(bytes)};
    carom_case c;
    carom_case_error error;
    json_t *answer = NULL;
    if (carom_case_read(&text, &c, &error)) {
        carom_status status = carom_case_solve(&c, result);
        answer = carom_case_answer(&c, result);
        *repeats = !carom_status_is_refusal(status) && is_repeated(event, &c, result);
    }
    carom_case_free(&c);
    free(bytes);
    return answer;
}

carom_json *carom_event_json(const carom_scene_file *file, const carom_sim_event *event, double energy,
                             carom_result *result, bool *repeats)
{
    json_t *line = json_object();
    *repeats = true;
    set(line, "t", json_real(event->time));
    set(line, "kind", json_string(carom_sim_event_word(event->kind)));
    set(line, "a", json_string(file->names[event->contacts[0].a]));
    set(line, "b", json_string(file->names[event->contacts[0].b]));
    if (event->kind == CAROM_SIM_EVENT_IMPACT) {
        json_t *tree = carom_event_case(file, event);
        *repeats = false;
        json_t *answer = answer_of(tree, event, result, repeats);
        set(line, "case", tree);
        set(line, "answer", answer ? answer : json_null());
        if (!event->outcome && !event->outcomes) { /* no answer of a law, so there is none to repeat */
            set(line, "swept", json_true());
            *repeats = true;
        }
    }
    set(line, "energy", json_real(energy));
    return line;
}

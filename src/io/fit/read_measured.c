/* One line of a data file: a case with "measured", "weight" and "group". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/fit_data.h"
#include "io/fit/fit_rows.h"

enum { MEASURED_BODIES = SLOTS / 3 };

static const place here = {NULL, "measured"};

/* ---- the places of a source ---- */

static const double *xyz(const carom_vec3 *v)
{
    return &v->x;
}

/* The bodies, which stood still, after an impulse of 1 along axis k of the contact, or of all contacts in turn. */
static void push_by_one(const carom_case *c, int k, carom_body *after)
{
    static const carom_vec3 zero;
    const carom_bodies set = {c->body_count, after, c->count, c->pairs, c->contacts.dim};
    const int count = c->together ? c->body_count : 2;
    double p[WIDTH] = {0};
    memcpy(after, c->bodies, (size_t)count * sizeof *after);
    for (int i = 0; i < count; i++)
        after[i].velocity = after[i].omega = zero;
    p[k] = 1;
    if (c->together)
        carom_bodies_push(&set, p, after);
    else
        carom_bodies_apply(&c->pairs->contact, carom_cvec_make(p[0], p[1], p[2]), &after[0], &after[1]);
}

/* Velocity and omega of a body: what impulses along the contact axes do to it at rest. */
static bool body_places(measurement *m, const carom_case *c, int body)
{
    const carom_body *now = &c->bodies[body];
    carom_body *after = malloc((size_t)(c->body_count + 2) * sizeof *after);
    double velocity[2][3][WIDTH];
    for (int k = 0; k < m->width && after; k++) {
        push_by_one(c, k, after);
        for (int axis = 0; axis < 3; axis++) {
            velocity[0][axis][k] = xyz(&after[body].velocity)[axis];
            velocity[1][axis][k] = xyz(&after[body].omega)[axis];
        }
    }
    for (int spin = 0; spin < 2 && after; spin++)
        for (int i = 0; i < (c->dim == 3 ? 3 : 2 - spin); i++) {
            int axis = spin && c->dim == 2 ? 2 : i;
            char label[CAROM_FIT_LABEL];
            snprintf(label, sizeof label, "%.12s.%s.%c", c->names[body], spin ? "omega" : "v", "xyz"[axis]);
            rows_place(m, label, xyz(spin ? &now->omega : &now->velocity)[axis], velocity[spin][axis]);
        }
    free(after);
    return after != NULL;
}

/* The speeds of a mechanism likewise. */
static bool speed_places(measurement *m, const carom_case *c)
{
    carom_generalized still = c->mechanism;
    int n = still.n;
    double *after = calloc(4 * (size_t)n, sizeof *after);
    if (!after)
        return false;
    still.qdot = after + 3 * n;
    for (int axis = 0; axis < 3; axis++)
        carom_generalized_apply(&still, carom_cvec_make(axis == 0, axis == 1, axis == 2), after + axis * n);
    for (int i = 0; i < n; i++) {
        const double part[3] = {after[i], after[n + i], after[2 * n + i]};
        char label[CAROM_FIT_LABEL];
        snprintf(label, sizeof label, "qdot.%d", i);
        rows_place(m, label, c->mechanism.qdot[i], part);
    }
    free(after);
    return true;
}

/* ---- what was measured ---- */

/* Numbers or nulls into places from `first` on: a list of exactly count, or a single value when count is one. */
static bool read_numbers(const reader *r, const place *at, const json_t *value, int count, measurement *m, int first)
{
    bool single = count == 1 && !json_is_array(value);
    if (!single && (!json_is_array(value) || json_array_size(value) != (size_t)count))
        return reader_fail(r, at, "must be %s%d number%s or null", count > 1 ? "an array of " : "", count,
                           count > 1 ? "s" : "");
    for (int i = 0; i < count; i++) {
        const json_t *entry = single ? value : json_array_get(value, (size_t)i);
        m->known[first + i] = !json_is_null(entry);
        if (m->known[first + i] && !reader_number(r, at, entry, &m->value[first + i]))
            return false;
    }
    return true;
}

/* Deviations likewise, for the places that were measured. */
static bool read_sigmas(const reader *r, const place *at, const json_t *value, int count, measurement *m, int first)
{
    bool single = count == 1 && !json_is_array(value);
    if (!single && (!json_is_array(value) || json_array_size(value) != (size_t)count))
        return reader_fail(r, at, "must have the shape of what it belongs to: %d number%s", count,
                           count > 1 ? "s" : "");
    for (int i = 0; i < count; i++) {
        const json_t *entry = single ? value : json_array_get(value, (size_t)i);
        double sigma = 0;
        if (!m->known[first + i])
            continue;
        if (!reader_number(r, at, entry, &sigma))
            return false;
        if (!(sigma > 0))
            return reader_fail_number(r, at, "a standard deviation must be > 0", sigma);
        m->covariance[(first + i) * m->count + first + i] = sigma * sigma;
    }
    return true;
}

/* A full matrix: of all places, or of those that were measured. */
static bool read_covariance(const reader *r, const json_t *value, measurement *m)
{
    static const place at = {&here, "covariance"};
    int known = 0, places[SLOTS];
    for (int i = 0; i < m->count; i++)
        if (m->known[i])
            places[known++] = i;
    bool all = json_array_size(value) == (size_t)m->count;
    int n = all ? m->count : known;
    double S[SLOTS * SLOTS];
    if (!reader_symmetric(r, &at, value, n, S))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m->covariance[(all ? i : places[i]) * m->count + (all ? j : places[j])] = S[i * n + j];
    return true;
}

/* ---- errors of the velocities before ---- */

/* What each velocity of the first body adds to u: that of the body alone, everything else at rest. */
static bool body_gains(measurement *m, const carom_case *c)
{
    static const carom_vec3 zero;
    const int count = c->together ? c->body_count : 2;
    carom_body *still = malloc((size_t)count * sizeof *still);
    const carom_bodies set = {c->body_count, still, c->count, c->pairs, c->contacts.dim};
    void *memory = c->together ? malloc(carom_bodies_size(&set)) : NULL;
    bool fine = still && (memory || !c->together);
    for (int i = 0; i < m->count && fine; i++) {
        bool spins = i >= c->dim;
        int axis = spins && c->dim == 2 ? 2 : spins ? i - 3 : i;
        carom_problem problem;
        carom_contacts contacts;
        memcpy(still, c->bodies, (size_t)count * sizeof *still);
        for (int k = 0; k < count; k++)
            still[k].velocity = still[k].omega = zero;
        carom_vec3 *v = spins ? &still->omega : &still->velocity;
        *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = 1;
        if (c->together && carom_bodies_contacts(&set, memory, &contacts) == CAROM_STATUS_OK)
            memcpy(m->before_G[i], contacts.u, (size_t)m->width * sizeof *contacts.u);
        if (c->together || carom_bodies_reduce(&still[0], &still[1], &c->pairs->contact, &problem) != CAROM_STATUS_OK)
            continue;
        m->before_G[i][0] = problem.u.t1;
        m->before_G[i][1] = problem.u.t2;
        m->before_G[i][2] = problem.u.n;
    }
    free(still);
    free(memory);
    return fine;
}

/* "before": the covariance of the velocities before, of body a or of u. */
static bool read_before(const reader *r, const json_t *measured, const carom_case *c, measurement *m)
{
    static const place at = {&here, "before"};
    const json_t *value = json_object_get(measured, "before");
    if (!value)
        return true;
    bool first = c->source == CAROM_SOURCE_BODIES && json_object_get(measured, c->names[0]);
    for (int k = 1; k < c->body_count && c->source == CAROM_SOURCE_BODIES; k++)
        first &= !json_object_get(measured, c->names[k]);
    if (!m->is_contact && !first)
        return reader_fail(r, &at, "is the covariance of the velocities of body a, or of u, before the impact");
    m->has_before = true;
    for (int i = 0; i < m->count && m->is_contact; i++)
        m->before_G[i][c->dim == 2 && i == 1 ? 2 : i] = 1;
    if (!m->is_contact && !body_gains(m, c))
        return reader_fail(r, NULL, "out of memory");
    return reader_symmetric(r, &at, value, m->count, m->before_S);
}

/* One of "sigma" and "covariance", or neither: a fit can find the size of the errors. */
static bool has_errors(const reader *r, const json_t *measured, measurement *m)
{
    bool sigma = json_object_get(measured, "sigma"), covariance = json_object_get(measured, "covariance");
    m->no_errors = !sigma && !covariance;
    return !(sigma && covariance) || reader_fail(r, &here, "give either \"sigma\" or \"covariance\", not both");
}

/* Errors of 1 m/s; of a spin as much at the contact point of body a. */
static bool unit_errors(const carom_case *c, measurement *m)
{
    double arm = c ? carom_vec3_length(c->pairs->contact.arm_a) : 0;
    for (int i = 0; i < m->count; i++) {
        bool spin = strstr(m->label[i], "omega") != NULL;
        m->covariance[i * m->count + i] = spin && arm > 0 ? 1 / (arm * arm) : 1;
    }
    return true;
}

/* A measured vector of one key. */
static bool read_vector(const reader *r, const json_t *measured, const char *key, measurement *m)
{
    const char *const keys[] = {key, "sigma", "covariance", "before", NULL};
    place at = {&here, key}, sigma = {&here, "sigma"};
    const json_t *S = json_object_get(measured, "covariance");
    if (!reader_keys(r, &here, measured, keys) || !has_errors(r, measured, m) ||
        !read_numbers(r, &at, json_object_get(measured, key), m->count, m, 0))
        return false;
    if (m->no_errors)
        return unit_errors(NULL, m);
    return S ? read_covariance(r, S, m) : read_sigmas(r, &sigma, json_object_get(measured, "sigma"), m->count, m, 0);
}

/* "velocity" and "omega" of one body from place `first` on, numbers or deviations. */
static bool read_motion(const reader *r, const place *at, const json_t *object, int dim, measurement *m, int first,
                        bool sigmas)
{
    static const char *const keys[] = {"velocity", "omega", NULL};
    int counts[2] = {dim, dim == 3 ? 3 : 1};
    if (!sigmas && !reader_keys(r, at, object, keys))
        return false;
    for (int k = 0; k < 2; first += counts[k++]) {
        const json_t *value = json_object_get(object, keys[k]);
        place key = {at, keys[k]};
        bool needed = false;
        for (int i = 0; i < counts[k]; i++)
            needed |= sigmas && m->known[first + i];
        if (!value && needed)
            return reader_missing(r, at, keys[k]);
        if (value && !(sigmas ? read_sigmas(r, &key, value, counts[k], m, first)
                              : read_numbers(r, &key, value, counts[k], m, first)))
            return false;
    }
    return true;
}

/* The key of measured that is no body of the case. */
static bool are_bodies(const reader *r, const json_t *measured, const carom_case *c)
{
    static const char *const others[] = {"sigma", "covariance", "before"};
    const char *keys[MEASURED_BODIES + 4];
    int count = 0;
    for (int k = 0; k < c->body_count && k < MEASURED_BODIES; k++)
        keys[count++] = c->names[k];
    for (int k = 0; k < 3; k++)
        keys[count++] = others[k];
    keys[count] = NULL;
    return reader_keys(r, &here, measured, keys);
}

/* Bodies by their names, a and b of one contact; their deviations are those of "sigma.a" and "sigma.b", or "sigma"
 * itself for all. */
static bool read_measured_bodies(const reader *r, const json_t *measured, const carom_case *c, measurement *m)
{
    const json_t *sigma = json_object_get(measured, "sigma"), *S = json_object_get(measured, "covariance");
    int first[MEASURED_BODIES], places = 0;
    if (!are_bodies(r, measured, c) || !has_errors(r, measured, m))
        return false;
    for (int k = 0; k < c->body_count && k < MEASURED_BODIES; k++) {
        const json_t *object = json_object_get(measured, c->names[k]);
        place at = {&here, c->names[k]};
        first[k] = m->count;
        if (!object)
            continue;
        if (m->count + 6 > SLOTS)
            return reader_fail(r, &at, "at most %d numbers can be measured", SLOTS);
        if (!body_places(m, c, k))
            return reader_fail(r, NULL, "out of memory");
        if (!read_motion(r, &at, object, c->dim, m, first[k], false))
            return false;
        places += m->count - first[k];
    }
    if (m->no_errors)
        return unit_errors(c, m) && places > 0;
    if (S)
        return read_covariance(r, S, m);
    for (int k = 0; k < c->body_count && k < MEASURED_BODIES; k++) {
        const json_t *own = json_object_get(sigma, c->names[k]);
        place at = {&here, "sigma"}, inner = {&at, c->names[k]};
        if (json_object_get(measured, c->names[k]) &&
            !read_motion(r, own ? &inner : &at, own ? own : sigma, c->dim, m, first[k], true))
            return false;
    }
    return places > 0;
}

static bool has_measured_body(const json_t *measured, const carom_case *c)
{
    for (int k = 0; k < c->body_count; k++)
        if (json_object_get(measured, c->names[k]))
            return true;
    return false;
}

/* What several contacts can be measured by. */
static bool read_measured_several(const reader *r, const json_t *measured, const carom_case *c, measurement *m)
{
    if (c->source != CAROM_SOURCE_BODIES || !has_measured_body(measured, c))
        return reader_fail(r, &here,
                           "of several contacts: give the bodies by their names, with \"velocity\" and \"omega\"");
    if (c->count > CAROM_FIT_CONTACTS)
        return reader_fail(r, NULL, "a fit takes impacts at %d contacts at most, and this case has %d",
                           CAROM_FIT_CONTACTS, c->count);
    m->contacts = &c->contacts;
    m->width = c->contacts.dim * c->count;
    return read_measured_bodies(r, measured, c, m);
}

static bool read_measured(const reader *r, const json_t *measured, const carom_case *c, measurement *m)
{
    static const place speeds = {&here, "qdot_after"};
    m->width = 3;
    if (c->together)
        return read_measured_several(r, measured, c, m);
    if (json_object_get(measured, "u_after")) {
        rows_contact(m, &c->problem, c->dim);
        return read_vector(r, measured, "u_after", m);
    }
    if (c->source == CAROM_SOURCE_BODIES && has_measured_body(measured, c))
        return read_measured_bodies(r, measured, c, m);
    if (c->source == CAROM_SOURCE_MECHANISM && json_object_get(measured, "qdot_after")) {
        if (c->mechanism.n > SLOTS)
            return reader_fail(r, &speeds, "at most %d speeds can be measured", SLOTS);
        return speed_places(m, c) ? read_vector(r, measured, "qdot_after", m) : reader_fail(r, NULL, "out of memory");
    }
    return reader_fail(r, &here, "nothing measured: give \"u_after\"%s",
                       c->source == CAROM_SOURCE_BODIES      ? ", or \"a\" and \"b\" with \"velocity\" and \"omega\""
                       : c->source == CAROM_SOURCE_MECHANISM ? " or \"qdot_after\""
                                                             : "");
}

static bool read_weight(const reader *r, const json_t *document, measurement *m)
{
    static const place at = {NULL, "weight"}, group = {NULL, "group"};
    const json_t *weight = json_object_get(document, "weight"), *word = json_object_get(document, "group");
    m->weight = 1;
    m->group = json_string_value(word);
    if (word && !m->group)
        return reader_fail(r, &group, "must be a word");
    if (weight && !reader_number(r, &at, weight, &m->weight))
        return false;
    return m->weight >= 0 || reader_fail_number(r, &at, "must be >= 0", m->weight);
}

/* The contact that approaches fastest. */
static carom_problem fastest(const carom_case *c)
{
    carom_problem found = c->problem;
    for (int i = 0; i < c->count && c->together; i++) {
        const carom_problem p = carom_contacts_alone(&c->contacts, i);
        found = i == 0 || p.u.n < found.u.n ? p : found;
    }
    return found;
}

static bool add_case(const reader *r, carom_fit_data *data, carom_case *c, measurement *m)
{
    const json_t *document = c->document, *measured = json_object_get(document, "measured");
    static const char *const approach[] = {"bodies", "reduced.u", "mechanism.qdot"};
    if (!measured)
        return reader_missing(r, NULL, "measured");
    place at = {NULL, approach[c->source]};
    const carom_problem problem = fastest(c);
    if (!(problem.u.n < 0))
        return reader_fail_number(r, &at, "u_n must be < 0: the contact does not approach", problem.u.n);
    if (!json_is_object(measured))
        return reader_fail(r, &here, "must be an object");
    if (!read_weight(r, document, m) || !read_measured(r, measured, c, m) || !read_before(r, measured, c, m))
        return false;
    m->name = c->name;
    add_trouble trouble = rows_add(data, &problem, c->dim, r->text->line, m);
    place matrix = {&here, "covariance"};
    if (trouble == ADD_SINGULAR)
        return reader_fail(r, &matrix, "must be positive definite");
    return trouble == ADD_FINE || reader_fail(r, NULL, "out of memory");
}

bool carom_fit_data_add(carom_fit_data *data, const carom_text *text, carom_case_error *error)
{
    carom_case c;
    carom_text plain = *text; /* without a mark of the byte order, which tables of other programs begin with */
    if (text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0)
        plain.bytes += 3, plain.length -= 3;
    bool fine = carom_case_read(&plain, &c, error);
    measurement *m = fine ? calloc(1, sizeof *m) : NULL;
    reader r = {&c.text, error};
    if (fine && !m)
        fine = reader_fail(&r, NULL, "out of memory");
    fine = fine && add_case(&r, data, &c, m);
    free(m);
    carom_case_free(&c);
    return fine;
}

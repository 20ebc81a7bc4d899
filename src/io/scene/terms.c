/* Numbers of a run by their paths, as sums of entries of a gradient. */
#include "carom/scene_gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "carom/records.h"

enum { MOST_TERMS = 100000 };

/* ---- building ---- */

/* The next term; without memory a place whose content is lost, and carom_terms_read fails. */
static carom_term *new_term(carom_terms *t, const char *name)
{
    if (t->count == t->room) {
        int room = t->room ? 2 * t->room : 16;
        carom_term *longer = realloc(t->list, (size_t)room * sizeof *longer);
        t->lost |= !longer;
        if (!longer)
            return &t->spare;
        t->list = longer;
        t->room = room;
    }
    carom_term *one = &t->list[t->count++];
    memset(one, 0, sizeof *one);
    snprintf(one->name, sizeof one->name, "%s", name);
    return one;
}

static void add_entry(carom_terms *t, carom_term *one, size_t index, double weight)
{
    const size_t room = (size_t)one->count + 1;
    size_t *indices = one == &t->spare ? NULL : realloc(one->index, room * sizeof *one->index);
    one->index = indices ? indices : one->index;
    double *weights = indices ? realloc(one->weight, room * sizeof *one->weight) : NULL;
    t->lost |= !weights;
    if (!weights)
        return;
    one->weight = weights;
    one->index[one->count] = index;
    one->weight[one->count++] = weight;
}

void carom_terms_free(carom_terms *t)
{
    for (int i = 0; i < t->count; i++) {
        free(t->list[i].index);
        free(t->list[i].weight);
    }
    free(t->list);
    *t = (carom_terms){0};
}

double carom_term_value(const carom_term *t, const double *vector)
{
    double sum = 0;
    for (int i = 0; i < t->count; i++)
        sum += t->weight[i] * vector[t->index[i]];
    return sum;
}

void carom_term_fill(const carom_term *t, double *vector)
{
    for (int i = 0; i < t->count; i++)
        vector[t->index[i]] += t->weight[i];
}

static double component(carom_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- vectors: all of their components, or one ---- */

/* A vector among the inputs or outputs. */
typedef struct vector {
    size_t first; /* index of its x */
    carom_vec3 value;
    int from, to; /* axes that count */
    bool scalar;  /* its one number has no index */
} vector;

/* rest is what follows the key: nothing, or ".1". */
static bool add_vector(carom_terms *t, const char *path, const char *rest, const vector *v)
{
    char name[CAROM_TERM_NAME];
    int only = -1;
    if (rest[0] == '.' && rest[1] >= '0' && rest[1] <= '2' && !rest[2] && !v->scalar)
        only = rest[1] - '0';
    else if (rest[0])
        return false;
    if (only >= 0 && (only < v->from || only >= v->to))
        return false;
    for (int axis = v->from; axis < v->to; axis++) {
        if (only >= 0 && axis != only)
            continue;
        const char index[] = {'.', (char)('0' + axis), 0};
        snprintf(name, sizeof name, "%s%s", path, v->scalar || only >= 0 ? "" : index);
        carom_term *one = new_term(t, name);
        add_entry(t, one, v->first + (size_t)axis, 1);
        one->value = component(v->value, axis);
    }
    return true;
}

/* ---- bodies ---- */

static carom_sim_state state_of(const carom_term_source *from, int body)
{
    const carom_body_def *d = &from->file->bodies[body].def;
    carom_sim_state start = {
        .position = d->position, .orientation = d->orientation, .velocity = d->velocity, .omega = d->omega};
    return from->sim ? carom_sim_body(from->sim, body) : start;
}

static bool takes(const char *key, const char *rest)
{
    size_t length = strlen(key);
    return strncmp(rest, key, length) == 0 && (rest[length] == '.' || !rest[length]);
}

static bool add_state(carom_terms *t, const carom_term_source *from, const char *path, int body, const char *rest)
{
    static const char *const keys[2][4] = {{"position", "orientation", "velocity", "omega"},
                                           {"position", "angle", "velocity", "omega"}};
    const carom_sim_state s = state_of(from, body);
    const bool planar = from->file->scene.dim == 2;
    const carom_vec3 turned = {NAN, NAN, planar ? carom_state_angle(&s) : (double)NAN};
    const carom_vec3 value[] = {s.position, turned, s.velocity, s.omega};
    for (int k = 0; k < 4; k++) {
        if (!takes(keys[planar][k], rest))
            continue;
        bool turns = k % 2 == 1;
        vector v = {(size_t)body * CAROM_GRADIENT_STATE + 3 * (size_t)k, value[k], planar && turns ? 2 : 0,
                    planar && !turns ? 2 : 3, planar && turns};
        return add_vector(t, path, rest + strlen(keys[planar][k]), &v);
    }
    return false;
}

/* Mass and density: what stands in the file. The inertia follows, unless the file gives it. */
static bool add_mass(carom_terms *t, const carom_term_source *from, const char *path, int body, const char *key)
{
    const json_t *bodies = json_object_get(from->file->document, "bodies");
    const json_t *object = json_object_get(bodies, from->file->names[body]), *number = json_object_get(object, key);
    double value = json_number_value(number);
    if (!json_is_number(number) || from->file->bodies[body].def.fixed)
        return false;
    carom_term *one = new_term(t, path);
    add_entry(t, one, carom_gradient_mass(from->gradient, body), 1 / value);
    if (!json_object_get(object, "inertia"))
        add_entry(t, one, carom_gradient_inertia(from->gradient, body), 1 / value);
    one->value = value;
    return true;
}

static bool add_offset(carom_terms *t, const carom_term_source *from, const char *path, int body)
{
    const carom_solid *solid = &from->file->bodies[body].solid;
    if (solid->kind != CAROM_SOLID_HALF_SPACE)
        return false;
    carom_term *one = new_term(t, path);
    for (int axis = 0; axis < 3; axis++)
        add_entry(t, one, (size_t)body * CAROM_GRADIENT_STATE + (size_t)axis, component(solid->normal, axis));
    one->value = solid->offset;
    return true;
}

static bool add_body(carom_terms *t, const carom_term_source *from, const char *path)
{
    const char *rest;
    int body = carom_scene_body_of_path(from->file, path + strlen("bodies."), &rest);
    if (body < 0)
        return false;
    if (!from->sim && (strcmp(rest, "mass") == 0 || strcmp(rest, "density") == 0))
        return add_mass(t, from, path, body, rest);
    if (!from->sim && strcmp(rest, "shape.half-space.offset") == 0)
        return add_offset(t, from, path, body);
    return add_state(t, from, path, body, rest);
}

/* ---- rules ---- */

static const carom_rule *rule_at(const carom_scene_file *file, int rule)
{
    return rule ? &file->pairs[rule - 1].rule : &file->scene.rule;
}

/* Does pair number k say the coefficient itself? Else it has the scene's. */
static bool pair_says(const carom_scene_file *file, int k, const char *name)
{
    const json_t *pairs = json_object_get(file->document, "pairs");
    return json_object_get(json_object_get(json_array_get(pairs, (size_t)k), "coefficients"), name) != NULL;
}

/* A coefficient of all rules, of the scene's and those that follow it, or of one pair. */
typedef struct wanted {
    const char *name;
    enum { ALL_RULES, SCENE_RULE, ONE_PAIR } reach;
    int pair;
} wanted;

static bool counts(const carom_term_source *from, const wanted *w, int rule)
{
    if (w->reach == ALL_RULES)
        return true;
    return w->reach == ONE_PAIR ? rule == w->pair + 1 : rule == 0 || !pair_says(from->file, rule - 1, w->name);
}

static bool add_coefficient(carom_terms *t, const carom_term_source *from, const char *path, const wanted *w)
{
    const carom_coeff coeff = carom_coeff_find(w->name);
    bool used = false;
    if (coeff == CAROM_COEFF_COUNT)
        return false;
    carom_term *one = new_term(t, path);
    for (int r = 0; r <= from->file->scene.pair_count; r++) {
        if (!counts(from, w, r))
            continue;
        const carom_rule *rule = rule_at(from->file, r);
        one->value = one->count ? one->value : carom_coeffs_get(&rule->coeffs, coeff);
        used |= rule->law->uses >> coeff & 1;
        add_entry(t, one, carom_gradient_coeff(from->gradient, r, coeff), 1);
    }
    return used || carom_request_fail(from->error, from->option, "the law does not use %s", w->name);
}

static bool add_pair(carom_terms *t, const carom_term_source *from, const char *path)
{
    int pair = -1, end = 0;
    char name[48];
    if (sscanf(path, "pairs.%5d.coefficients.%47s%n", &pair, name, &end) != 2 || path[end] || pair < 0 ||
        pair >= from->file->scene.pair_count)
        return false;
    const wanted w = {name, ONE_PAIR, pair};
    return add_coefficient(t, from, path, &w);
}

/* ---- everything ---- */

static bool add_input(carom_terms *t, const carom_term_source *from, const char *path)
{
    const carom_scene *scene = &from->file->scene;
    const char *rule = "coefficients.";
    vector g = {carom_gradient_gravity(from->gradient, 0), scene->gravity, 0, scene->dim, false};
    if (takes("gravity", path))
        return add_vector(t, path, path + strlen("gravity"), &g);
    if (strcmp(path, "until.time") == 0 && isfinite(from->file->until.time)) {
        carom_term *one = new_term(t, path);
        add_entry(t, one, carom_gradient_end_time(from->gradient), 1);
        one->value = from->file->until.time;
        return true;
    }
    if (strncmp(path, rule, strlen(rule)) == 0)
        return add_coefficient(t, from, path, &(wanted){path + strlen(rule), SCENE_RULE, 0});
    return strncmp(path, "pairs.", 6) == 0 ? add_pair(t, from, path)
                                           : add_coefficient(t, from, path, &(wanted){path, ALL_RULES, 0});
}

static bool add_output(carom_terms *t, const carom_term_source *from, const char *path)
{
    if (strcmp(path, "time") != 0)
        return false;
    carom_term *one = new_term(t, path);
    add_entry(t, one, carom_gradient_time(from->gradient), 1);
    one->value = carom_sim_time(from->sim);
    return true;
}

static bool add_path(carom_terms *t, const carom_term_source *from, const char *path)
{
    if (strncmp(path, "bodies.", 7) == 0)
        return add_body(t, from, path);
    return from->sim ? add_output(t, from, path) : add_input(t, from, path);
}

bool carom_terms_read(carom_terms *t, const carom_term_source *from, const char *list)
{
    for (const char *at = list;; at++) {
        char path[CAROM_TERM_NAME];
        size_t length = strcspn(at, ",");
        int before = t->count;
        snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : sizeof path - 1), at);
        if (t->count >= MOST_TERMS)
            return carom_request_fail(from->error, from->option, "at most %d numbers", MOST_TERMS);
        if (!add_path(t, from, path)) {
            if (t->count == before) /* else there is an error already */
                carom_request_fail(
                    from->error, from->option, "\"%s\" is no %s of this scene; expected %s", path,
                    from->sim ? "outcome" : "input",
                    from->sim ? "bodies.NAME.position, .velocity, .omega, .orientation (planar: .angle) or time"
                              : "bodies.NAME.position, .velocity, .omega, .orientation (planar: .angle), .mass or "
                                ".density as in the file, gravity, until.time or a coefficient");
            return false;
        }
        at += length;
        if (!*at)
            return !t->lost || carom_request_fail(from->error, "", "out of memory");
    }
}

/* Inversion: find the inputs of a case that give a wanted outcome. */
#include "carom/inversion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/fit.h"
#include "carom/json_short.h"
#include "io/request/request.h"
#include "io/request/wishes.h"

enum { NAME = CAROM_STUDY_NAME, KEY = NAME + 8 };

static const char *key_of(const char *option, const char *name, char key[KEY])
{
    snprintf(key, KEY, "%s.%.96s", option, name);
    return key;
}

/* ---- wishes ---- */

static const char expected[] = "u_after=..., bodies.NAME.velocity=..., bodies.NAME.omega=..., qdot_after=... or "
                               "stroke.end=..., with numbers or _ between commas";

static bool unknown_wish(const char *option, const char *what, const char *text, carom_case_error *error)
{
    return carom_request_fail(error, option, "expected %s, got \"%s\"", what, text);
}

/* bodies.NAME.velocity or bodies.NAME.omega: where its last word begins, or null. */
static const char *body_motion(const char *key)
{
    const char *last = strncmp(key, "bodies.", 7) == 0 ? strrchr(key, '.') : NULL;
    bool known = last && last > key + 7 && (strcmp(last, ".velocity") == 0 || strcmp(last, ".omega") == 0);
    return known ? last + 1 : NULL;
}

static bool is_wish_key(const char *key)
{
    static const char *const known[] = {"u_after", "qdot_after", "stroke.end", "stroke.velocity", "stroke.squirt"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return body_motion(key) != NULL;
}

bool carom_internal_wishes(const char *option, const char *what, const char *text, carom_wish *list, int *count,
                           carom_case_error *error)
{
    const char *equals = strchr(text, '=');
    char key[NAME / 2], word[NAME / 2];
    int index = 0;
    if (!equals || equals - text >= (long)sizeof key)
        return unknown_wish(option, what, text, error);
    snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
    for (const char *at = equals; *at; at += 1 + strcspn(at + 1, ","), index++) {
        size_t length = strcspn(at + 1, ",");
        if (length >= sizeof word)
            return unknown_wish(option, what, text, error);
        snprintf(word, sizeof word, "%.*s", (int)length, at + 1);
        if (strcmp(word, "_") == 0)
            continue;
        if (*count == CAROM_INVERT_WISHES)
            return carom_request_fail(error, option, "more than %d numbers", CAROM_INVERT_WISHES);
        carom_wish *w = &list[(*count)++];
        snprintf(w->name, sizeof w->name, "%s.%d", key, index);
        w->deviation = 0;
        if (!carom_text_number(word, &w->value))
            return unknown_wish(option, what, text, error);
    }
    return true;
}

/* Numbers that an impact has. */
static bool read_numbers(const char *option, const char *text, carom_wish *list, int *count, carom_case_error *error)
{
    char key[NAME / 2];
    const size_t length = strcspn(text, "=");
    snprintf(key, sizeof key, "%.*s", length < sizeof key ? (int)length : 0, text);
    return is_wish_key(key) ? carom_internal_wishes(option, expected, text, list, count, error)
                            : unknown_wish(option, expected, text, error);
}

bool carom_inversion_want(carom_inversion *s, const char *text, carom_case_error *error)
{
    return read_numbers("want", text, s->wishes, &s->wish_count, error);
}

bool carom_inversion_sigma(carom_inversion *s, const char *text, carom_case_error *error)
{
    return read_numbers("sigma", text, s->sigmas, &s->sigma_count, error);
}

bool carom_internal_deviations(carom_wish *wishes, int count, const carom_wish *sigmas, int sigma_count,
                               carom_case_error *error)
{
    char key[KEY];
    for (int k = 0; k < sigma_count; k++) {
        int i = 0;
        while (i < count && strcmp(wishes[i].name, sigmas[k].name) != 0)
            i++;
        if (i == count || !(sigmas[k].value > 0))
            return carom_request_fail(error, key_of("sigma", sigmas[k].name, key),
                                      i == count ? "nothing is wanted of this number" : "must be > 0");
        wishes[i].deviation = sigmas[k].value;
    }
    for (int i = 0; i < count; i++)
        if (sigma_count > 0 && wishes[i].deviation == 0)
            return carom_request_fail(error, key_of("sigma", wishes[i].name, key),
                                      "missing: give a deviation for every wanted number, or for none");
    return true;
}

/* The body of "bodies.NAME.velocity.0" afterwards, or null. */
static const carom_body *body_of(const carom_case *c, const carom_result *r, const char *name)
{
    size_t length = strcspn(name + 7, ".");
    if (c->source != CAROM_SOURCE_BODIES || strncmp(name, "bodies.", 7) != 0)
        return NULL;
    for (int i = 0; i < c->body_count; i++)
        if (strlen(c->names[i]) == length && strncmp(c->names[i], name + 7, length) == 0)
            return &r->bodies[i];
    return NULL;
}

/* stroke.end, .velocity, .squirt */
static bool stroke_outcome(const carom_case *c, const carom_result *r, const char *name, double *value)
{
    carom_stroke_result stroke;
    int index = atoi(strrchr(name, '.') + 1), count = strstr(name, "squirt") ? 1 : 2;
    if (!carom_case_stroke(c, r, &stroke) || index >= count)
        return false;
    const double *of = count == 1 ? &stroke.squirt : strstr(name, "end") ? &stroke.slide.x : &stroke.slide.v_x;
    *value = of[index];
    return true;
}

/* The number of an outcome with this name; false when the case has none. */
static bool outcome_of(const carom_case *c, const carom_result *r, const char *name, double *value)
{
    int index = atoi(strrchr(name, '.') + 1);
    *value = 0;
    if (strncmp(name, "stroke.", 7) == 0)
        return stroke_outcome(c, r, name, value);
    if (strncmp(name, "u_after", 7) == 0) {
        bool has = index < c->count * c->dim;
        const carom_cvec u = carom_result_u_after(c, r, has ? index / c->dim : 0);
        *value = index % c->dim == c->dim - 1 ? u.n : index % c->dim == 0 ? u.t1 : u.t2;
        return has;
    }
    if (strncmp(name, "qdot_after", 10) == 0) {
        bool has = c->source == CAROM_SOURCE_MECHANISM && index < c->mechanism.n;
        *value = has && r->qdot_after ? r->qdot_after[index] : 0;
        return has;
    }
    const carom_body *body = body_of(c, r, name);
    bool spin = strstr(name, ".omega.") != NULL, flat = c->dim == 2;
    if (!body || index >= (flat ? 2 - spin : 3))
        return false;
    *value = (spin ? &body->omega.x : &body->velocity.x)[spin && flat ? 2 : index];
    return true;
}

static bool check_wishes(const carom_inversion *s, const carom_case *c, carom_case_error *error)
{
    char normal[NAME], key[KEY];
    double value;
    snprintf(normal, sizeof normal, "u_after.%d", c->dim - 1);
    for (int i = 0; i < s->wish_count; i++) {
        if (!outcome_of(c, &s->result, s->wishes[i].name, &value))
            return carom_request_fail(error, key_of("want", s->wishes[i].name, key),
                                      "the case has no such number (arrays are numbered from 0)");
        if (!c->together && strcmp(s->wishes[i].name, normal) == 0 && s->wishes[i].value < 0)
            return carom_request_fail(error, "want.u_after", "u_n must be >= 0 (is %g): the bodies would penetrate",
                                      s->wishes[i].value);
    }
    return true;
}

/* ---- what varies ---- */

static bool add_variable(carom_inversion *s, const char *name, double start, carom_case_error *error)
{
    if (s->v.count == CAROM_STUDY_VARIABLES)
        return carom_request_fail(error, "vary", "more than %d numbers", CAROM_STUDY_VARIABLES);
    carom_variable *one = &s->v.list[s->v.count];
    snprintf(one->name, sizeof one->name, "%.*s", (int)sizeof one->name - 1, name);
    one->coeff = carom_coeff_find(name);
    s->start[s->v.count++] = start;
    return true;
}

/* A coefficient, a number of the file, or all numbers of an array. */
static bool add_name(carom_inversion *s, const carom_case *c, const char *word, carom_case_error *error)
{
    const char *name = strcmp(word, "u") == 0 ? "reduced.u" : word;
    carom_coeff i = carom_coeff_find(name);
    const json_t *value = carom_path_follow(c->document, name);
    char key[KEY];
    if (i < CAROM_COEFF_COUNT && !carom_case_uses(c, i))
        return carom_request_fail(error, key_of("vary", name, key), "%s does not use it", carom_case_law(c));
    if (i < CAROM_COEFF_COUNT)
        return add_variable(s, name, carom_coeffs_get(&c->rule.coeffs, i), error);
    if (json_is_number(value))
        return add_variable(s, name, json_number_value(value), error);
    if (!json_is_array(value) || json_array_size(value) == 0) {
        const char *hint = carom_nearest_coefficient(word);
        return carom_request_fail(error, "vary",
                                  "\"%s\" is neither a coefficient nor the path of a number in the case%s%s", word,
                                  hint ? "; did you mean " : "", hint ? hint : "");
    }
    for (size_t k = 0; k < json_array_size(value); k++) {
        char path[NAME + 8];
        snprintf(path, sizeof path, "%.70s.%zu", name, k);
        if (!json_is_number(json_array_get(value, k)))
            return carom_request_fail(error, "vary", "\"%s\" does not lead to numbers", word);
        if (!add_variable(s, path, json_number_value(json_array_get(value, k)), error))
            return false;
    }
    return true;
}

static bool add_names(carom_inversion *s, const carom_case *c, carom_case_error *error)
{
    char list[CAROM_INVERSION_NAMES], *rest = NULL;
    snprintf(list, sizeof list, "%s", s->names);
    for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!add_name(s, c, word, error))
            return false;
    return true;
}

/* ---- the task ---- */

enum { PATHS_MOST = 2000 }; /* impacts of several contacts that a search may follow: some seconds */

typedef struct chain {
    carom_inversion *s;
    const carom_case *c;
    int paths; /* followed so far */
} chain;

/* What options have changed of the rule goes on to a case that has been read again. */
static void keep_rule(const carom_case *from, carom_case *c)
{
    c->rule = from->rule;
    if (!c->together)
        return;
    c->together_rule.law = from->together_rule.law;
    c->together_rule.options = from->together_rule.options;
    for (int i = 0; i < c->count; i++)
        c->coeffs[i] = from->coeffs[i];
}

static carom_status solve_at(void *context, const double *controls, double *outcome, const char **mode)
{
    chain *at = context;
    carom_inversion *s = at->s;
    carom_case c = {0};
    carom_case_error error;
    carom_status status = CAROM_STATUS_OUT_OF_RANGE;
    if (at->c->together && at->paths++ >= PATHS_MOST)
        return CAROM_STATUS_STEP_LIMIT;
    if (carom_inputs_case(&s->input, controls, &c, &error)) {
        keep_rule(at->c, &c);
        carom_inputs_coefficients(&s->v, controls, &c);
        status = carom_case_check(&c, &error) ? carom_case_solve(&c, &s->result) : CAROM_STATUS_BAD_COEFFICIENT;
        for (int i = 0; i < s->wish_count; i++)
            outcome_of(&c, &s->result, s->wishes[i].name, &outcome[i]);
        *mode = c.together ? carom_case_law(&c) : s->result.outcome.mode;
    }
    if (status == CAROM_STATUS_SEPARATING) /* without an impact every outcome is an approach */
        status = CAROM_STATUS_OUT_OF_SCOPE;
    carom_case_free(&c);
    return status;
}

static void set_task(carom_inversion *s, const carom_case *c)
{
    carom_invert_task *t = &s->task;
    *t = carom_invert_task_default();
    t->control_count = s->v.count;
    t->wish_count = s->wish_count;
    t->wish_scale = sqrt(carom_cvec_dot(c->problem.u, c->problem.u));
    if (c->together) /* a path is followed at every point: only from the case itself */
        t->scattered = 0;
    for (int i = 0; c->together && i < c->count * c->dim; i++)
        t->wish_scale = fmax(t->wish_scale, fabs(c->contacts.u[i]));
    double largest = 0;
    for (int j = 0; j < s->v.count; j++)
        if (s->v.list[j].coeff == CAROM_COEFF_COUNT)
            largest = fmax(largest, fabs(s->start[j]));
    for (int j = 0; j < s->v.count; j++) {
        carom_coeff i = s->v.list[j].coeff;
        t->start[j] = s->start[j];
        bool own = i < CAROM_COEFF_COUNT || strncmp(s->v.list[j].name, "stroke.", 7) == 0; /* a scale of its own */
        t->scale[j] = own ? fmax(fabs(s->start[j]), 0.1) : largest > 0 ? largest : 1;
        if (i < CAROM_COEFF_COUNT && !carom_fit_bounds(c->rule.law, (int)i, &t->min[j], &t->max[j]))
            t->min[j] = carom_coeff_at(i)->min;
    }
    for (int i = 0; i < s->wish_count; i++) {
        t->wish[i] = s->wishes[i].value;
        t->deviation[i] = s->wishes[i].deviation;
        t->wish_scale = fmax(t->wish_scale, fabs(s->wishes[i].value));
    }
}

/* ---- the answer ---- */

/* Deviations of the controls by name, and their covariance in the same order. */
static void add_spread(const carom_inversion *s, const carom_invert_solution *x, json_t *object)
{
    json_t *deviations = json_object(), *rows = json_array();
    for (int a = 0; a < s->v.count; a++) {
        json_t *row = json_array();
        json_object_set_new(deviations, s->v.list[a].name, json_real(sqrt(x->covariance[a][a])));
        for (int b = 0; b < s->v.count; b++)
            json_array_append_new(row, json_real(x->covariance[a][b]));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "deviations", deviations);
    json_object_set_new(object, "covariance", rows);
}

static json_t *solution_json(const carom_inversion *s, const carom_invert_solution *x)
{
    json_t *object = json_object(), *controls = json_object(), *outcome = json_object(), *idle = json_array();
    json_object_set_new(object, "mode", json_string(x->mode ? x->mode : ""));
    for (int j = 0; j < s->v.count; j++) {
        json_object_set_new(controls, s->v.list[j].name, json_real(x->controls[j]));
        if (x->undetermined >> j & 1)
            json_array_append_new(idle, json_string(s->v.list[j].name));
    }
    for (int i = 0; i < s->wish_count; i++)
        json_object_set_new(outcome, s->wishes[i].name, json_real(x->outcome[i]));
    json_object_set_new(object, "controls", controls);
    json_object_set_new(object, "outcome", outcome);
    json_object_set_new(object, "distance", json_real(x->distance));
    json_object_set_new(object, "change", json_real(x->change));
    json_object_set_new(object, "rank", json_integer(x->rank));
    json_object_set_new(object, "undetermined", idle);
    if (s->sigma_count > 0)
        add_spread(s, x, object);
    return object;
}

carom_json *carom_inversion_json(const carom_inversion *s, const carom_case *c)
{
    json_t *object = json_object(), *wishes = json_object(), *list = json_array();
    json_object_set_new(object, "law", json_string(carom_case_law(c)));
    for (int i = 0; i < s->wish_count; i++)
        json_object_set_new(wishes, s->wishes[i].name, json_real(s->wishes[i].value));
    for (int i = 0; i < s->found.count; i++)
        json_array_append_new(list, solution_json(s, &s->found.solutions[i]));
    json_object_set_new(object, "wish", wishes);
    json_object_set_new(object, "reachable", json_boolean(s->found.reachable));
    json_object_set_new(object, "solutions", list);
    return object;
}

bool carom_inversion_vary(carom_inversion *s, const char *text, carom_case_error *error)
{
    size_t used = strlen(s->names);
    if (used + strlen(text) + 2 > sizeof s->names)
        return carom_request_fail(error, "vary", "too long");
    snprintf(s->names + used, sizeof s->names - used, "%s%s", used ? "," : "", text);
    return true;
}

bool carom_inversion_solve(carom_inversion *s, const carom_case *c, carom_case_error *error)
{
    chain at = {s, c, 0};
    carom_status status = carom_case_solve(c, &s->result);
    if (carom_status_is_refusal(status))
        return carom_case_refuse(c, status, error);
    if (!check_wishes(s, c, error) ||
        !carom_internal_deviations(s->wishes, s->wish_count, s->sigmas, s->sigma_count, error) ||
        !add_names(s, c, error) || !carom_inputs_open(&s->input, &s->v, c, "vary", error))
        return false;
    set_task(s, c);
    s->task.outcome = solve_at;
    s->task.context = &at;
    status = carom_invert(&s->task, &s->found);
    return status == CAROM_STATUS_OK || carom_request_fail(error, "", "%s", carom_status_message(status));
}

void carom_inversion_free(carom_inversion *s)
{
    carom_inputs_close(&s->input);
    carom_result_free(&s->result);
}

static bool use_want(void *context, const char *text, carom_case_error *error)
{
    return carom_inversion_want(context, text, error);
}

static bool use_sigma(void *context, const char *text, carom_case_error *error)
{
    return carom_inversion_sigma(context, text, error);
}

static bool use_vary(void *context, const char *text, carom_case_error *error)
{
    return carom_inversion_vary(context, text, error);
}

static bool invert(request *r, carom_inversion *s, carom_case *c)
{
    static const char *const options[] = {"want", "sigma", "vary", NULL};
    if (!request_options(r, true, options) || !request_each(r, "want", ',', use_want, s) ||
        !request_each(r, "sigma", ',', use_sigma, s) || !request_each(r, "vary", ',', use_vary, s) ||
        !request_case(r, c, true) || !carom_case_check(c, &r->reply->error) ||
        !carom_settings_warn(&r->settings, c, &r->reply->error))
        return false;
    if (s->wish_count == 0 || !s->names[0])
        return request_fail(r, s->wish_count ? "vary" : "want", "give want and vary: which outcome, by which inputs");
    return carom_inversion_solve(s, c, &r->reply->error);
}

bool carom_internal_request_invert(request *r)
{
    carom_inversion *s = calloc(1, sizeof *s);
    carom_case c = {0};
    bool fine = s ? invert(r, s, &c) : request_fail(r, "", "out of memory");
    if (fine)
        r->reply->answer = carom_inversion_json(s, &c);
    if (s)
        carom_inversion_free(s);
    free(s);
    carom_case_free(&c);
    return fine;
}

/* carom invert: which inputs of a case give a wanted outcome. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "input.h"
#include "options.h"
#include "report.h"
#include "table.h"
#include "term.h"
#include "vary.h"

enum { WORDS = 512, NAME = 96 };

/* One wanted number: which, and its value. */
typedef struct wish {
    char name[NAME];
    double value;
} wish;

typedef struct session {
    settings settings;
    bool json;
    char varied_names[WORDS];
    int wish_count;
    wish wishes[CAROM_INVERT_WISHES];
    variables v;
    varied input;
    double start[VARY_MOST];
    carom_result result;
    carom_invert_task task;
} session;

/* ---- wishes ---- */

static bool complain_want(const char *text)
{
    complain("--want: expected u_after=..., bodies.a.velocity=..., bodies.a.omega=... (or b) or qdot_after=..., with "
             "numbers or _ between commas, got \"%s\"",
             text);
    return false;
}

static bool is_wish_key(const char *key)
{
    static const char *const known[] = {"u_after",        "qdot_after",        "bodies.a.velocity",
                                        "bodies.a.omega", "bodies.b.velocity", "bodies.b.omega"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

static bool read_want(session *s, const char *text)
{
    const char *equals = strchr(text, '=');
    char key[NAME / 2], word[NAME / 2];
    int place = 0;
    if (!equals || equals - text >= (long)sizeof key)
        return complain_want(text);
    snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
    if (!is_wish_key(key))
        return complain_want(text);
    for (const char *at = equals; *at; at += 1 + strcspn(at + 1, ","), place++) {
        size_t length = strcspn(at + 1, ",");
        if (length >= sizeof word)
            return complain_want(text);
        snprintf(word, sizeof word, "%.*s", (int)length, at + 1);
        if (strcmp(word, "_") == 0)
            continue;
        if (s->wish_count == CAROM_INVERT_WISHES)
            return complain("--want: more than %d numbers", CAROM_INVERT_WISHES), false;
        wish *w = &s->wishes[s->wish_count++];
        snprintf(w->name, sizeof w->name, "%s.%d", key, place);
        if (!carom_text_number(word, &w->value))
            return complain_want(text);
    }
    return true;
}

static const carom_vec3 *motion_of(const carom_result *r, const char *name)
{
    const carom_body *b = name[7] == 'a' ? &r->a : &r->b;
    return strncmp(name + 9, "velocity", 8) == 0 ? &b->velocity : &b->omega;
}

/* The number of an outcome with this name; false when the case has none. */
static bool outcome_of(const carom_case *c, const carom_result *r, const char *name, double *value)
{
    int place = atoi(strrchr(name, '.') + 1);
    if (strncmp(name, "u_after", 7) == 0) {
        const double u[3] = {r->outcome.u_after.t1, c->dim == 3 ? r->outcome.u_after.t2 : r->outcome.u_after.n,
                             r->outcome.u_after.n};
        *value = place < c->dim ? u[place] : 0;
        return place < c->dim;
    }
    if (strncmp(name, "qdot_after", 10) == 0) {
        bool has = c->source == CAROM_SOURCE_MECHANISM && place < c->mechanism.n;
        *value = has && r->qdot_after ? r->qdot_after[place] : 0;
        return has;
    }
    bool spin = strstr(name, "omega") != NULL, flat = c->dim == 2;
    bool has = c->source == CAROM_SOURCE_BODIES && place < (flat ? 2 - spin : 3);
    const double *xyz = &motion_of(r, name)->x;
    *value = has ? xyz[spin && flat ? 2 : place] : 0;
    return has;
}

static bool check_wishes(const session *s, const carom_case *c)
{
    char normal[NAME];
    double value;
    snprintf(normal, sizeof normal, "u_after.%d", c->dim - 1);
    for (int i = 0; i < s->wish_count; i++) {
        if (!outcome_of(c, &s->result, s->wishes[i].name, &value))
            return complain("--want %s: the case has no such number (arrays are numbered from 0)", s->wishes[i].name),
                   false;
        if (strcmp(s->wishes[i].name, normal) == 0 && s->wishes[i].value < 0)
            return complain("--want u_after: u_n must be >= 0 (is %g): the bodies would penetrate", s->wishes[i].value),
                   false;
    }
    return true;
}

/* ---- what varies ---- */

static bool add_variable(session *s, const char *name, double start)
{
    if (s->v.count == VARY_MOST)
        return complain("--vary: more than %d numbers", VARY_MOST), false;
    variable *one = &s->v.list[s->v.count];
    snprintf(one->name, sizeof one->name, "%.*s", (int)sizeof one->name - 1, name);
    one->coeff = carom_coeff_find(name);
    s->start[s->v.count++] = start;
    return true;
}

/* What a path leads to, or null. */
static const json_t *follow(const json_t *tree, const char *path)
{
    char text[NAME], *rest = NULL;
    snprintf(text, sizeof text, "%s", path);
    for (char *word = strtok_r(text, ".", &rest); word; word = strtok_r(NULL, ".", &rest))
        tree = json_is_array(tree) ? json_array_get(tree, (size_t)atol(word)) : json_object_get(tree, word);
    return tree;
}

/* A coefficient, a number of the file, or all numbers of an array. */
static bool add_name(session *s, const carom_case *c, const char *word)
{
    const char *name = strcmp(word, "u") == 0 ? "reduced.u" : word;
    carom_coeff i = carom_coeff_find(name);
    const json_t *value = follow(c->document, name);
    if (i < CAROM_COEFF_COUNT && !carom_case_uses(c, i))
        return complain("--vary %s: %s does not use it", name, carom_case_law(c)), false;
    if (i < CAROM_COEFF_COUNT)
        return add_variable(s, name, carom_coeffs_get(&c->rule.coeffs, i));
    if (json_is_number(value))
        return add_variable(s, name, json_number_value(value));
    if (!json_is_array(value) || json_array_size(value) == 0) {
        const char *hint = carom_nearest_coefficient(word);
        return complain("--vary: \"%s\" is neither a coefficient nor the path of a number in the case%s%s", word,
                        hint ? "; did you mean " : "", hint ? hint : ""),
               false;
    }
    for (size_t k = 0; k < json_array_size(value); k++) {
        char path[NAME + 8];
        snprintf(path, sizeof path, "%.70s.%zu", name, k);
        if (!json_is_number(json_array_get(value, k)))
            return complain("--vary: \"%s\" does not lead to numbers", word), false;
        if (!add_variable(s, path, json_number_value(json_array_get(value, k))))
            return false;
    }
    return true;
}

static bool add_names(session *s, const carom_case *c)
{
    char list[WORDS], *rest = NULL;
    snprintf(list, sizeof list, "%s", s->varied_names);
    for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!add_name(s, c, word))
            return false;
    return true;
}

/* ---- the task ---- */

typedef struct chain {
    session *s;
    const carom_case *c;
} chain;

static carom_status solve_at(void *context, const double *controls, double *outcome, const char **mode)
{
    const chain *at = context;
    session *s = at->s;
    carom_case c = {0};
    carom_case_error error;
    carom_status status = CAROM_STATUS_OUT_OF_RANGE;
    if (varied_case(&s->input, controls, &c, &error)) {
        c.rule = at->c->rule;
        vary_coefficients(&s->v, controls, &c);
        status = carom_case_check(&c, &error) ? carom_case_solve(&c, &s->result) : CAROM_STATUS_BAD_COEFFICIENT;
        for (int i = 0; i < s->wish_count; i++)
            outcome_of(&c, &s->result, s->wishes[i].name, &outcome[i]);
        *mode = s->result.outcome.mode;
    }
    if (status == CAROM_STATUS_SEPARATING) /* without an impact every outcome is an approach */
        status = CAROM_STATUS_OUT_OF_SCOPE;
    carom_case_free(&c);
    return status;
}

static void set_task(session *s, const carom_case *c)
{
    carom_invert_task *t = &s->task;
    *t = carom_invert_task_default();
    t->control_count = s->v.count;
    t->wish_count = s->wish_count;
    t->wish_scale = sqrt(carom_cvec_dot(c->problem.u, c->problem.u));
    double largest = 0;
    for (int j = 0; j < s->v.count; j++)
        if (s->v.list[j].coeff == CAROM_COEFF_COUNT)
            largest = fmax(largest, fabs(s->start[j]));
    for (int j = 0; j < s->v.count; j++) {
        carom_coeff i = s->v.list[j].coeff;
        t->start[j] = s->start[j];
        t->scale[j] = i < CAROM_COEFF_COUNT ? fmax(fabs(s->start[j]), 0.1) : largest > 0 ? largest : 1;
        if (i < CAROM_COEFF_COUNT && !carom_fit_bounds(c->rule.law, (int)i, &t->min[j], &t->max[j]))
            t->min[j] = carom_coeff_at(i)->min;
    }
    for (int i = 0; i < s->wish_count; i++) {
        t->wish[i] = s->wishes[i].value;
        t->wish_scale = fmax(t->wish_scale, fabs(s->wishes[i].value));
    }
}

/* ---- the answer ---- */

static json_t *solution_json(const session *s, const carom_invert_solution *x)
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
    return object;
}

static void print_json(const session *s, const carom_case *c, const carom_invert_result *r)
{
    json_t *object = json_object(), *wishes = json_object(), *list = json_array();
    json_object_set_new(object, "law", json_string(carom_case_law(c)));
    for (int i = 0; i < s->wish_count; i++)
        json_object_set_new(wishes, s->wishes[i].name, json_real(s->wishes[i].value));
    for (int i = 0; i < r->count; i++)
        json_array_append_new(list, solution_json(s, &r->solutions[i]));
    json_object_set_new(object, "wish", wishes);
    json_object_set_new(object, "reachable", json_boolean(r->reachable));
    json_object_set_new(object, "solutions", list);
    json_print(stdout, object, false);
    json_decref(object);
}

static void print_freedom(const session *s, const carom_invert_solution *x)
{
    if (x->rank < s->v.count)
        printf("  the wish determines %d of %d numbers here: this is the least change from the case\n", x->rank,
               s->v.count);
    for (int j = 0; j < s->v.count; j++)
        if (x->undetermined >> j & 1)
            printf("  %s is not determined here: it does not change the outcome\n", s->v.list[j].name);
}

static void print_solution(const session *s, const carom_invert_solution *x)
{
    printf("%s%s%s\n", term_bold(), x->mode ? x->mode : "-", term_plain());
    for (int j = 0; j < s->v.count; j++)
        printf("  %-22s %.10g  (was %.6g)\n", s->v.list[j].name, x->controls[j], s->task.start[j]);
    for (int i = 0; i < s->wish_count && !x->met; i++)
        printf("  %-22s %.10g, wanted %.10g\n", s->wishes[i].name, x->outcome[i], s->wishes[i].value);
    print_freedom(s, x);
}

static void print_result(const session *s, const carom_case *c, const carom_invert_result *r)
{
    if (r->reachable)
        printf("%s: %d solution%s, by branch\n\n", carom_case_law(c), r->count, r->count > 1 ? "s" : "");
    else
        printf("%s: no solution was found; the nearest outcome is %.6g away\n\n", carom_case_law(c),
               r->solutions[0].distance);
    for (int i = 0; i < r->count; i++)
        print_solution(s, &r->solutions[i]);
}

static int invert(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    carom_invert_result *r = must_have(malloc(sizeof *r));
    chain at = {s, c};
    int status = BAD_INPUT;
    error.message[0] = 0;
    bool fine = settings_apply(&s->settings, c, &error) && settings_warn(&s->settings, c, &error);
    if (!fine)
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
    if (fine && carom_status_is_refusal(carom_case_solve(c, &s->result))) {
        carom_case_refuse(c, s->result.outcome.status, &error);
        fprintf(stderr, "%s\n", error.message);
        fine = false;
    }
    if (fine && check_wishes(s, c) && add_names(s, c) && varied_open(&s->input, &s->v, c, "--vary")) {
        set_task(s, c);
        s->task.outcome = solve_at;
        s->task.context = &at;
        carom_status answer = carom_invert(&s->task, r);
        status = answer == CAROM_STATUS_OK ? FINE : complain("invert: %s", carom_status_message(answer));
    }
    if (status == FINE && s->json)
        print_json(s, c, r);
    else if (status == FINE)
        print_result(s, c, r);
    if (s->input.v)
        varied_close(&s->input);
    carom_result_free(&s->result);
    free(r);
    return status;
}

/* ---- options ---- */

static bool take_vary(void *member, const char *text, const option_row *row)
{
    session *s = member;
    (void)row;
    size_t used = strlen(s->varied_names);
    if (used + strlen(text) + 2 > sizeof s->varied_names)
        return complain("--vary: too long"), false;
    snprintf(s->varied_names + used, sizeof s->varied_names - used, "%s%s", used ? "," : "", text);
    return true;
}

static bool take_want(void *member, const char *text, const option_row *row)
{
    (void)row;
    return read_want(member, text);
}

static const option_row options[] = {
    {"want", "KEY=VALUES",
     "u_after=0.3,0.5 in the contact axes, bodies.a.velocity=1,0,2, bodies.a.omega=..., bodies.b..., or "
     "qdot_after=...; _ for a number that does not matter; may be repeated",
     .take = take_want},
    {"vary", "NAME,...",
     "coefficients (e,mu), paths of numbers or of arrays of numbers in the case (bodies.a.velocity, contact.arm_a.1), "
     "or u for reduced.u; may be repeated",
     .take = take_vary},
    LAW_OPTION(session),
    SET_OPTION(session),
    STRICT_OPTION(session),
    JSON_OPTION(session, "the answer as one JSON object"),
    {.name = NULL}};

const command_help help_invert = {
    .usage = "usage: carom invert CASE --want KEY=VALUES --vary NAME[,NAME...] [options]\n\n"
             "Finds the inputs of a case for which the impact has a wanted outcome: the approach, a stroke (speed,\n"
             "direction, hit point) or coefficients. Prints every solution that is found, by branch of the law; where\n"
             "the wish does not determine the inputs, the one with the least change; where it cannot be met, the\n"
             "nearest outcome and its distance.\n\n",
    options,
    "\nexample    carom invert ball.json --want u_after=0.2,_,0.8 --vary bodies.a.velocity\n"};

int cmd_invert(int argc, char **argv)
{
    static session s;
    memset(&s, 0, sizeof s);
    if (!options_read("invert", &help_invert, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("invert: expected one case; see `carom invert --help`");
    if (s.wish_count == 0 || !s.varied_names[0])
        return complain("invert: give --want KEY=VALUES and --vary NAME; see `carom invert --help`");
    return input_one_case("invert", argv[optind], invert, &s);
}

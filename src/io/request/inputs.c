/* Inputs by their names: words to variables, values to cases and scenes. */
#include "carom/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "io/request/words.h"

#define MOST_VALUES 1e15 /* of a grid: whole numbers that a double holds */

/* ---- reading ---- */

static bool read_range(const char *text, carom_variable *one)
{
    double x[3];
    if (carom_internal_numbers(text, ':', 3, x) != 3 || x[2] < 1 || x[2] != floor(x[2]) || x[2] > MOST_VALUES)
        return false;
    one->from = x[0];
    one->to = x[1];
    one->count = (long)x[2];
    return true;
}

/* An error of "OPTION.NAME". */
#define fail_name(error, option, one, ...)                                                                             \
    carom_request_fail(error, key_of(option, (one)->name, (char[CAROM_STUDY_NAME + 16]){0}), __VA_ARGS__)

static const char *key_of(const char *option, const char *name, char key[CAROM_STUDY_NAME + 16])
{
    snprintf(key, CAROM_STUDY_NAME + 16, "%.14s.%s", option, name);
    return key;
}

/* Ranges rise; a list e=0.9,0.5,0.1 takes any order. */
static bool rises(const char *option, const carom_variable *one, carom_case_error *error)
{
    if (one->normal)
        return one->to > 0 || fail_name(error, option, one, "the deviation must be > 0 (%g is not)", one->to);
    if (one->list || one->from < one->to || (one->count == 1 && !one->random && one->from == one->to))
        return true;
    return fail_name(error, option, one, "%s must be below %s (%g is not below %g)%s", one->random ? "LOW" : "FROM",
                     one->random ? "HIGH" : "TO", one->from, one->to,
                     one->random ? "" : "; a list A,B,C may have any order");
}

static bool read_random(const char *text, carom_variable *one)
{
    char words[2][48] = {"", ""}, tail;
    one->random = true;
    one->count = 1;
    return sscanf(text, "%47[^:]:%47[^:]%c", words[0], words[1], &tail) == 2 &&
           carom_text_number(words[0], &one->from) && carom_text_number(words[1], &one->to);
}

static bool read_list(const char *text, carom_variable *one)
{
    int room = 1;
    for (const char *c = text; *c; c++)
        room += *c == ',';
    one->list = calloc((size_t)room, sizeof *one->list);
    one->count = room;
    return one->list && carom_internal_numbers(text, ',', room, one->list) == room;
}

static bool read_values(const char *text, carom_variable *one)
{
    return strchr(text, ':') ? read_range(text, one) : read_list(text, one);
}

static bool read_distribution(const char *text, carom_variable *one)
{
    if (strncmp(text, "uniform:", 8) == 0)
        return read_random(text + 8, one);
    one->normal = true;
    return strncmp(text, "normal:", 7) == 0 && read_random(text + 7, one);
}

typedef bool read_function(const char *text, carom_variable *one);

static bool add(carom_variables *v, const char *option, const char *assignment, read_function *read,
                carom_case_error *error)
{
    const char *equals = strchr(assignment, '=');
    if (v->count == CAROM_STUDY_VARIABLES)
        return carom_request_fail(error, option, "at most %d variables", CAROM_STUDY_VARIABLES);
    carom_variable *one = &v->list[v->count];
    *one = (carom_variable){0};
    bool fine = equals && equals != assignment && equals - assignment < CAROM_STUDY_NAME && read(equals + 1, one);
    if (!fine)
        carom_request_fail(
            error, option, "expected %s, got \"%s\"",
            read == read_values
                ? "NAME=FROM:TO:COUNT with COUNT >= 1 or NAME=A,B,C (draws: --random NAME=uniform:LOW:HIGH)"
                : "NAME=normal:MEAN:DEVIATION or NAME=uniform:LOW:HIGH, or an orientation as NAME=uniform",
            assignment);
    else
        snprintf(one->name, sizeof one->name, "%.*s", (int)(equals - assignment), assignment);
    if (!fine || !rises(option, one, error)) {
        free(one->list);
        *one = (carom_variable){0};
        return false;
    }
    one->coeff = carom_coeff_find(one->name);
    v->count++;
    return true;
}

bool carom_vary_add(carom_variables *v, const char *option, const char *assignment, carom_case_error *error)
{
    return add(v, option, assignment, read_values, error);
}

/* NAME=uniform: the four numbers of an orientation, drawn together. */
static bool add_rotation(carom_variables *v, const char *option, const char *assignment, int name,
                         carom_case_error *error)
{
    static const char key[] = "orientation";
    const int length = (int)sizeof key - 1;
    if (name < length || name >= CAROM_STUDY_NAME - 2 || strncmp(assignment + name - length, key, sizeof key - 1) != 0)
        return carom_request_fail(error, option, "%.*s is no orientation: a range is uniform:LOW:HIGH", name,
                                  assignment);
    if (v->count + 4 > CAROM_STUDY_VARIABLES)
        return carom_request_fail(error, option, "at most %d variables; an orientation counts as four",
                                  CAROM_STUDY_VARIABLES);
    for (int part = 1; part <= 4; part++) {
        carom_variable *one = &v->list[v->count++];
        *one = (carom_variable){.coeff = CAROM_COEFF_COUNT, .random = true, .part = part, .count = 1};
        snprintf(one->name, sizeof one->name, "%.*s.%d", name, assignment, part - 1);
    }
    return true;
}

bool carom_vary_add_random(carom_variables *v, const char *option, const char *assignment, carom_case_error *error)
{
    const char *equals = strchr(assignment, '=');
    if (equals && strcmp(equals, "=uniform") == 0)
        return add_rotation(v, option, assignment, (int)(equals - assignment), error);
    return add(v, option, assignment, read_distribution, error);
}

void carom_vary_free(carom_variables *v)
{
    for (int i = 0; i < v->count; i++)
        free(v->list[i].list);
    v->count = 0;
}

/* ---- cases ---- */

/* The place of a number in a tree: the array or object that holds it, and its last word. Null when there is none. */
static json_t *holder_of(json_t *tree, const char *path, char last[CAROM_STUDY_NAME])
{
    char text[CAROM_STUDY_NAME], *rest = NULL;
    snprintf(text, sizeof text, "%s", path);
    json_t *at = tree, *holder = NULL;
    for (char *word = strtok_r(text, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
        holder = at;
        snprintf(last, CAROM_STUDY_NAME, "%s", word);
        bool is_index = strspn(word, "0123456789") == strlen(word) && strlen(word) < 9;
        at = json_is_array(holder) && is_index ? json_array_get(holder, (size_t)atol(word))
                                               : json_object_get(holder, word);
    }
    return json_is_number(at) ? holder : NULL;
}

/* False when memory ends. */
static bool put(json_t *tree, const char *path, double value)
{
    char last[CAROM_STUDY_NAME];
    json_t *holder = holder_of(tree, path, last);
    return (json_is_array(holder) ? json_array_set_new(holder, (size_t)atol(last), json_real(value))
                                  : json_object_set_new(holder, last, json_real(value))) == 0;
}

const carom_json *carom_path_follow(const carom_json *tree, const char *path)
{
    char text[CAROM_STUDY_NAME], *rest = NULL;
    const json_t *at = tree;
    snprintf(text, sizeof text, "%s", path);
    for (char *word = strtok_r(text, ".", &rest); word; word = strtok_r(NULL, ".", &rest))
        at = json_is_array(at) ? json_array_get(at, (size_t)atol(word)) : json_object_get(at, word);
    return (const carom_json *)at;
}

/* A body that is to be turned may leave its orientation out. */
static void add_orientation(json_t *tree, const char *name)
{
    static const char key[] = ".orientation.0";
    char path[CAROM_STUDY_NAME];
    const size_t length = strlen(name), end = length > sizeof key ? length - (sizeof key - 1) : 0;
    if (!end || strcmp(name + end, key) != 0)
        return;
    snprintf(path, sizeof path, "%.*s", (int)end, name);
    json_t *body = (json_t *)carom_path_follow(tree, path);
    if (json_is_object(body) && !json_object_get(body, "orientation"))
        json_object_set_new(body, "orientation", json_pack("[f, f, f, f]", 1.0, 0.0, 0.0, 0.0));
}

/* A word without dots is no path: a coefficient that it may mean, or what a path looks like. */
static bool refuse_name(const carom_inputs *t, const char *name, const char *option, carom_case_error *error)
{
    const bool is_path = strchr(name, '.') != NULL;
    const char *hint = is_path ? NULL : carom_nearest_coefficient(name);
    return carom_request_fail(error, option, "\"%s\" is neither a coefficient nor the path of a number in the %s%s%s",
                              name, t->what, hint ? "; did you mean " : "",
                              hint      ? hint
                              : is_path ? ""
                                        : "; a path has dots, as bodies.a.velocity.2");
}

/* Keep a copy of the tree; every path must lead to a number of it. */
static bool open_tree(carom_inputs *t, const carom_variables *v, const carom_json *tree, const char *option,
                      carom_case_error *error)
{
    char last[CAROM_STUDY_NAME];
    t->v = v;
    t->tree = json_deep_copy(tree);
    for (int i = 0; i < v->count; i++)
        if (v->list[i].part == 1)
            add_orientation(t->tree, v->list[i].name);
    for (int i = 0; i < v->count; i++)
        if (v->list[i].coeff == CAROM_COEFF_COUNT && !holder_of(t->tree, v->list[i].name, last))
            return refuse_name(t, v->list[i].name, option, error);
    return true;
}

bool carom_inputs_open(carom_inputs *t, const carom_variables *v, const carom_case *c, const char *option,
                       carom_case_error *error)
{
    *t = (carom_inputs){.file = c->text.file, .what = "case"};
    return open_tree(t, v, c->document, option, error);
}

bool carom_inputs_open_scene(carom_inputs *t, const carom_variables *v, const carom_scene_file *file,
                             const char *option, carom_case_error *error)
{
    *t = (carom_inputs){.file = file->text.file, .what = "scene"};
    return open_tree(t, v, file->given ? file->given : file->document, option, error);
}

void carom_inputs_close(carom_inputs *t)
{
    carom_json_free(t->tree);
    free(t->text);
    *t = (carom_inputs){0};
}

/* The numbers of the paths. False when memory ends. */
static bool put_values(carom_inputs *t, const double *values)
{
    bool fine = true;
    for (int i = 0; i < t->v->count; i++)
        if (t->v->list[i].coeff == CAROM_COEFF_COUNT)
            fine = put(t->tree, t->v->list[i].name, values[i]) && fine;
    return fine;
}

static bool has_paths(const carom_variables *v)
{
    bool any = false;
    for (int i = 0; i < v->count; i++)
        any |= v->list[i].coeff == CAROM_COEFF_COUNT;
    return any;
}

carom_text carom_inputs_text(carom_inputs *t, const double *values)
{
    if (!t->text || has_paths(t->v)) {
        free(t->text);
        t->text = put_values(t, values) ? json_text(t->tree, 17) : NULL;
    }
    return (carom_text){t->file, 1, t->text, t->text ? strlen(t->text) : 0};
}

bool carom_inputs_case(carom_inputs *t, const double *values, carom_case *c, carom_case_error *error)
{
    *c = (carom_case){0};
    return put_values(t, values) ? carom_case_read_tree(t->file, t->tree, c, error)
                                 : carom_request_fail(error, "", "out of memory");
}

bool carom_inputs_differ(const carom_inputs *t, const double *values, const double *others)
{
    bool differ = false;
    for (int i = 0; i < t->v->count; i++)
        differ |= t->v->list[i].coeff == CAROM_COEFF_COUNT && memcmp(&values[i], &others[i], sizeof *values) != 0;
    return differ;
}

void carom_inputs_coefficients(const carom_variables *v, const double *values, carom_case *c)
{
    for (int i = 0; i < v->count; i++)
        if (v->list[i].coeff < CAROM_COEFF_COUNT)
            carom_case_set_coefficient(c, v->list[i].coeff, values[i]);
}

static void scene_coefficients(const carom_variables *v, const double *values, carom_scene_file *file)
{
    for (int i = 0; i < v->count; i++) {
        if (v->list[i].coeff == CAROM_COEFF_COUNT)
            continue;
        carom_coeffs_set(&file->scene.rule.coeffs, v->list[i].coeff, values[i]);
        for (int k = 0; k < file->scene.pair_count; k++)
            carom_coeffs_set(&file->pairs[k].rule.coeffs, v->list[i].coeff, values[i]);
    }
}

bool carom_inputs_scene(carom_inputs *t, const double *values, const carom_scene_change *change, carom_scene_file *file,
                        carom_case_error *error)
{
    carom_text text = carom_inputs_text(t, values);
    if (!carom_scene_read(&text, file, error) || (change->change && !change->change(change->context, file, error)))
        return false;
    scene_coefficients(t->v, values, file);
    return carom_scene_check(file, error);
}

#include "vary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"

/* ---- reading ---- */

static bool read_range(const char *text, variable *one)
{
    char words[3][48] = {"", "", ""}, tail;
    double count;
    if (sscanf(text, "%47[^:]:%47[^:]:%47[^:]%c", words[0], words[1], words[2], &tail) != 3 ||
        !carom_text_number(words[0], &one->from) || !carom_text_number(words[1], &one->to) ||
        !carom_text_number(words[2], &count) || count < 1 || count != floor(count) || count > 1e15)
        return false;
    one->count = (long)count;
    return true;
}

/* Ranges rise; --vary e=0.9,0.5,0.1 takes any order. */
static bool rises(const char *option, const variable *one)
{
    if (one->normal && !(one->to > 0))
        complain("%s %s: the deviation must be > 0 (%g is not)", option, one->name, one->to);
    if (one->normal)
        return one->to > 0;
    if (one->list || one->from < one->to || (one->count == 1 && !one->random && one->from == one->to))
        return true;
    complain("%s %s: %s must be below %s (%g is not below %g)%s", option, one->name, one->random ? "LOW" : "FROM",
             one->random ? "HIGH" : "TO", one->from, one->to, one->random ? "" : "; a list A,B,C may have any order");
    return false;
}

static bool read_random(const char *text, variable *one)
{
    char words[2][48] = {"", ""}, tail;
    one->random = true;
    one->count = 1;
    return sscanf(text, "%47[^:]:%47[^:]%c", words[0], words[1], &tail) == 2 &&
           carom_text_number(words[0], &one->from) && carom_text_number(words[1], &one->to);
}

static bool read_list(const char *text, variable *one)
{
    long room = 1;
    for (const char *c = text; *c; c++)
        room += *c == ',';
    one->list = must_have(calloc((size_t)room, sizeof *one->list));
    for (const char *at = text;; at++) {
        char word[48];
        size_t length = strcspn(at, ",");
        if (length >= sizeof word)
            return false;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (!carom_text_number(word, &one->list[one->count++]))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

static bool read_values(const char *text, variable *one)
{
    if (strncmp(text, "random:", 7) == 0)
        return read_random(text + 7, one);
    return strchr(text, ':') ? read_range(text, one) : read_list(text, one);
}

static bool read_distribution(const char *text, variable *one)
{
    if (strncmp(text, "uniform:", 8) == 0)
        return read_random(text + 8, one);
    one->normal = true;
    return strncmp(text, "normal:", 7) == 0 && read_random(text + 7, one);
}

typedef bool read_function(const char *text, variable *one);

static bool add(variables *v, const char *option, const char *assignment, read_function *read)
{
    const char *equals = strchr(assignment, '=');
    if (v->count == VARY_MOST) {
        complain("%s: at most %d variables", option, VARY_MOST);
        return false;
    }
    variable *one = &v->list[v->count];
    *one = (variable){0};
    if (!equals || equals == assignment || equals - assignment >= VARY_NAME || !read(equals + 1, one)) {
        complain("%s: expected %s, got \"%s\"", option,
                 read == read_values ? "NAME=FROM:TO:COUNT with COUNT >= 1, NAME=A,B,C or NAME=random:LOW:HIGH"
                                     : "NAME=normal:MEAN:DEVIATION or NAME=uniform:LOW:HIGH",
                 assignment);
        free(one->list);
        *one = (variable){.list = NULL};
        return false;
    }
    snprintf(one->name, sizeof one->name, "%.*s", (int)(equals - assignment), assignment);
    if (!rises(option, one))
        return false;
    one->coeff = carom_coeff_find(one->name);
    v->count++;
    return true;
}

bool vary_add(variables *v, const char *option, const char *assignment)
{
    return add(v, option, assignment, read_values);
}

bool vary_add_random(variables *v, const char *option, const char *assignment)
{
    return add(v, option, assignment, read_distribution);
}

void vary_free(variables *v)
{
    for (int i = 0; i < v->count; i++)
        free(v->list[i].list);
    v->count = 0;
}

/* ---- points ---- */

static bool has_random(const variables *v)
{
    bool found = false;
    for (int i = 0; i < v->count; i++)
        found |= v->list[i].random;
    return found;
}

double vary_total(const variables *v)
{
    double total = has_random(v) ? (double)v->draws : 1;
    for (int i = 0; i < v->count; i++)
        total *= (double)v->list[i].count;
    return total;
}

enum { SECOND_DRAW = 512 }; /* beyond all variables */

/* Splitmix64 of the seed, the draw and the variable: the same on every machine, in any order. */
static double uniform(uint64_t seed, uint64_t draw, uint64_t which)
{
    uint64_t z = seed + 0x9E3779B97F4A7C15u * (draw * 1021 + which + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Two uniform numbers make a normal one (Box and Muller). */
static double drawn(const variable *one, uint64_t seed, uint64_t draw, uint64_t which)
{
    double u = uniform(seed, draw, which);
    if (!one->normal)
        return one->from + (one->to - one->from) * u;
    double turn = 2 * 3.14159265358979323846 * uniform(seed, draw, which + SECOND_DRAW);
    return one->from + one->to * sqrt(-2 * carom_log(1 - u)) * carom_cos(turn);
}

static double grid_value(const variable *one, long k)
{
    if (one->list)
        return one->list[k];
    if (one->count == 1)
        return one->from;
    return k + 1 == one->count ? one->to : one->from + (one->to - one->from) * (double)k / (double)(one->count - 1);
}

void vary_values(const variables *v, long i, double values[VARY_MOST])
{
    long draw = has_random(v) ? i % v->draws : 0;
    i = has_random(v) ? i / v->draws : i;
    for (int k = v->count - 1; k >= 0; k--) {
        const variable *one = &v->list[k];
        if (one->random) {
            values[k] = drawn(one, v->seed, (uint64_t)draw, (uint64_t)k);
            continue;
        }
        values[k] = grid_value(one, i % one->count);
        i /= one->count;
    }
}

/* ---- cases ---- */

/* The place of a number in a tree: the array or object that holds it, and its last word. Null when there is none. */
static json_t *holder_of(json_t *tree, const char *path, char last[VARY_NAME])
{
    char text[VARY_NAME], *rest = NULL;
    snprintf(text, sizeof text, "%s", path);
    json_t *at = tree, *holder = NULL;
    for (char *word = strtok_r(text, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
        holder = at;
        snprintf(last, VARY_NAME, "%s", word);
        bool is_index = strspn(word, "0123456789") == strlen(word) && strlen(word) < 9;
        at = json_is_array(holder) && is_index ? json_array_get(holder, (size_t)atol(word))
                                               : json_object_get(holder, word);
    }
    return json_is_number(at) ? holder : NULL;
}

static void put(json_t *tree, const char *path, double value)
{
    char last[VARY_NAME];
    json_t *holder = holder_of(tree, path, last);
    if (json_is_array(holder))
        json_array_set_new(holder, (size_t)atol(last), json_real(value));
    else
        json_object_set_new(holder, last, json_real(value));
}

/* Keep a copy of the tree; every path must lead to a number of it. */
static bool open_tree(varied *t, const variables *v, const json_t *tree, const char *option)
{
    char last[VARY_NAME];
    t->v = v;
    t->tree = json_deep_copy(tree);
    for (int i = 0; i < v->count; i++)
        if (v->list[i].coeff == CAROM_COEFF_COUNT && !holder_of(t->tree, v->list[i].name, last)) {
            complain("%s: \"%s\" is neither a coefficient nor the path of a number in the %s", option, v->list[i].name,
                     t->what);
            return false;
        }
    return true;
}

bool varied_open(varied *t, const variables *v, const carom_case *c, const char *option)
{
    *t = (varied){.file = c->text.file, .what = "case"};
    return open_tree(t, v, c->document, option);
}

bool varied_open_scene(varied *t, const variables *v, const carom_scene_file *file, const char *option)
{
    *t = (varied){.file = file->text.file, .what = "scene"};
    return open_tree(t, v, (const json_t *)file->document, option);
}

void varied_close(varied *t)
{
    json_decref(t->tree);
    free(t->text);
}

carom_text varied_text(varied *t, const double *values)
{
    for (int i = 0; i < t->v->count; i++)
        if (t->v->list[i].coeff == CAROM_COEFF_COUNT)
            put(t->tree, t->v->list[i].name, values[i]);
    free(t->text);
    t->text = must_have(json_text(t->tree, 17));
    return (carom_text){t->file, 1, t->text, strlen(t->text)};
}

bool varied_case(varied *t, const double *values, carom_case *c, carom_case_error *error)
{
    carom_text text = varied_text(t, values);
    return carom_case_read(&text, c, error);
}

void vary_coefficients(const variables *v, const double *values, carom_case *c)
{
    for (int i = 0; i < v->count; i++)
        if (v->list[i].coeff < CAROM_COEFF_COUNT)
            carom_case_set_coefficient(c, v->list[i].coeff, values[i]);
}

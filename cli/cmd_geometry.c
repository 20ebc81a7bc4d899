/* carom geometry: the shapes of an impact as numbers. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "input.h"
#include "json.h"
#include "options.h"
#include "table.h"

typedef struct session {
    bool json;
    settings settings;
} session;

/* ---- text: the same tree, a line per leaf ---- */

static bool is_leaf(const json_t *value)
{
    return !json_is_object(value) && !(json_is_array(value) && json_is_object(json_array_get(value, 0))) &&
           !(json_is_array(value) && json_is_array(json_array_get(value, 0)));
}

static void print_leaf(const json_t *value)
{
    size_t i;
    json_t *item;
    if (json_is_array(value)) {
        json_array_foreach((json_t *)value, i, item)
        {
            fputs(i ? "  " : "", stdout);
            print_leaf(item);
        }
    } else if (json_is_number(value))
        printf("%.6g", json_number_value(value));
    else if (json_is_string(value))
        text_put(json_string_value(value));
    else
        fputs(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-", stdout);
}

static void print_tree(const json_t *value, int depth)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(value) && !is_leaf(value)) {
        json_array_foreach((json_t *)value, i, item)
        {
            printf("%*s%-*zu", 2 * depth, "", is_leaf(item) ? 26 - 2 * depth : 1, i + 1);
            if (is_leaf(item))
                print_leaf(item);
            putchar('\n');
            if (!is_leaf(item))
                print_tree(item, depth + 1);
        }
        return;
    }
    if (is_leaf(value)) {
        printf("%*s", 2 * depth, "");
        print_leaf(value);
        putchar('\n');
        return;
    }
    json_object_foreach(value, key, item)
    {
        printf("%*s%-*s", 2 * depth, "", is_leaf(item) ? 26 - 2 * depth : 1, key);
        if (is_leaf(item))
            print_leaf(item);
        putchar('\n');
        if (!is_leaf(item))
            print_tree(item, depth + 1);
    }
}

static int geometry_case(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    bool fine = c->rule.law || s->settings.law ? settings_apply(&s->settings, c, &error)
                                               : settings_apply_to_all(&s->settings, c, &error);
    if (!fine || !settings_warn(&s->settings, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
        return BAD_INPUT;
    }
    json_t *all = carom_case_geometry(c);
    if (s->json)
        json_print(stdout, all, false);
    else
        print_tree(all, 0);
    json_decref(all);
    return FINE;
}

/* ---- options ---- */

static const option_row options[] = {JSON_OPTION(session, "the same as JSON"),
                                     LAW_OPTION(session),
                                     SET_OPTION(session),
                                     STRICT_OPTION(session),
                                     {.name = NULL}};

const command_help help_geometry = {
    .usage = "usage: carom geometry [options] CASE\n\n"
             "Prints the geometry of one case as numbers: eigenvalues and axes of K, the energy ellipsoid, the\n"
             "friction cone, the plane of maximum compression, the line of sticking, the accessible region of a\n"
             "planar case, the invariant rays of the slip plane, and for the case's law where its impulse lies:\n"
             "Ivanov's eta, the range of eta inside the region, its place in the region (the coefficients with\n"
             "which the law region gives it), distances to the borders, and the span condition.\n\n",
    options,
    "\nexample    carom geometry examples/cases/rod.json --law routh-stronge\n"};

int cmd_geometry(int argc, char **argv)
{
    session s = {0};
    if (!options_read("geometry", &help_geometry, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("geometry: expected one case; see `carom geometry --help`");
    return input_one_case("geometry", argv[optind], geometry_case, &s);
}

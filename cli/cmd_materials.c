/* carom materials: published coefficients, with their sources and how certain they are. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "options.h"
#include "table.h"

#define NONE NAN

typedef struct material {
    const char *pair;
    double e, mu, e_t, eta;
    const char *source, *certainty;
} material;

static const material materials[] = {
#define MATERIAL(pair, e, mu, e_t, eta, source, certainty) {pair, e, mu, e_t, eta, source, certainty},
#include "materials.def"
#undef MATERIAL
};

enum { COUNT = sizeof materials / sizeof materials[0], CELL = 24 };

static void cell(char *text, double value)
{
    snprintf(text, CELL, isnan(value) ? "-" : "%.4g", value);
}

static void set(json_t *object, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(object, key, json_real(value));
}

static void print_json(const material *m)
{
    json_t *object = json_pack("{s:s}", "pair", m->pair);
    set(object, "e", m->e);
    set(object, "mu", m->mu);
    set(object, "e_t", m->e_t);
    set(object, "eta", m->eta);
    json_object_set_new(object, "source", json_string(m->source));
    json_object_set_new(object, "certainty", json_string(m->certainty));
    json_print(stdout, object, true);
    json_decref(object);
}

static void add_row(table *t, const material *m)
{
    char e[CELL], mu[CELL], e_t[CELL], eta[CELL];
    cell(e, m->e);
    cell(mu, m->mu);
    cell(e_t, m->e_t);
    cell(eta, m->eta);
    const char *row[] = {m->pair, e, mu, e_t, eta, m->certainty};
    table_add(t, ROW_PLAIN, row);
}

static int list(const char *word, bool json)
{
    static const char *const heads[] = {"pair", "e", "mu", "e_t", "eta", "certainty"};
    table t = table_start("lrrrrl", heads);
    int count = 0;
    for (int i = 0; i < COUNT; i++) {
        const material *m = &materials[i];
        if (word && !strstr(m->pair, word) && !strstr(m->source, word))
            continue;
        count++;
        if (json)
            print_json(m);
        else
            add_row(&t, m);
    }
    if (!json && count > 0)
        table_print(&t);
    table_free(&t);
    for (int i = 0; i < COUNT && !json && count > 0; i++)
        if (!word || strstr(materials[i].pair, word) || strstr(materials[i].source, word)) {
            printf("\n%s\n", materials[i].pair);
            text_wrapped(materials[i].source, 2);
        }
    return count > 0 ? FINE : complain("materials: none with \"%s\"; `carom materials` lists all", word);
}

/* ---- options ---- */

typedef struct session {
    bool json;
} session;

static const option_row options[] = {JSON_OPTION(session, "one JSON object per pair"), {.name = NULL}};

const command_help help_materials = {
    .usage = "usage: carom materials [--json] [WORD]\n\n"
             "Lists typical coefficients of pairs of materials: e, mu, e_t and eta, each with its source and how\n"
             "certain it is: stated by the source, quoted by others, fitted to published points, or theory. With\n"
             "WORD only pairs whose text contains it. Restitution depends on speed and shape: take these numbers as a\n"
             "start, and measure (`carom fit`).\n\n",
    options,
    "\nexample    carom materials glass\n"};

int cmd_materials(int argc, char **argv)
{
    session s = {0};
    if (!options_read("materials", &help_materials, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind > 1)
        return complain("materials: one word at most; see `carom materials --help`");
    return list(argc > optind ? argv[optind] : NULL, s.json);
}

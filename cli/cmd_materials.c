/* carom materials: published coefficients, with their sources and how certain they are. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/words.h"
#include "cli.h"
#include "options.h"
#include "table.h"

enum { CELL = 24, MOST_SOURCES = 256 };

static void cell(char *text, double value)
{
    snprintf(text, CELL, value == CAROM_NOT_STATED ? "-" : "%.4g", value);
}

/* Sources in the order in which the listed pairs name them, each once. */
typedef struct sources {
    const char *list[MOST_SOURCES];
    int count;
} sources;

/* The number of a source, from 1. */
static int source_number(sources *s, const char *source)
{
    int i = 0;
    while (i < s->count && strcmp(s->list[i], source) != 0)
        i++;
    if (i == s->count && i < MOST_SOURCES)
        s->list[s->count++] = source;
    return i + 1;
}

static void add_row(table *t, sources *s, const carom_pair_info *m)
{
    char e[CELL], mu[CELL], e_t[CELL], eta[CELL], number[CELL];
    snprintf(number, CELL, "[%d]", source_number(s, m->source));
    cell(e, m->e);
    cell(mu, m->mu);
    cell(e_t, m->e_t);
    cell(eta, m->eta);
    const char *row[] = {m->pair, e, mu, e_t, eta, m->certainty, number};
    table_add(t, ROW_PLAIN, row);
}

static void print_pair_json(const carom_pair_info *m)
{
    carom_json *object = carom_pair_json(m);
    carom_json_print(stdout, object, true);
    carom_json_free(object);
}

static void print_sources(const sources *s)
{
    char line[512];
    printf("\n");
    for (int i = 0; i < s->count; i++) {
        snprintf(line, sizeof line, "[%d] %s", i + 1, s->list[i]);
        text_wrapped(line, 0);
    }
}

static int list(const char *word, bool json)
{
    static const char *const heads[] = {"pair", "e", "mu", "e_t", "eta", "certainty", "source"};
    table t = table_start("lrrrrll", heads);
    sources s = {.count = 0};
    int count = 0;
    for (int i = 0; i < carom_pair_count(); i++) {
        if (!carom_pair_matches(carom_pair_at(i), word))
            continue;
        count++;
        if (json)
            print_pair_json(carom_pair_at(i));
        else
            add_row(&t, &s, carom_pair_at(i));
    }
    if (!json && count > 0) {
        table_print(&t);
        print_sources(&s);
    }
    table_free(&t);
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
    return list(argc > optind ? argv[optind] : "", s.json);
}

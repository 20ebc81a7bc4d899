/* carom verify without a file: the literature suite on the terminal or as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "literature.h"
#include "table.h"
#include "term.h"

static void print_json(const literature *l)
{
    for (int i = 0; i < l->count; i++) {
        const finding *f = &l->list[i];
        json_t *line =
            json_pack("{s:s, s:s, s:s, s:s, s:i}", "source", f->source, "what", f->what, "published", f->published,
                      "verdict", f->verdict == VERDICT_FAIL ? "fail" : verdict_word(f->verdict), "digits", f->digits);
        json_object_set_new(line, "carom", isfinite(f->got) ? json_real(f->got) : json_null());
        if (f->erratum != NO_ERRATUM)
            json_object_set_new(line, "erratum", json_string(erratum_at(f->erratum)->key));
        if (isfinite(f->explained))
            json_object_set_new(line, "explained", json_real(f->explained));
        carom_json_print(stdout, line, true);
        json_decref(line);
    }
    json_t *line = json_pack("{s:i, s:i, s:i}", "passed", l->counts[VERDICT_PASS], "failed", l->counts[VERDICT_FAIL],
                             "errata", l->counts[VERDICT_ERRATUM]);
    carom_json_print(stdout, line, true);
    json_decref(line);
}

static void print_line(const finding *f, bool verbose)
{
    const char *colour = f->verdict == VERDICT_FAIL ? term_red() : f->verdict == VERDICT_ERRATUM ? term_dim() : "";
    printf("%s%-15s %-37s %15s %14.9g %3d  %s", colour, f->source, f->what, f->published, f->got, f->digits,
           verdict_word(f->verdict));
    printf("%s%s%s\n", f->erratum ? " " : "", erratum_at(f->erratum)->key, colour[0] ? term_plain() : "");
    if (verbose && isfinite(f->explained))
        printf("%s%-15s %-37s %15s %14.9g%s\n", term_dim(), "", "  with what the erratum says", "", f->explained,
               term_plain());
}

/* Words of a text in lines of at most so many columns, indented. */
static void print_wrapped(const char *text, int indent)
{
    int column = 0;
    while (*text) {
        int word = (int)strcspn(text, " ");
        bool breaks = column == 0 || column + 1 + word > TABLE_WIDTH;
        printf("%s%*s%.*s", breaks && column ? "\n" : "", breaks ? indent : 1, "", word, text);
        column = breaks ? indent + word : column + 1 + word;
        text += word + (text[word] == ' ');
    }
    putchar('\n');
}

static void print_errata(const literature *l)
{
    bool used[ERRATUM_COUNT] = {false};
    for (int i = 0; i < l->count; i++)
        used[l->list[i].erratum] = l->list[i].verdict == VERDICT_ERRATUM || used[l->list[i].erratum];
    printf("\n%serrata%s\n", term_bold(), term_plain());
    for (int k = NO_ERRATUM + 1; k < ERRATUM_COUNT; k++)
        if (used[k]) {
            printf("%s  %s\n", erratum_at((erratum_key)k)->key, erratum_at((erratum_key)k)->source);
            print_wrapped(erratum_at((erratum_key)k)->text, 4);
        }
}

static void print_text(const literature *l, const literature_options *o)
{
    if (!o->quiet)
        printf("%s%-15s %-37s %15s %14s %s%s\n", term_bold(), "source", "number", "published", "carom", "digits",
               term_plain());
    for (int i = 0; i < l->count; i++)
        if (!o->quiet || l->list[i].verdict == VERDICT_FAIL)
            print_line(&l->list[i], o->verbose);
    if (!o->quiet)
        print_errata(l);
    printf("%s%d passed, %d failed, %d errata\n", o->quiet ? "" : "\n", l->counts[VERDICT_PASS],
           l->counts[VERDICT_FAIL], l->counts[VERDICT_ERRATUM]);
}

int verify_literature(const literature_options *options)
{
    literature l = literature_run();
    int status = l.lost ? complain("verify: out of memory") : l.counts[VERDICT_FAIL] ? FAILED : FINE;
    if (!l.lost && options->folder && !literature_report(&l, options->folder))
        status = BAD_INPUT;
    if (!l.lost && options->json)
        print_json(&l);
    else if (!l.lost)
        print_text(&l, options);
    literature_free(&l);
    return status;
}

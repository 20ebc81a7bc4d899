/* The literature suite on the terminal, as JSON, or as a report with figures. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "literature.h"
#include "output.h"
#include "table.h"
#include "term.h"

static void print_json(const literature *l)
{
    for (int i = 0; i < l->count; i++) {
        const finding *f = &l->list[i];
        json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i}", "group", group_word(f->place->group),
                                 "document", document_at(f->place->document)->name, "section", f->place->section,
                                 "what", f->what, "published", f->published, "verdict",
                                 f->verdict == VERDICT_FAIL ? "fail" : verdict_word(f->verdict), "digits", f->digits);
        json_object_set_new(line, "carom", isfinite(f->got) ? json_real(f->got) : json_null());
        if (f->erratum != NO_ERRATUM)
            json_object_set_new(line, "erratum", json_string(erratum_at(f->erratum)->key));
        if (isfinite(f->explained))
            json_object_set_new(line, "explained", json_real(f->explained));
        json_print(stdout, line, true);
        json_decref(line);
    }
    json_t *counts = json_object();
    for (int g = 0; g < GROUP_COUNT; g++)
        json_object_set_new(counts, group_word((group)g),
                            json_pack("{s:i, s:i, s:i}", "passed", l->counts[g][VERDICT_PASS], "failed",
                                      l->counts[g][VERDICT_FAIL], "errata", l->counts[g][VERDICT_ERRATUM]));
    json_print(stdout, counts, true);
    json_decref(counts);
}

/* Columns of a UTF-8 string. */
static int columns(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void print_line(const finding *f, bool verbose)
{
    const char *colour = f->verdict == VERDICT_FAIL ? term_red() : f->verdict == VERDICT_ERRATUM ? term_dim() : "";
    int pad = 22 - columns(f->published);
    printf("%s  %-44s %*s%s %14.9g %3d  %s", colour, f->what, pad > 0 ? pad : 0, "", f->published, f->got, f->digits,
           verdict_word(f->verdict));
    printf("%s%s%s\n", f->erratum ? " " : "", erratum_at(f->erratum)->key, colour[0] ? term_plain() : "");
    if (verbose && isfinite(f->explained))
        printf("%s  %-44s %22s %14.9g%s\n", term_dim(), "  with what the erratum says", "", f->explained, term_plain());
}

/* Where the numbers that follow stand. */
static void print_place(const place *at)
{
    printf("\n%s%s: %s, %s%s\n", term_bold(), group_word(at->group), document_at(at->document)->name, at->section,
           term_plain());
}

static void print_errata(void)
{
    printf("\n%serrata%s\n", term_bold(), term_plain());
    for (int k = NO_ERRATUM + 1; k < ERRATUM_COUNT; k++) {
        printf("%s  %s\n", erratum_at((erratum_key)k)->key, erratum_at((erratum_key)k)->source);
        text_wrapped(erratum_at((erratum_key)k)->text, 4);
    }
}

static bool has_document(const literature *l, group g, document_key d)
{
    for (int i = 0; i < l->count; i++)
        if (l->list[i].place->group == g && l->list[i].place->document == d)
            return true;
    return false;
}

/* "printed   214 passed, 0 failed, 71 errata: Chatterjee 1997, Baber 2011, Jia 2013" */
static void print_counts(const literature *l)
{
    for (int g = 0; g < GROUP_COUNT; g++) {
        const int *n = l->counts[g];
        printf("%-8s %3d passed, %d failed, %d errata", group_word((group)g), n[VERDICT_PASS], n[VERDICT_FAIL],
               n[VERDICT_ERRATUM]);
        const char *separator = ": ";
        for (int d = 0; d < DOCUMENT_COUNT; d++)
            if (has_document(l, (group)g, (document_key)d)) {
                printf("%s%s", separator, document_at((document_key)d)->name);
                separator = ", ";
            }
        putchar('\n');
    }
}

static void print_documents(void)
{
    printf("\n%sdocuments%s\n", term_bold(), term_plain());
    for (int d = 0; d < DOCUMENT_COUNT; d++) {
        printf("%s\n", document_at((document_key)d)->name);
        text_wrapped(document_at((document_key)d)->reference, 4);
    }
    putchar('\n');
}

static void print_text(const literature *l, const literature_options *o)
{
    const place *at = NULL;
    if (!o->quiet)
        printf("%s  %-44s %22s %14s %s%s\n", term_bold(), "number", "published", "carom", "digits", term_plain());
    for (int i = 0; i < l->count; i++) {
        const finding *f = &l->list[i];
        if (o->quiet && f->verdict != VERDICT_FAIL)
            continue;
        if (f->place != at)
            print_place(f->place);
        at = f->place;
        print_line(f, o->verbose);
    }
    if (!o->quiet) {
        print_errata();
        print_documents();
    }
    print_counts(l);
}

static int run(const literature_options *options)
{
    literature l = literature_run();
    int status = l.lost ? complain("literature: out of memory") : literature_failures(&l) ? FAILED : FINE;
    if (!l.lost && options->folder && !literature_report(&l, options->folder))
        status = BAD_INPUT;
    if (!l.lost && options->json)
        print_json(&l);
    else if (!l.lost)
        print_text(&l, options);
    literature_free(&l);
    return status;
}

static const char help[] =
    "usage: literature [options]\n\n"
    "Checks the literature. Numbers printed in a document, formulas derived from one, and findings of this\n"
    "project are counted apart. Each line shows the printed string, Carom's number, the digits that agree,\n"
    "and pass, FAIL or erratum; the evidence for errata follows. Exit status 1 when a number fails.\n\n"
    "  -v, --verbose    what the evidence gives, below each erratum\n"
    "  -q, --quiet      only the failures and the closing lines\n"
    "      --json       one JSON object per number, then a summary object\n"
    "      --report DIR also write report.md there, with the figures drawn again\n"
    "  -h, --help       this text\n";

int main(int argc, char **argv)
{
    static const struct option known[] = {{"verbose", no_argument, NULL, 'v'}, {"quiet", no_argument, NULL, 'q'},
                                          {"json", no_argument, NULL, 'j'},    {"report", required_argument, NULL, 'r'},
                                          {"help", no_argument, NULL, 'h'},    {NULL, 0, NULL, 0}};
    literature_options o = {0};
    output_start();
    term_start();
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":vqh", known, NULL)) != -1;) {
        o.verbose |= c == 'v';
        o.quiet |= c == 'q';
        o.json |= c == 'j';
        o.folder = c == 'r' ? optarg : o.folder;
        if (c == 'h') {
            fputs(help, stdout);
            return output_finish(FINE);
        }
        if (c == '?' || c == ':')
            return complain("literature: %s: %s; see --help", argv[optind - 1],
                            c == ':' ? "needs a value" : "unknown option");
    }
    if (optind < argc)
        return complain("literature: %s: files are for `carom verify`", argv[optind]);
    return output_finish(run(&o));
}

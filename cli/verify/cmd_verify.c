/* carom verify: cases that carry the numbers to expect. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cli.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "table.h"
#include "term.h"

#define LEAST_TOLERANCE 1e-12

/* The cases of one law: their digits, for the median. */
typedef struct tally {
    char law[32];
    int cases, passed, sensitive, room;
    double *digits;
    double worst_share; /* the largest error over tolerance, and whose */
    char worst_case[48];
} tally;

enum { LAWS = 64, SHOWN = 20, NAME_WIDTH = 36 }; /* laws counted apart; failures listed unless -v or -q asks for all */

typedef struct session {
    bool verbose, quiet, json;
    const char *law;
    double least;
    int passed, failed, skipped, law_count;
    bool bad;
    tally laws[LAWS];
    carom_result result;
} session;

static tally *tally_of(session *s, const char *law)
{
    for (int i = 0; i < s->law_count; i++)
        if (strcmp(s->laws[i].law, law) == 0)
            return &s->laws[i];
    int i = s->law_count < LAWS ? s->law_count++ : LAWS - 1;
    snprintf(s->laws[i].law, sizeof s->laws[i].law, "%s", law);
    return &s->laws[i];
}

static void count(session *s, const carom_case *c, const check *k)
{
    tally *t = tally_of(s, carom_case_law(c));
    if (t->cases == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->digits = must_have(realloc(t->digits, (size_t)t->room * sizeof *t->digits));
    }
    t->digits[t->cases++] = check_digits(k->error);
    t->passed += k->failures == 0;
    t->sensitive += k->sensitive;
    s->passed += k->failures == 0;
    s->failed += k->failures > 0;
    if (k->error / k->tolerance > t->worst_share) {
        t->worst_share = k->error / k->tolerance;
        snprintf(t->worst_case, sizeof t->worst_case, "%s", c->name ? c->name : "");
    }
}

static void show_json(const carom_case *c, const check *k)
{
    json_t *line = json_object();
    if (c->name)
        json_object_set_new(line, "name", json_string(c->name));
    json_object_set_new(line, "law", json_string(carom_case_law(c)));
    json_object_set_new(line, "passed", json_boolean(k->failures == 0));
    json_object_set_new(line, "error", isfinite(k->error) ? json_real(k->error) : json_null());
    json_object_set_new(line, "tolerance", json_real(k->tolerance));
    if (k->worst[0])
        json_object_set_new(line, "worst", json_string(k->worst));
    if (k->sensitive)
        json_object_set_new(line, "sensitive", json_true());
    if (k->failures)
        json_object_set_new(line, "why", json_string(k->why));
    json_print(stdout, line, true);
    json_decref(line);
}

static void show_failure(const carom_case *c, const check *k)
{
    printf("%sFAIL%s ", term_red(), term_plain());
    text_put(c->text.file);
    printf(":%ld: ", c->text.line);
    text_put(c->name ? c->name : "");
    printf(" (%s): ", carom_case_law(c));
    text_put(k->why);
    printf("\n");
}

static void show(const session *s, const carom_case *c, const check *k)
{
    if (s->json)
        show_json(c, k);
    else if (k->failures && !s->verbose && !s->quiet && s->failed > SHOWN)
        return;
    else if (k->failures)
        show_failure(c, k);
    else if (s->verbose) {
        printf("%sok%s   ", term_green(), term_plain());
        text_print(c->name ? c->name : "", NAME_WIDTH);
        printf(" %-19s %4.1f digits%s", carom_case_law(c), check_digits(k->error), k->worst[0] ? "  " : "");
        text_put(k->worst);
        printf("%s\n", k->sensitive ? "  (on a branch border)" : "");
    }
}

static void refuse(session *s, const carom_case_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    s->bad = true;
}

static void verify_case(session *s, carom_case *c)
{
    carom_case_error error;
    if (s->law && carom_case_law(c)[0] && strcmp(carom_case_law(c), s->law) != 0)
        return;
    if (json_object_size(json_object_get(c->document, "expect")) == 0) {
        carom_case_blame(c, "expect", "missing key; verify needs the numbers to expect", &error);
        refuse(s, &error);
        return;
    }
    if (!carom_case_check(c, &error)) {
        refuse(s, &error);
        return;
    }
    (void)carom_case_solve(c, &s->result);
    json_t *answer = carom_case_answer(c, &s->result);
    carom_status status;
    if (json_object_get(json_object_get(c->document, "expect"), "derivatives"))
        json_object_set_new(answer, "derivatives", carom_case_derivatives(c, &status));
    check k = check_answer(c, &s->result, answer, s->least);
    const bool whole = carom_json_is_whole(answer) && !s->result.lost;
    json_decref(answer);
    if (!whole) {
        carom_case_blame(c, "", "out of memory", &error);
        refuse(s, &error);
        return;
    }
    count(s, c, &k);
    show(s, c, &k);
}

static void verify_text(session *s, const carom_text *text)
{
    carom_case c;
    carom_case_error error;
    if (carom_case_read(text, &c, &error))
        verify_case(s, &c);
    else if (error.status == CAROM_STATUS_NO_LAW) /* a law that this build does not have */
        s->skipped += !s->law;
    else
        refuse(s, &error);
    carom_case_free(&c);
}

static void verify_file(session *s, const char *path)
{
    input in;
    carom_text text;
    progress bar = progress_start(s->verbose || s->json);
    if (!input_open(&in, path))
        s->bad = true;
    else
        while (input_next(&in, &text)) {
            verify_text(s, &text);
            output_commit();
            progress_step(&bar, input_share(&in));
        }
    progress_end(&bar);
    s->bad |= !input_close(&in);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show_table(session *s)
{
    static const char *const heads[] = {"law", "cases", "passed", "fewest digits", "median", "error/tol", "worst case"};
    table t = table_start("lrrrrrl", heads);
    for (int i = 0; i < s->law_count; i++) {
        tally *l = &s->laws[i];
        char cells[5][32];
        qsort(l->digits, (size_t)l->cases, sizeof *l->digits, by_value);
        snprintf(cells[0], sizeof cells[0], "%d", l->cases);
        snprintf(cells[1], sizeof cells[1], "%d", l->passed);
        snprintf(cells[2], sizeof cells[2], "%.1f", l->digits[0]);
        snprintf(cells[3], sizeof cells[3], "%.1f", l->digits[l->cases / 2]);
        snprintf(cells[4], sizeof cells[4], "%.2g", l->worst_share);
        const char *row[] = {l->law, cells[0], cells[1], cells[2], cells[3], cells[4], l->worst_case};
        table_add(&t, l->passed < l->cases ? ROW_BAD : ROW_PLAIN, row);
    }
    if (s->law_count)
        table_end(&t);
}

static void show_summary(session *s)
{
    if (s->json) {
        json_t *line = json_pack("{s:i, s:i, s:i}", "passed", s->passed, "failed", s->failed, "skipped", s->skipped);
        json_print(stdout, line, true);
        json_decref(line);
        return;
    }
    if (s->failed > SHOWN && !s->verbose && !s->quiet)
        printf("... and %d more failures; -v or -q lists all\n", s->failed - SHOWN);
    if (!s->quiet)
        show_table(s);
    if (s->skipped && !s->quiet)
        printf("skipped: cases of laws that this build does not have\n");
    if (s->skipped)
        printf("%d passed, %d failed, %d skipped\n", s->passed, s->failed, s->skipped);
    else
        printf("%d passed, %d failed\n", s->passed, s->failed);
}

/* ---- options ---- */

static bool take_known_law(void *member, const char *text, const option_row *row)
{
    settings known = {0};
    (void)row;
    *(const char **)member = text;
    return settings_law(&known, text);
}

static const option_row options[] = {
    {"verbose", NULL, "one line for every case", .at = offsetof(session, verbose), NULL, 'v'},
    {"quiet", NULL, "only the failures and the closing line", .at = offsetof(session, quiet), NULL, 'q'},
    {"law", "ID", "only the cases of this law", .at = offsetof(session, law), take_known_law},
    {"tol", "X",
     "least tolerance, relative (default 1e-12); a case's own is max(X, 16 error_bound + 16 u), plus cond(K) 1e-16 "
     "when K is assembled",
     .at = offsetof(session, least), take_positive},
    JSON_OPTION(session, "one JSON object per case, then a summary object"),
    {.name = NULL}};

const command_help help_verify = {
    .usage = "usage: carom verify [options] FILE...\n\n"
             "Solves every case that carries \"expect\" and compares: impulses, velocities, energies,\n"
             "works, events, modes. Prints the failures, a table per law with the worst and the median number of\n"
             "right digits, and a closing line \"N passed, M failed\". Exit status 1 when something failed.\n\n",
    options,
    "\nexample    carom verify tests/vectors/algebraic.jsonl\n"};

int cmd_verify(int argc, char **argv)
{
    session s = {.least = LEAST_TOLERANCE};
    if (!options_read("verify", &help_verify, argc, argv, &s))
        return BAD_INPUT;
    if (optind == argc)
        return complain("verify: no file; see `carom verify --help`");
    output_hold_signals();
    for (int i = optind; i < argc && !output_is_stopped(); i++)
        verify_file(&s, argv[i]);
    show_summary(&s);
    for (int i = 0; i < s.law_count; i++)
        free(s.laws[i].digits);
    carom_result_free(&s.result);
    return s.bad ? BAD_INPUT : s.failed ? FAILED : FINE;
}

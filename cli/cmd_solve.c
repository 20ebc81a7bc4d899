/* carom solve: impact cases in, answers out. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/quantities.h"
#include "carom/run_record.h"
#include "cli.h"
#include "csv.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "report.h"

typedef struct session {
    bool json, csv, all, derivatives, compact, second; /* second: a report has been printed before */
    json_t *columns;                                   /* the derivatives of the case, or null */
    settings settings;
    carom_result result;
    int status;
} session;

static void worsen(session *s, int status)
{
    s->status = status > s->status ? status : s->status;
}

/* Does a contact have a patch or rolling resistance? */
static bool has_spins(const carom_case *c)
{
    for (int i = 0; i < c->count; i++)
        if (carom_patch_size(carom_case_coeffs(c, i)) > 3)
            return true;
    return false;
}

/* Laws without derivatives are refused by name, and impacts of several contacts that have none. */
static bool has_derivatives(const carom_case *c, json_t **found, carom_case_error *error)
{
    char rule[160];
    const bool several = c->together;
    snprintf(rule, sizeof rule, "%s has no derivatives; %s have", carom_case_law(c),
             several ? "of the laws for several contacts moreau and lzb" : "the laws without contact forces");
    if (several ? !carom_together_has_derivatives(c->together_rule.law) : !carom_law_has_derivatives(c->rule.law))
        return carom_case_blame(c, "law", rule, error);
    carom_status status;
    if (several && has_spins(c))
        return carom_case_blame(c, "coefficients",
                                "several contacts have no derivatives with a patch or rolling resistance", error);
    *found = carom_case_derivatives(c, &status);
    if (!*found && !several && has_spins(c))
        return carom_case_blame(
            c, "", "there are no derivatives where two solutions meet, and where slip begins from rest", error);
    return *found || !several || status != CAROM_STATUS_NO_DERIVATIVE ||
           carom_case_blame(c, "",
                            "there are no derivatives where contacts are redundant, where a slip of lzb stops in "
                            "space, and beyond 64 contacts",
                            error);
}

/* Read, change and solve one case. */
static bool solve(session *s, const carom_text *text, carom_case *c, carom_case_error *error)
{
    if (!carom_case_read(text, c, error) || !settings_apply(&s->settings, c, error))
        return false;
    if (s->csv && c->together)
        return carom_case_blame(c, "", "a table has one contact per row, and this case has several; use --json", error);
    carom_status status = carom_case_solve(c, &s->result);
    if (carom_status_is_refusal(status))
        return carom_case_refuse(c, status, error);
    if (s->result.lost)
        return carom_case_blame(c, "", "out of memory", error);
    if (!settings_warn(&s->settings, c, error))
        return false;
    if (s->derivatives && !has_derivatives(c, &s->columns, error))
        return false;
    if (!carom_status_is_answer(status))
        worsen(s, FAILED);
    return true;
}

/* False when memory does not suffice for the answer. */
static bool print_answer(const session *s, const carom_case *c)
{
    json_t *answer = carom_case_answer(c, &s->result);
    if (s->all)
        json_object_set_new(answer, "all", carom_case_solutions(c, &s->result));
    if (s->columns)
        json_object_set(answer, "derivatives", s->columns);
    const bool fine = carom_json_is_whole(answer);
    if (fine)
        json_print(stdout, answer, s->compact);
    json_decref(answer);
    return fine;
}

/* One line on standard error, and in JSON Lines an answer that says the same. */
static void refuse(session *s, const carom_case *c, const carom_case_error *error)
{
    if (error->message[0])
        fprintf(stderr, "%s\n", error->message);
    worsen(s, BAD_INPUT);
    if (!s->json || !s->compact)
        return;
    json_t *answer = carom_case_error_answer(c, error);
    if (answer)
        json_print(stdout, answer, true);
    json_decref(answer);
}

/* The name of the case may be what memory has no room for. */
static void refuse_for_memory(session *s, const carom_text *text)
{
    carom_case nameless = {.text = *text};
    carom_case_error error = {.status = CAROM_STATUS_OK};
    carom_case_blame(&nameless, "", "out of memory", &error);
    refuse(s, &nameless, &error);
}

static void print_row(const carom_case *c, const carom_result *result)
{
    carom_csv_text(stdout, c->name ? c->name : "");
    for (int k = 0; k < CAROM_QUANTITY_WORDS; k++) {
        char word[CAROM_QUANTITY_WORD];
        carom_quantity_word(c, result, k, word);
        csv_word(stdout, word);
    }
    for (int i = 0; i < carom_quantity_count(); i++)
        csv_number(stdout, carom_quantity_value(c, result, i));
    putchar('\n');
}

static void solve_text(session *s, const carom_text *text, bool is_lines)
{
    carom_case c;
    carom_case_error error;
    bool solved = solve(s, text, &c, &error), told = true;
    if (!solved)
        refuse(s, &c, &error);
    else if (s->json)
        told = print_answer(s, &c);
    else if (s->csv)
        print_row(&c, &s->result);
    else if (is_lines)
        report_line(&c, &s->result);
    else {
        fputs(s->second ? "\n" : "", stdout);
        report_case(&c, &s->result, s->all);
        if (s->columns)
            report_derivatives(&c, s->columns);
        s->second = true;
    }
    json_decref(s->columns);
    s->columns = NULL;
    carom_case_free(&c);
    if (!told)
        refuse_for_memory(s, text);
}

static void solve_file(session *s, const char *path, bool alone)
{
    input in;
    carom_text text;
    progress bar = progress_start(true);
    if (!input_open(&in, path))
        worsen(s, BAD_INPUT);
    else {
        s->compact = in.is_lines || !alone;
        if (in.is_lines && !s->json && !s->csv)
            report_line_head();
        while (input_next(&in, &text)) {
            solve_text(s, &text, in.is_lines);
            output_commit();
            progress_step(&bar, input_share(&in));
        }
    }
    progress_end(&bar);
    if (!input_close(&in))
        worsen(s, BAD_INPUT);
}

/* ---- options ---- */

static const option_row options[] = {
    JSON_OPTION(session, "answers as JSON; one per line for JSON Lines or several files"),
    {"csv", NULL, "answers as CSV, one row per case; `carom explain --quantities` names the columns",
     .at = offsetof(session, csv)},
    LAW_OPTION(session),
    SET_OPTION(session),
    STRICT_OPTION(session),
    {"all", NULL, "list every admissible solution of laws that can have several", .at = offsetof(session, all)},
    {"derivatives", NULL, "how p and u_after change with u, K and the coefficients, to first order",
     .at = offsetof(session, derivatives)},
    {.name = NULL}};

const command_help help_solve = {
    .usage = "usage: carom solve [options] CASE...\n\n"
             "Reads impact cases and computes the impulse, the velocities after the impact and the energy ledger.\n"
             "One case prints a report. JSON Lines print one line per case, as they are read; a bad line gives an\n"
             "error object and a message on standard error, and the next lines are solved.\n\n",
    options,
    "\nCASE is a file or - for standard input.\n\n"
    "example    carom solve examples/cases/ball.json --set mu=0.1\n"};

int cmd_solve(int argc, char **argv)
{
    session s = {.status = FINE};
    output_hold_signals();
    if (!options_read("solve", &help_solve, argc, argv, &s))
        return BAD_INPUT;
    if (optind == argc)
        return complain("solve: no case given; see `carom solve --help`");
    if (s.csv && s.json)
        return complain("solve: either --csv or --json");
    if (s.csv) {
        fputs("name", stdout);
        for (int k = 0; k < CAROM_QUANTITY_WORDS; k++)
            csv_word(stdout, carom_quantity_word_name(k));
        for (int i = 0; i < carom_quantity_count(); i++)
            csv_word(stdout, carom_quantity_name(i));
        putchar('\n');
    }
    for (int i = optind; i < argc && !output_is_stopped(); i++)
        solve_file(&s, argv[i], argc - optind == 1);
    carom_result_free(&s.result);
    return s.status;
}

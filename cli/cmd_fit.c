/* carom fit: the coefficients of a law from recorded impacts, or which law explains them. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "fit_input.h"
#include "fit_print.h"
#include "options.h"
#include "output.h"
#include "progress.h"

typedef struct session {
    carom_fit_plan plan;
    bool compare, json, impacts, no_intervals;
    carom_fit_data data;
    fit_file file;
    const char *path;
} session;

/* ---- options ---- */

/* An option of the plan, under the name of the row with underscores. */
static bool take_plan(void *plan, const char *text, const option_row *row)
{
    char word[32];
    carom_case_error error;
    snprintf(word, sizeof word, "%s", row->name);
    for (char *c = word; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return carom_fit_plan_set(plan, word, text, &error) || (complain_error("fit", &error), false);
}

/* The spelling of earlier versions. */
static bool take_e_of_v(void *plan, const char *text, const option_row *row)
{
    (void)row;
    char e_of_v[64];
    carom_case_error error;
    snprintf(e_of_v, sizeof e_of_v, "e=%s", text);
    return carom_fit_plan_set(plan, "of_speed", e_of_v, &error) || (complain_error("fit", &error), false);
}

#define PLAN_OPTION(name, argument, meaning)                                                                           \
    {                                                                                                                  \
        name, argument, meaning, .at = offsetof(session, plan), take_plan                                              \
    }

static const option_row options[] = {
    PLAN_OPTION("law", "ID[,ID...]", "the law to fit; several are compared"),
    {"compare", NULL, "all laws in one table, sorted by AICc", .at = offsetof(session, compare)},
    PLAN_OPTION("fix", "KEY=VALUE", "this coefficient is known (or: this option of the law); may be repeated"),
    PLAN_OPTION("free", "KEY[=A:B]", "fit this coefficient too, such as mu_s or k; search between A and B"),
    PLAN_OPTION("per", "KEY=impact",
                "a value of this coefficient for every impact; KEY=group: for every word of \"group\""),
    PLAN_OPTION(
        "of-speed", "KEY=FORM:V",
        "e or mu depends on the speed of approach: linear or power, of e also plastic or viscoelastic; its value "
        "is that at V m/s"),
    {"e-of-v", "FORM:V", "--of-speed e=FORM:V", .at = offsetof(session, plan), take_e_of_v},
    PLAN_OPTION("loss", "LOSS", "squares, huber:1.345 or student:4"),
    PLAN_OPTION("noise", "WHAT",
                "known (default); scale: errors are known up to a common factor; scale-per-group: up to one per group"),
    PLAN_OPTION("folds", "N[:group]",
                "cross-validation in N parts (default 5; 0: none); a group is left out as a whole"),
    {"no-intervals", NULL, "deviations only: faster", .at = offsetof(session, no_intervals)},
    {"impacts", NULL, "also residuals, leverage and mode of every impact", .at = offsetof(session, impacts)},
    PLAN_OPTION("seed", "N", "of the starting points"),
    JSON_OPTION(session, "everything as one JSON object"),
    {.name = NULL}};

const command_help help_fit = {
    .usage = "usage: carom fit --law ID [options] DATA\n"
             "       carom fit --law ID,ID... [options] DATA\n"
             "       carom fit --compare [options] DATA\n\n"
             "Estimates the coefficients of a law from recorded impacts and prints them with standard deviations,\n"
             "95 % profile intervals and what the data cannot tell; or fits every law that applies and ranks them.\n"
             "DATA is JSON Lines, a case with \"measured\" on each line, or a CSV table with the columns\n"
             "K_tt,K_tn,K_nn,u_t,u_n,m_t,m_n,s_t,s_n (docs/guide/fit.md).\n\n",
    options,
    "\nexample    carom fit --law bilinear glass.jsonl\n"};

/* ---- the command ---- */

static bool watch(void *context, double share)
{
    progress *bar = context;
    if (progress_is_due(bar))
        progress_note(bar, share, "fitting");
    return !output_is_stopped();
}

static void print_answers(const session *s, const carom_fit_answers *answers)
{
    if (s->json) {
        json_t *json = carom_fit_json(answers, &s->plan, &s->data, s->path);
        json_print(stdout, json, false);
        json_decref(json);
    } else if (s->compare)
        fit_answers_print(answers, &s->data, s->path);
    else {
        fit_answer_print(&answers->list[0], &s->data, s->path);
        if (s->impacts)
            fit_answer_print_impacts(&answers->list[0], &s->data);
    }
}

static int fit(session *s)
{
    carom_fit_answers answers;
    carom_case_error error;
    progress bar = progress_start(false);
    const carom_watcher watcher = {watch, &bar};
    bool fine = carom_fit_run(&s->plan, &s->data, &watcher, &answers, &error);
    progress_end(&bar);
    if (!fine && !output_is_stopped())
        complain_error(strcmp(error.key, "data") == 0 ? (error.key[0] = 0, s->path) : "fit", &error);
    fine = fine && !output_is_stopped() && fit_input_unchanged(&s->file);
    if (fine)
        print_answers(s, &answers);
    carom_fit_answers_free(&answers);
    return fine ? FINE : BAD_INPUT;
}

int cmd_fit(int argc, char **argv)
{
    session s = {.plan = carom_fit_plan_default()};
    if (!options_read("fit", &help_fit, argc, argv, &s))
        return BAD_INPUT;
    s.plan.intervals = !s.no_intervals;
    if (argc - optind != 1)
        return complain("fit: needs one file of data; see `carom fit --help`");
    if (s.compare + (s.plan.law != NULL) + (s.plan.law_count > 0) != 1)
        return complain("fit: give --law ID, or --compare for all laws");
    s.compare = !s.plan.law;
    s.path = argv[optind];
    output_hold_signals();
    int status = fit_input_read(s.path, &s.file, &s.data) ? fit(&s) : BAD_INPUT;
    carom_fit_data_free(&s.data);
    return status;
}

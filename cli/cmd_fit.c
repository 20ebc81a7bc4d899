/* carom fit: the coefficients of a law from recorded impacts, or which law explains them. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "fit_input.h"
#include "fit_print.h"
#include "output.h"
#include "progress.h"

const char help_fit[] =
    "usage: carom fit --law ID [options] DATA\n"
    "       carom fit --compare [options] DATA\n\n"
    "Estimates the coefficients of a law from recorded impacts and prints them with standard deviations,\n"
    "95 % profile intervals and what the data cannot tell; or fits every law that applies and ranks them.\n"
    "DATA is JSON Lines, a case with \"measured\" on each line, or a CSV table with the columns\n"
    "K_tt,K_tn,K_nn,u_t,u_n,m_t,m_n,s_t,s_n (docs/guide/fit.md).\n\n"
    "      --law ID            the law to fit\n"
    "      --compare           all laws in one table, sorted by AICc\n"
    "      --laws ID,ID...     with --compare: only these\n"
    "      --fix KEY=VALUE     this coefficient is known (or: this option of the law); may be repeated\n"
    "      --free KEY          this coefficient too, such as mu_s or k\n"
    "      --bounds KEY=A:B    search between A and B\n"
    "      --per-impact KEY    a value of this coefficient for every impact\n"
    "      --per-group KEY     a value for every word of \"group\"\n"
    "      --e-of-v FORM       restitution depends on the speed: power:V, plastic:V or viscoelastic:V,\n"
    "                          where e is its value at V m/s\n"
    "      --loss LOSS         squares, huber:1.345 or student:4\n"
    "      --noise WHAT        known (default), or scale: errors are known up to a common factor\n"
    "      --folds N           cross-validation in N parts (default 5; 0: none)\n"
    "      --no-intervals      deviations only: faster\n"
    "      --impacts           also residuals, leverage and mode of every impact\n"
    "      --seed N            of the starting points\n"
    "      --json              everything as one JSON object\n\n"
    "example    carom fit --law bilinear glass.jsonl\n";

typedef struct session {
    carom_fit_plan plan;
    bool compare, json, impacts;
    carom_fit_data data;
    fit_file file;
    const char *path;
} session;

static const struct option options[] = {{"law", required_argument, NULL, 'l'},
                                        {"compare", no_argument, NULL, 'c'},
                                        {"laws", required_argument, NULL, 'L'},
                                        {"fix", required_argument, NULL, 'f'},
                                        {"set", required_argument, NULL, 'f'},
                                        {"free", required_argument, NULL, 'F'},
                                        {"bounds", required_argument, NULL, 'b'},
                                        {"per-impact", required_argument, NULL, 'p'},
                                        {"per-group", required_argument, NULL, 'g'},
                                        {"e-of-v", required_argument, NULL, 'v'},
                                        {"loss", required_argument, NULL, 'o'},
                                        {"noise", required_argument, NULL, 'n'},
                                        {"folds", required_argument, NULL, 'd'},
                                        {"no-intervals", no_argument, NULL, 'I'},
                                        {"impacts", no_argument, NULL, 'i'},
                                        {"seed", required_argument, NULL, 's'},
                                        {"json", no_argument, NULL, 'j'},
                                        {NULL, 0, NULL, 0}};

/* The word of an option of the plan, or null. */
static const char *word_of(int letter)
{
    static const struct {
        int letter;
        const char *word;
    } words[] = {{'l', "law"},    {'L', "laws"},       {'f', "fix"},       {'F', "free"},
                 {'b', "bounds"}, {'p', "per_impact"}, {'g', "per_group"}, {'v', "e_of_v"},
                 {'o', "loss"},   {'n', "noise"},      {'d', "folds"},     {'s', "seed"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].letter == letter)
            return words[i].word;
    return NULL;
}

static bool read_option(session *s, int o)
{
    carom_case_error error;
    const char *word = word_of(o);
    s->compare |= o == 'c';
    s->json |= o == 'j';
    s->impacts |= o == 'i';
    s->plan.intervals &= o != 'I';
    return !word || carom_fit_plan_set(&s->plan, word, optarg, &error) || (complain_error("fit", &error), false);
}

static bool read_options(int argc, char **argv, session *s)
{
    for (int o; (o = getopt_long(argc, argv, ":j", options, NULL)) != -1;) {
        if (o == '?' || o == ':') {
            complain_option("fit", o, argv);
            return false;
        }
        if (!read_option(s, o))
            return false;
    }
    return true;
}

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
        json_t *json = (json_t *)carom_fit_json(answers, &s->plan, &s->data, s->path);
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
    const carom_fit_watcher watcher = {watch, &bar};
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
    if (!read_options(argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("fit: needs one file of data; see `carom fit --help`");
    if (s.compare == (s.plan.law != NULL))
        return complain("fit: give --law ID, or --compare for all laws");
    s.path = argv[optind];
    output_hold_signals();
    int status = fit_input_read(s.path, &s.file, &s.data) ? fit(&s) : BAD_INPUT;
    carom_fit_data_free(&s.data);
    return status;
}

/* carom fit: the coefficients of a law from recorded impacts, or which law explains them. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fit_answer.h"
#include "fit_input.h"
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
    fit_plan plan;
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

static bool read_law(session *s, const char *id)
{
    settings found = {0};
    if (!settings_law(&found, id))
        return false;
    s->plan.law = found.law;
    if (!found.law)
        complain("fit --law %s: this law is for several contacts, and data are of one", id);
    return found.law != NULL;
}

static bool read_count(const char *option, const char *text, double most, double *count)
{
    if (settings_number(text, count) && *count >= 0 && *count <= most && *count == (double)(long)*count)
        return true;
    complain("%s: must be a whole number from 0 to %.0f, got \"%s\"", option, most, text);
    return false;
}

static bool read_option(session *s, int o)
{
    double count = 0;
    switch (o) {
    case 'l':
        return read_law(s, optarg);
    case 'L':
        return fit_plan_laws(&s->plan, optarg);
    case 'f':
        return fit_plan_fix(&s->plan, optarg);
    case 'F':
        return fit_plan_free(&s->plan, optarg);
    case 'b':
        return fit_plan_bounds(&s->plan, optarg);
    case 'p':
        return fit_plan_local(&s->plan, optarg, true);
    case 'g':
        return fit_plan_local(&s->plan, optarg, false);
    case 'v':
        return fit_plan_speed(&s->plan, optarg);
    case 'o':
        return fit_plan_loss(&s->plan, optarg);
    case 'n':
        return fit_plan_noise(&s->plan, optarg);
    case 'd':
        return read_count("--folds", optarg, 1e6, &count) && (s->plan.folds = (int)count, true);
    case 's':
        return read_count("--seed", optarg, 9e15, &count) && (s->plan.seed = (uint64_t)count, true);
    default:
        break;
    }
    s->compare |= o == 'c';
    s->json |= o == 'j';
    s->impacts |= o == 'i';
    s->plan.intervals &= o != 'I';
    return true;
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

static int fit_one(session *s)
{
    fit_answer *answer = must_have(calloc(1, sizeof *answer));
    int status = BAD_INPUT;
    if (fit_plan_task(&s->plan, s->plan.law, &s->data, false, &answer->task)) {
        progress bar = progress_start(false);
        bool fine = fit_answer_make(&s->plan, &s->data, &bar, 0, 1, answer);
        progress_end(&bar);
        status = fine && fit_input_unchanged(&s->file) ? FINE : BAD_INPUT;
        if (!fine && !output_is_stopped())
            complain("%s: %s cannot be fitted: %s", s->path, s->plan.law->id, carom_status_message(answer->status));
    }
    if (status == FINE && s->json) {
        json_t *json = fit_answer_json(answer, &s->plan, &s->data, s->path);
        json_print(stdout, json, false);
        json_decref(json);
    } else if (status == FINE) {
        fit_answer_print(answer, &s->plan, &s->data, s->path);
        if (s->impacts)
            fit_answer_print_impacts(answer, &s->data);
    }
    fit_answer_free(answer);
    free(answer);
    return status;
}

/* Laws of --laws, or all that need no stiffness. `region` is a family of all admissible outcomes: only by name. */
static int chosen_laws(const fit_plan *plan, const carom_law **laws)
{
    int count = 0;
    for (int i = 0; i < plan->law_count; i++)
        laws[count++] = plan->laws[i];
    for (int i = 0; plan->law_count == 0 && i < carom_law_count() && count < FIT_LAWS; i++) {
        const carom_law *law = carom_law_at(i);
        if (!(law->traits & CAROM_TRAIT_CONTACT_FORCE) && strcmp(law->id, "region") != 0)
            laws[count++] = law;
    }
    return count;
}

static void print_comparison(const session *s, const fit_answer *answers, int count, const fit_answer *all, int tried)
{
    if (!s->json) {
        fit_answers_print(answers, count, &s->data, s->path);
        for (int i = 0; i < tried; i++)
            if (all[i].law && !all[i].memory)
                printf("%s is left out: it has no free coefficient, or more than there are numbers\n", all[i].law->id);
            else if (all[i].law && all[i].status != CAROM_STATUS_OK)
                printf("%s does not apply: %s\n", all[i].law->id, carom_status_message(all[i].status));
        return;
    }
    json_t *json = fit_answer_json(&answers[0], &s->plan, &s->data, s->path), *rows = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(rows, fit_answer_row_json(&answers[i]));
    json_object_set_new(json, "compare", rows);
    json_print(stdout, json, false);
    json_decref(json);
}

static int fit_all(session *s)
{
    const carom_law *laws[FIT_LAWS];
    int tried = chosen_laws(&s->plan, laws), count = 0;
    fit_answer *all = must_have(calloc(2 * FIT_LAWS, sizeof *all)), *good = all + FIT_LAWS;
    progress bar = progress_start(false);
    for (int i = 0; i < tried && !output_is_stopped(); i++) {
        all[i].law = laws[i];
        all[i].status = CAROM_STATUS_BAD_SIZE;
        if (!fit_plan_task(&s->plan, laws[i], &s->data, true, &all[i].task))
            continue;
        all[i].task.intervals = false;
        if (fit_answer_make(&s->plan, &s->data, &bar, (double)i / tried, (i + 1.0) / tried, &all[i]))
            good[count++] = all[i];
    }
    progress_end(&bar);
    int status = count > 0 ? FINE : complain("%s: no law can be fitted to these data", s->path);
    if (count > 0 && (output_is_stopped() || !fit_input_unchanged(&s->file)))
        status = BAD_INPUT;
    if (status == FINE) {
        fit_answers_rank(good, count);
        print_comparison(s, good, count, all, tried);
    }
    for (int i = 0; i < tried; i++)
        fit_answer_free(&all[i]);
    free(all);
    return status;
}

int cmd_fit(int argc, char **argv)
{
    session s = {.plan = fit_plan_start()};
    if (!read_options(argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("fit: needs one file of data; see `carom fit --help`");
    if (s.compare == (s.plan.law != NULL))
        return complain("fit: give --law ID, or --compare for all laws");
    s.path = argv[optind];
    output_hold_signals();
    int status = fit_input_read(s.path, &s.file, &s.data) ? (s.compare ? fit_all(&s) : fit_one(&s)) : BAD_INPUT;
    carom_fit_data_free(&s.data);
    return status;
}

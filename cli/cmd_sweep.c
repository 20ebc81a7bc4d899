/* carom sweep: one case at many values of its inputs. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "sweep.h"

static void identify_case(sweep *s)
{
    char *text = must_have(json_text(s->c->document, 17));
    sweep_identify(s, text);
    free(text);
}

static int sweep_case(carom_case *c, void *context)
{
    sweep *s = context;
    carom_case_error error;
    if (!settings_apply(&s->settings, c, &error) || !settings_warn(&s->settings, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
        return BAD_INPUT;
    }
    if (c->several && !s->json)
        return complain(
            "sweep: a table has one contact per row, and this case has several; use --json or -o FILE.jsonl");
    uint64_t uses = c->several ? c->several->rule.law->uses : c->rule.law->uses;
    for (int i = 0; i < s->v.count; i++)
        if (s->v.list[i].coeff < CAROM_COEFF_COUNT && !(uses >> s->v.list[i].coeff & 1) &&
            !settings_raise(&s->settings, c, CAROM_WARNING_SWEEP, "%s does not use %s", carom_case_law(c),
                            s->v.list[i].name))
            return BAD_INPUT;
    s->c = c;
    identify_case(s);
    varied trial;
    bool leads = varied_open(&trial, &s->v, c, "--vary");
    carom_inputs_close(&trial);
    if (!leads)
        return BAD_INPUT;
    return sweep_run(s);
}

/* ---- options ---- */

static bool take_quantities(void *member, const char *list, const option_row *row)
{
    sweep *s = member;
    (void)row;
    char text[512], *rest = NULL;
    snprintf(text, sizeof text, "%s", list);
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        int k = 0;
        while (k < csv_column_count() && strcmp(csv_column(k), word) != 0)
            k++;
        if (k == csv_column_count() || s->quantities == QUANTITIES_MOST) {
            complain(k == csv_column_count() ? "--statistics: \"%s\" is no column; see `carom explain --quantities`"
                                             : "--statistics: \"%s\" is one too many; the most is 8",
                     word);
            return false;
        }
        s->quantity[s->quantities++] = k;
    }
    return s->quantities > 0 || complain("--statistics: expected names of columns, as in p_n,energy_change") == FINE;
}

static bool take_vary(void *member, const char *text, const option_row *row)
{
    (void)row;
    return vary_add(member, "--vary", text);
}

static bool take_draws(void *member, const char *text, const option_row *row)
{
    (void)row;
    return sweep_read_count("--draws", text, SWEEP_MOST_POINTS, member);
}

static bool take_seed(void *member, const char *text, const option_row *row)
{
    long n = 0;
    (void)row;
    bool fine = sweep_read_count("--seed", text, 1e15, &n);
    *(uint64_t *)member = (uint64_t)n;
    return fine;
}

static bool take_threads(void *member, const char *text, const option_row *row)
{
    (void)row;
    return sweep_read_threads(member, text);
}

static const option_row options[] = {
    {"vary", "NAME=VALUES", "vary this input (up to 8)", .at = offsetof(sweep, v), take_vary},
    {"output", "FILE", ".csv (default on standard output), .jsonl or .h5 (HDF5: a dataset per column)",
     .at = offsetof(sweep, output), NULL, 'o'},
    JSON_OPTION(sweep, "JSON Lines on standard output; the one form for several contacts"),
    LAW_OPTION(sweep),
    SET_OPTION(sweep),
    {"draws", "N", "how many draws of random variables (default 1000)", .at = offsetof(sweep, v.draws), take_draws},
    {"seed", "N", "of the draws (default 1): the same seed gives the same numbers", .at = offsetof(sweep, v.seed),
     take_seed},
    {"threads", "N", "at most so many (default: all processors; one under mpirun)", .take = take_threads},
    {"statistics", "NAMES", "no rows: mean, deviation and percentiles of these columns (p_n,energy_change)",
     .take = take_quantities},
    {"resume", NULL, "go on with a .h5 file whose run was stopped or killed", .at = offsetof(sweep, resume)},
    STRICT_OPTION(sweep),
    {.name = NULL}};

/* Whatever decides the numbers is part of the identity by which a sweep is resumed. */
static void identify(void *session, const option_row *row, const char *text)
{
    if (text && strcmp(row->name, "threads") != 0 && strcmp(row->name, "output") != 0 &&
        strcmp(row->name, "statistics") != 0)
        sweep_identify(session, text);
}

const command_help help_sweep = {
    .usage = "usage: carom sweep [options] CASE --vary NAME=VALUES... [-o FILE.csv|.jsonl|.h5]\n\n"
             "Solves one case at many values of its inputs. NAME is a coefficient (mu) or the path of a number in\n"
             "the case (bodies.a.velocity.0). VALUES are FROM:TO:COUNT, a list A,B,C, or random:LOW:HIGH. Several\n"
             "--vary make a grid, the first changing slowest. One row per point: the values, then the answer; the\n"
             "columns are listed by `carom explain --quantities`. Rows are written as they come.\n\n",
    options,
    "\nUnder mpirun the ranks share the work, also on many machines, and the file is the same for any number\n"
    "of them; a build with -DCAROM_MPI=ON -DCAROM_HDF5=ON can do that.\n\n"
    "example    carom sweep examples/cases/ball.json --law jia \\\n"
    "               --vary bodies.a.velocity.0=-15:15:121 --vary mu=0.2,0.4 -o ball.csv\n",
    identify};

static int read_and_sweep(int argc, char **argv, sweep *s)
{
    if (!options_read("sweep", &help_sweep, argc, argv, s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("sweep: expected one case; see `carom sweep --help`");
    if (!sweep_check_output(s) || !sweep_check_ranks(s) || !sweep_check_total(s))
        return BAD_INPUT;
    output_hold_signals();
    return input_one_case("sweep", argv[optind], sweep_case, s);
}

int cmd_sweep(int argc, char **argv)
{
    sweep s = {.kind = &sweep_of_cases,
               .command = "sweep",
               .v = {.draws = 1000, .seed = 1},
               .identity = SWEEP_IDENTITY,
               .ranks = ranks_start()};
    s.threads = sweep_threads(&s);
    int status = read_and_sweep(argc, argv, &s);
    carom_vary_free(&s.v);
    ranks_end();
    return status;
}

/* carom sweep: one case at many values of its inputs. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "output.h"
#include "sweep.h"

static int sweep_case(carom_case *c, void *context)
{
    sweep *s = context;
    carom_case_error error;
    if (!settings_apply(&s->settings, c, &error) || !settings_warn(&s->settings, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
        return BAD_INPUT;
    }
    if (!carom_sweep_warn(&s->of, &s->settings, c, &error))
        return complain("error: %s", error.rule);
    s->of.c = c;
    sweep_identify_document(s, c->document);
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
        while (k < carom_quantity_count() && strcmp(carom_quantity_name(k), word) != 0)
            k++;
        if (k == carom_quantity_count() || s->quantities == QUANTITIES_MOST) {
            complain(k == carom_quantity_count() ? "--statistics: \"%s\" is no column; see `carom explain --quantities`"
                                                 : "--statistics: \"%s\" is one too many; the most is 8",
                     word);
            return false;
        }
        s->quantity[s->quantities++] = k;
    }
    return s->quantities > 0 || complain("--statistics: expected names of columns, as in p_n,energy_change") == FINE;
}

/* "cpu", "gpu", or "gpu,cpu". */
static bool take_device(void *member, const char *text, const option_row *row)
{
    sweep *s = member;
    (void)row;
    s->on_gpu = strncmp(text, "gpu", 3) == 0;
    s->or_cpu = strcmp(text, "gpu,cpu") == 0;
    return strcmp(text, "cpu") == 0 || strcmp(text, "gpu") == 0 || s->or_cpu ||
           complain("--device: expected cpu, gpu or gpu,cpu, got \"%s\"", text) == FINE;
}

static const option_row options[] = {
    {"vary", "NAME=VALUES", "vary this input (up to 8)", .at = offsetof(sweep, of.v), take_vary},
    RANDOM_OPTION(sweep, ),
    ROWS_OPTION(sweep, ),
    JSON_OPTION(sweep, "JSON Lines on standard output; the one form for several contacts"),
    LAW_OPTION(sweep),
    SET_OPTION(sweep),
    DRAWS_OPTION(sweep, "1000", ),
    SEED_OPTION(sweep, ),
    THREADS_OPTION(sweep, ),
    {"statistics", "NAMES", "no rows: mean, deviation and percentiles of these columns (p_n,energy_change)",
     .take = take_quantities},
    {"device", "WHERE", "cpu (default), gpu (NVIDIA; the same bytes), or gpu,cpu: the processors where the GPU cannot",
     .take = take_device},
    RESUME_OPTION(sweep, ),
    STRICT_OPTION(sweep),
    {.name = NULL}};

static void identify(void *session, const option_row *row, const char *text)
{
    sweep_identify(session, row, text);
}

const command_help help_sweep = {
    .usage = "usage: carom sweep [options] CASE --vary NAME=VALUES... [-o FILE.csv|.jsonl|.h5]\n\n"
             "Solves one case at many values of its inputs. NAME is a coefficient (mu) or the path of a number in\n"
             "the case (bodies.a.velocity.0). VALUES are FROM:TO:COUNT or a list A,B,C. Several --vary make a\n"
             "grid, the first changing slowest; --random inputs are drawn together. One row per point: the values,\n"
             "then the answer; the columns are listed by `carom explain --quantities`. Rows are written as they\n"
             "come.\n\n",
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
    output_hold_signals();
    return input_one_case("sweep", argv[optind], sweep_case, s);
}

int cmd_sweep(int argc, char **argv)
{
    sweep s = {0};
    sweep_start(&s, "sweep", true);
    int status = read_and_sweep(argc, argv, &s);
    sweep_end(&s);
    return status;
}

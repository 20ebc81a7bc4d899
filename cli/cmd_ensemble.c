/* carom ensemble and carom propagate: one scene at many values of its inputs, and the spread of its end. */
#include <getopt.h>
#include <string.h>

#include "output.h"
#include "scene_input.h"
#include "sim_ensemble.h"
#include "sim_propagate.h"

typedef struct session {
    scene_request scene;
    const char *output;
    bool json;
    ensemble runs;
    const char *command, *of; /* of: numbers that propagate spreads */
    bool one_sided;
} session;

static bool take_vary(void *member, const char *text, const option_row *row)
{
    (void)row;
    return vary_add(member, "--vary", text);
}

static bool take_random(void *member, const char *text, const option_row *row)
{
    (void)row;
    return vary_add_random(member, "--random", text);
}

static bool take_count(void *member, const char *text, const option_row *row)
{
    (void)row;
    return sweep_read_count("--count", text, SWEEP_MOST_POINTS, member);
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

#define DRAW_OPTIONS(session)                                                                                          \
    {"random", "NAME=DISTRIBUTION", "normal:MEAN:DEVIATION or uniform:LOW:HIGH, drawn anew for each run",              \
     .at = offsetof(session, runs.sweep.v), take_random},                                                              \
        {"count", "N", "how many draws (default 1000)", .at = offsetof(session, runs.sweep.v.draws), take_count},      \
        {"seed", "N", "of the draws (default 1)", .at = offsetof(session, runs.sweep.v.seed), take_seed},              \
    {                                                                                                                  \
        "threads", "N", "at most so many (default: all processors; one under mpirun)",                                 \
            .at = offsetof(session, runs.sweep), take_threads                                                          \
    }

/* Whatever decides the numbers is part of the identity by which a run is resumed. */
static void identify(void *session_, const option_row *row, const char *text)
{
    session *s = session_;
    if (text && strcmp(row->name, "threads") != 0 && strcmp(row->name, "output") != 0)
        sweep_identify(&s->runs.sweep, text);
}

/* ---- ensemble ---- */

static const option_row ensemble_options[] = {
    {"vary", "NAME=VALUES", "as in carom sweep: a coefficient or the path of a number in the scene",
     .at = offsetof(session, runs.sweep.v), take_vary},
    DRAW_OPTIONS(session),
    {"record", "LIST", "numbers of the end: time, impacts, energy.after, bodies.coin.position, .side, ...",
     .at = offsetof(session, runs.record)},
    {"statistics", "LIST", "no rows: mean, deviation and percentiles of these numbers",
     .at = offsetof(session, runs.statistics)},
    {"output", "FILE", ".csv (default on standard output), .jsonl or .h5 (builds with HDF5)",
     .at = offsetof(session, output), NULL, 'o'},
    {"resume", NULL, "go on with a .h5 file whose run was stopped or killed",
     .at = offsetof(session, runs.sweep.resume)},
    SCENE_OPTIONS(session),
    JSON_OPTION(session, "JSON Lines on standard output"),
    {.name = NULL}};

const command_help help_ensemble = {
    .usage = "usage: carom ensemble SCENE --vary NAME=VALUES... --random NAME=DISTRIBUTION... [options]\n\n"
             "Runs a scene at many values of its inputs, one row per run; the same rows for any number of threads and\n"
             "ranks of mpirun. SCENE is a file, - or a name of `carom scenes`.\n\n",
    ensemble_options,
    "\nexample    carom ensemble bouncing-ball --vary e=0.5,0.8,0.9 --record time,impacts\n",
    identify};

static int run_ensemble(carom_scene_file *file, void *context)
{
    session *s = context;
    return ensemble_run(&s->runs, file, s->output);
}

/* ---- propagate ---- */

static const option_row propagate_options[] = {
    {"of", "LIST", "numbers of the end: bodies.ball.position,time", .at = offsetof(session, of)},
    DRAW_OPTIONS(session),
    {"one-sided", NULL, "at a kink of a law take the derivative of the branch taken, instead of refusing",
     .at = offsetof(session, one_sided)},
    SCENE_OPTIONS(session),
    JSON_OPTION(session, "everything as one JSON object"),
    {.name = NULL}};

const command_help help_propagate = {
    .usage = "usage: carom propagate SCENE --of LIST --random NAME=DISTRIBUTION... [options]\n\n"
             "Computes how far numbers of the end of a run spread when its inputs have these distributions, to first\n"
             "order; --count draws, and runs 2 and 3 deviations away, check that.\n\n",
    propagate_options,
    "\nexample    carom propagate bouncing-ball --law newton --time 0.8 --of bodies.ball.position.2 \\\n"
    "               --random e=normal:0.8:0.02\n",
    identify};

static int run_propagation(carom_scene_file *file, void *context)
{
    session *s = context;
    return propagate_print(&s->runs, file, &(propagate_task){s->of, s->one_sided, s->json});
}

/* ---- both ---- */

static int read_and_run(int argc, char **argv, session *s, scene_action *act)
{
    const char *command = s->command;
    if (!options_read(command, act == run_ensemble ? &help_ensemble : &help_propagate, argc, argv, s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("%s: expected one scene; `carom scenes` lists those that come with the program", command);
    if (act == run_propagation && !s->of)
        return complain("propagate: of which numbers? Say --of bodies.NAME.position,time");
    s->runs.sweep.json = s->json;
    s->runs.change = (carom_scene_change){scene_apply, &s->scene};
    output_hold_signals();
    return scene_with(command, argv[optind], &s->scene, act, s);
}

/* The ranks of mpirun are needed before anything is complained about. */
static int run(int argc, char **argv, const char *command, scene_action *act)
{
    session s = {.scene.impacts = -1, .command = command};
    ensemble_start(&s.runs, command, act == run_ensemble);
    int status = read_and_run(argc, argv, &s, act);
    ensemble_end(&s.runs);
    return status;
}

int cmd_ensemble(int argc, char **argv)
{
    return run(argc, argv, "ensemble", run_ensemble);
}

int cmd_propagate(int argc, char **argv)
{
    return run(argc, argv, "propagate", run_propagation);
}

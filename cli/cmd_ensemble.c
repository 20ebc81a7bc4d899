/* carom ensemble and carom propagate: one scene at many values of its inputs, and the spread of its end. */
#include <getopt.h>

#include "output.h"
#include "scene_input.h"
#include "sim_propagate.h"
#include "sweep.h"

typedef struct session {
    scene_request scene;
    sweep runs;
    const char *record, *statistics; /* lists of names, or null */
    const char *of;                  /* numbers that propagate spreads */
    bool json, one_sided;
} session;

#define DEFAULT_RECORD "time,impacts,energy.after"

#define DRAW_OPTIONS(most)                                                                                             \
    RANDOM_OPTION(session, runs.), DRAWS_OPTION(session, most, runs.), SEED_OPTION(session, runs.),                    \
        THREADS_OPTION(session, runs.)

static void identify(void *session_, const option_row *row, const char *text)
{
    sweep_identify(&((session *)session_)->runs, row, text);
}

/* ---- ensemble ---- */

static const option_row ensemble_options[] = {
    {"vary", "NAME=VALUES", "as in carom sweep: a coefficient or the path of a number in the scene",
     .at = offsetof(session, runs.of.v), take_vary},
    DRAW_OPTIONS("1000"),
    {"record", "LIST", "numbers of the end: time, impacts, energy.after, bodies.coin.position, .side, ...",
     .at = offsetof(session, record)},
    {"statistics", "LIST", "no rows: mean, deviation and percentiles of these numbers",
     .at = offsetof(session, statistics)},
    ROWS_OPTION(session, runs.),
    RESUME_OPTION(session, runs.),
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

/* The quantities of --statistics are columns, too. */
static bool read_records(session *s, const carom_scene_file *file, carom_case_error *error)
{
    carom_records *all = &s->runs.of.records, chosen = {0};
    const char *rows = s->record ? s->record : s->statistics ? NULL : DEFAULT_RECORD;
    if ((rows && !carom_records_read(all, "record", rows, file, error)) ||
        (s->statistics && (!carom_records_read(all, "statistics", s->statistics, file, error) ||
                           !carom_records_read(&chosen, "statistics", s->statistics, file, error))))
        return false;
    if (chosen.count > QUANTITIES_MOST)
        return carom_request_fail(error, "statistics", "%d numbers are too many; the most is %d", chosen.count,
                                  QUANTITIES_MOST);
    for (int k = 0; k < chosen.count; k++)
        s->runs.quantity[s->runs.quantities++] = carom_records_find(all, chosen.list[k].name);
    carom_sweep_tell_apart(&s->runs.of);
    return true;
}

static int run_ensemble(carom_scene_file *file, void *context)
{
    session *s = context;
    carom_case_error error;
    if (!read_records(s, file, &error))
        return complain_error("ensemble", &error);
    s->runs.json = s->json;
    s->runs.of.file = file;
    sweep_identify_document(&s->runs, file->document);
    return sweep_run(&s->runs);
}

/* ---- propagate ---- */

static const option_row propagate_options[] = {
    {"of", "LIST", "numbers of the end: bodies.ball.position,time", .at = offsetof(session, of)},
    DRAW_OPTIONS("200"),
    {"one-sided", NULL, "at a kink of a law take the derivative of the branch taken, instead of refusing",
     .at = offsetof(session, one_sided)},
    SCENE_OPTIONS(session),
    JSON_OPTION(session, "everything as one JSON object"),
    {.name = NULL}};

const command_help help_propagate = {
    .usage = "usage: carom propagate SCENE --of LIST --random NAME=DISTRIBUTION... [options]\n\n"
             "Computes how far numbers of the end of a run spread when its inputs have these distributions, to first\n"
             "order; --count draws, and runs 2 and 3 deviations away, check that. SCENE is a file, - or a name of\n"
             "`carom scenes`.\n\n",
    propagate_options,
    "\nexample    carom propagate bouncing-ball --law newton --time 0.8 --of bodies.ball.position.2 \\\n"
    "               --random e=normal:0.8:0.02\n",
    identify};

static int run_propagation(carom_scene_file *file, void *context)
{
    session *s = context;
    carom_variables *v = &s->runs.of.v;
    v->draws = (long)s->runs.draws;
    v->seed = (uint64_t)s->runs.seed;
    const carom_propagation_task task = {s->of, v, s->runs.of.change, {NULL, NULL}, s->one_sided};
    return propagate_print(&task, file, s->json);
}

/* ---- both ---- */

static int read_and_run(int argc, char **argv, session *s, scene_action *act)
{
    const char *command = s->runs.command;
    if (!options_read(command, act == run_ensemble ? &help_ensemble : &help_propagate, argc, argv, s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("%s: expected one scene; `carom scenes` lists those that come with the program", command);
    if (act == run_propagation && !s->of)
        return complain("propagate: of which numbers? Say --of bodies.NAME.position,time");
    s->runs.of.change = (carom_scene_change){scene_apply, &s->scene};
    output_hold_signals();
    return scene_with(command, argv[optind], &s->scene, act, s);
}

static int run(int argc, char **argv, const char *command, scene_action *act)
{
    session s = {.scene.impacts = -1};
    sweep_start(&s.runs, command, act == run_ensemble);
    if (act == run_propagation)
        s.runs.draws = CAROM_PROPAGATION_DRAWS;
    int status = read_and_run(argc, argv, &s, act);
    sweep_end(&s.runs);
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

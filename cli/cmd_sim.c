/* carom sim: bodies in motion, every impact at its time. */
#include <getopt.h>
#include <stdio.h>

#include "cli.h"
#include "output.h"
#include "scene_input.h"
#include "sim_files.h"
#include "sim_impact.h"
#include "sim_record.h"
#include "sim_report.h"
#include "sim_run.h"

typedef struct session {
    scene_request scene;
    const char *trajectory, *events, *page, *picture, *frames;
    long long stills, impact; /* impact 0: none is asked for */
    double rate;              /* 0: the scene's */
    bool json, strict;
} session;

/* ---- the run ---- */

/* --strict: one line that names a body which is stepped. */
static int end_of_exactness(const sim_run *run)
{
    int first = 0;
    for (int i = run->file->scene.body_count - 1; i >= 0; i--)
        first = carom_sim_body(run->sim, i).road != CAROM_SIM_ROAD_EXACT ? i : first;
    carom_run_roads r = carom_scene_run_roads(run);
    int others = r.bodies[CAROM_SIM_ROAD_STEPPED] + r.bodies[CAROM_SIM_ROAD_PILE] - 1;
    complain("sim: --strict: from %.9g s on '%s'%s must be moved by steps; the run is exact until then", r.exact_until,
             run->file->names[first], others > 0 ? " and others" : "");
    return FAILED;
}

static int finish(const session *s, sim_run *run, bool written)
{
    carom_case_error error;
    if (s->json) {
        json_t *summary = carom_scene_run_json(run, true);
        json_print(stdout, summary, false);
        json_decref(summary);
    } else
        sim_report_print(run);
    if (run->status != CAROM_STATUS_OK) {
        carom_scene_run_check(run, &error);
        return complain_error("sim", &error);
    }
    if (run->unrepeated) {
        complain("sim: %lld impacts are not repeated by their case, bit for bit; please report this scene",
                 run->unrepeated);
        return FAILED;
    }
    if (run->stop == CAROM_SIM_STOP_INEXACT && !run->interrupted)
        return end_of_exactness(run);
    return written ? FINE : BAD_INPUT;
}

static int run_scene(const session *s, const carom_scene_file *file)
{
    bool recorded = s->page || s->picture || s->frames;
    sim_run run = {.rate = s->trajectory || recorded ? file->rate : 0};
    sim_record record = {0};
    sim_file *trajectory = NULL, *events = NULL;
    int status = BAD_INPUT;
    if (sim_run_start(&run, file) && (!s->trajectory || (trajectory = sim_trajectory_open(s->trajectory, &run))) &&
        (!s->events || (events = sim_events_open(s->events, &run)))) {
        if (recorded)
            must_have(carom_run_record_open(&record, &run) ? &record : NULL);
        if (recorded && !s->trajectory)
            run.rate = carom_run_record_rate(file, run.rate);
        sim_run_go(&run);
        bool written = sim_file_close(trajectory);
        written = sim_file_close(events) && written;
        written = (!s->page || sim_page_write(s->page, &record, &run)) && written;
        written = (!s->picture || sim_picture_write(s->picture, &record, &run)) && written;
        written = (!s->frames || sim_stills_write(s->frames, (int)s->stills, &record, &run)) && written;
        trajectory = events = NULL;
        status = finish(s, &run, written);
    }
    (void)!sim_file_close(trajectory);
    carom_run_record_free(&record);
    carom_scene_run_free(&run);
    return status;
}

/* What is wanted of a scene that has been read. */
static int act(carom_scene_file *file, void *context)
{
    const session *s = context;
    file->rate = s->rate > 0 ? s->rate : file->rate;
    file->until.exact = s->strict;
    return s->impact > 0 ? sim_impact_print(file, s->impact, stdout) : run_scene(s, file);
}

/* ---- options ---- */

static bool take_trajectory(void *member, const char *text, const option_row *row)
{
    (void)row;
    *(const char **)member = text;
    return sim_trajectory_is_known(text);
}

static bool take_picture(void *member, const char *text, const option_row *row)
{
    (void)row;
    *(const char **)member = text;
    return sim_picture_is_known(text);
}

static bool take_page(void *member, const char *text, const option_row *row)
{
    (void)row;
    *(const char **)member = text;
    if (!sim_page_is_known())
        complain(
            "--html: this build has no replay page; run `./run replay` in the source tree and use its build/carom");
    return sim_page_is_known();
}

static const option_row options[] = {
    {"output", "FILE", "the trajectory: .jsonl, .csv or .h5 (builds with HDF5)", .at = offsetof(session, trajectory),
     take_trajectory, 'o'},
    {"rate", "R", "samples per second (default: the scene's rate, or 60)", .at = offsetof(session, rate),
     take_positive},
    {"events", "FILE", "every event as a line of JSON, impacts with the case and its answer",
     .at = offsetof(session, events)},
    {"impact", "N", "print the N-th impact as a case, for carom solve and the others, and nothing else",
     .at = offsetof(session, impact), take_whole, 0, 1, 1e15},
    {"html", "FILE", "a page that replays the run in 3D", .at = offsetof(session, page), take_page},
    {"picture", "FILE", "the run as one picture of several moments: .svg, .png or .pdf",
     .at = offsetof(session, picture), take_picture},
    {"frames", "FILE", "stills of it: FILE-1.png, FILE-2.png, ... (.svg and .pdf by the ending of FILE)",
     .at = offsetof(session, frames), take_picture},
    {"stills", "N", "how many (default 6)", .at = offsetof(session, stills), take_whole, 0, 1, 1000},
    {"strict", NULL, "end, with exit status 1, where a body can no longer be moved exactly",
     .at = offsetof(session, strict)},
    SCENE_OPTIONS(session),
    JSON_OPTION(session, "the summary as JSON"),
    {.name = NULL}};

const command_help help_sim = {
    .usage =
        "usage: carom sim [options] SCENE.json|NAME\n\n"
        "Moves the bodies of a scene, finds each impact at its time, resolves it by the law of the scene, and\n"
        "prints how the run ended: impacts, energy by cause, final states. A SCENE is a file in the scene format,\n"
        "- for standard input, or the NAME of a scene that comes with the program (`carom scenes`). Derivatives of\n"
        "a run: `carom gradient`; many runs: `carom ensemble`.\n\n",
    options,
    "\nexample    carom sim bouncing-ball --html ball.html\n"};

int cmd_sim(int argc, char **argv)
{
    session s = {.scene.impacts = -1, .stills = 6};
    if (!options_read("sim", &help_sim, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("sim: expected one scene; `carom scenes` lists those that come with the program");
    output_hold_signals();
    return scene_with("sim", argv[optind], &s.scene, act, &s);
}

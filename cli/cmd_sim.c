/* carom sim: bodies in motion, every impact at its time. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "input.h"
#include "output.h"
#include "scenes.h"
#include "sim_ensemble.h"
#include "sim_files.h"
#include "sim_gradient.h"
#include "sim_propagate.h"
#include "sim_record.h"
#include "sim_report.h"
#include "sim_run.h"

const char help_sim[] =
    "usage: carom sim [options] SCENE.json|NAME\n"
    "       carom sim SCENE --gradient LIST --by LIST [--method forward|adjoint] [--one-sided]\n"
    "       carom sim SCENE --ensemble --vary NAME=VALUES... --random NAME=DISTRIBUTION... [-o FILE]\n"
    "       carom sim --list\n\n"
    "Moves the bodies of a scene, finds each impact at its time, resolves it by the law of the scene, and\n"
    "prints how the run ended: impacts, energy by cause, final states. A SCENE is a file in the scene format,\n"
    "- for standard input, or the NAME of a scene that comes with the program.\n\n"
    "  -o, --output FILE    the trajectory: .jsonl, .csv or .h5 (builds with HDF5)\n"
    "      --rate R         samples of it per second (default: the scene's, or 60); evaluated exactly\n"
    "      --events FILE    every event as a line of JSON, impacts with the case and its answer\n"
    "      --impact N       print the N-th impact as a case, for carom solve and the others, and nothing else\n"
    "      --html FILE      a page that replays the run in 3D\n"
    "      --picture FILE   the run as one picture of several moments: .svg, .png or .pdf\n"
    "      --frames FILE    stills of it: FILE-1.png, FILE-2.png, ... (.svg and .pdf by the ending of FILE)\n"
    "      --stills N       how many (default 6)\n"
    "      --time T         end at this time\n"
    "      --impacts N      end after so many impacts\n"
    "      --law ID         this law instead of the scene's, for all pairs\n"
    "      --set KEY=VALUE  this coefficient or option instead, for all pairs (may be repeated)\n"
    "      --json           the summary as JSON\n"
    "      --gradient LIST  how these numbers of the end (bodies.ball.position,time) change with those of --by,\n"
    "                       exactly, through every impact; the run ends at a time or with its N-th impact\n"
    "      --by LIST        initial states (bodies.ball.velocity.0), masses, gravity, until.time, and coefficients\n"
    "                       as e (all pairs), coefficients.e or pairs.0.coefficients.e\n"
    "      --method WORD    forward (a product per input) or adjoint (a product per output; the default is the\n"
    "                       cheaper one)\n"
    "      --one-sided      at a kink of a law take the derivative of the branch taken, instead of refusing\n"
    "      --list           the scenes that come with the program\n"
    "      --show NAME      print the file of one of them\n\n"
    "      --propagate LIST how far these numbers of the end spread when inputs have the distributions of --random,\n"
    "                       to first order; --count draws, and runs 2 and 3 deviations away, check that\n"
    "      --ensemble       run the scene at many values of its inputs; one row per run, as CSV on standard output\n"
    "                       or into -o FILE (.csv, .jsonl, .h5); the same rows for any number of threads and ranks\n"
    "      --vary NAME=VALUES    as in carom sweep: a coefficient or the path of a number in the scene\n"
    "      --random NAME=normal:MEAN:DEVIATION or NAME=uniform:LOW:HIGH    drawn anew for each run\n"
    "      --count N        how many draws (default 1000)\n"
    "      --seed N         of the draws (default 1)\n"
    "      --record LIST    numbers of the end: time, impacts, energy.after, bodies.coin.position, .side, ...\n"
    "      --statistics LIST  no rows: mean, deviation and percentiles of these numbers\n"
    "      --threads N      at most so many (default: all processors; one under mpirun)\n"
    "      --resume         go on with a .h5 file whose run was stopped or killed\n\n"
    "example    carom sim bouncing-ball --html ball.html\n"
    "           carom sim bouncing-ball --law newton --time 0.8 \\\n"
    "               --gradient bodies.ball.position.2 --by bodies.ball.position.2,e\n";

typedef struct session {
    settings settings;
    const char *trajectory, *events, *page, *picture, *frames;
    long long stills, impact; /* impact 0: none is asked for */
    double rate, time;        /* 0: the scene's */
    long long impacts;        /* -1: the scene's */
    bool json, list;
    gradient_task gradient;
    bool ensemble, propagate;
    struct ensemble runs;
} session;

/* ---- what the command line changes ---- */

static void change_rule(const session *s, carom_rule *rule)
{
    rule->law = s->settings.law ? s->settings.law : rule->law;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (s->settings.coefficients >> i & 1)
            carom_coeffs_set(&rule->coeffs, (carom_coeff)i, carom_coeffs_get(&s->settings.rule.coeffs, (carom_coeff)i));
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (s->settings.options >> i & 1)
            carom_options_set(&rule->options, (carom_option)i,
                              carom_options_get(&s->settings.rule.options, (carom_option)i));
}

static bool change_scene(const void *context, carom_scene_file *file, carom_case_error *error)
{
    const session *s = context;
    change_rule(s, &file->scene.rule);
    for (int i = 0; i < file->scene.pair_count; i++)
        change_rule(s, &file->pairs[i].rule);
    if (s->settings.together)
        file->scene.together.law = s->settings.together;
    file->scene.together.options = file->scene.rule.options;
    file->until.time = s->time > 0 ? s->time : file->until.time;
    file->until.impacts = s->impacts >= 0 ? s->impacts : file->until.impacts;
    if (s->impact > 0 && (file->until.impacts < 0 || file->until.impacts > s->impact))
        file->until.impacts = s->impact;
    file->rate = s->rate > 0 ? s->rate : file->rate;
    return carom_scene_check(file, error);
}

/* ---- one impact as a case ---- */

typedef struct wanted {
    long long number, seen;
    json_t *tree;
} wanted;

static bool keep_wanted(void *context, const sim_run *run, const carom_sim_event *event)
{
    wanted *w = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && ++w->seen == w->number)
        w->tree = (json_t *)carom_event_case(run->file, event);
    return true;
}

static int print_impact(const carom_scene_file *file, long long number)
{
    wanted w = {number, 0, NULL};
    sim_run run = {.rate = 0};
    sim_sink sink = {.event = keep_wanted, .context = &w};
    int status = BAD_INPUT;
    if (sim_run_start(&run, file)) {
        sim_run_add(&run, &sink);
        sim_run_go(&run);
        if (w.tree) {
            json_print(stdout, w.tree, false);
            status = FINE;
        } else
            complain("--impact: the run has %lld impacts", w.seen);
    }
    json_decref(w.tree);
    sim_run_free(&run);
    return status;
}

/* ---- the run ---- */

static int finish(const session *s, sim_run *run, bool written)
{
    carom_case_error error;
    if (s->json) {
        json_t *summary = sim_report_json(run, true);
        json_print(stdout, summary, false);
        json_decref(summary);
    } else
        sim_report_print(run);
    if (run->status != CAROM_STATUS_OK) {
        carom_sim_error blame = carom_sim_blame(run->sim);
        carom_scene_refuse(run->file, run->status, &blame, &error);
        fprintf(stderr, "%s\n", error.message);
        return BAD_INPUT;
    }
    if (run->unrepeated) {
        complain("sim: %lld impacts are not repeated by their case, bit for bit; please report this scene",
                 run->unrepeated);
        return FAILED;
    }
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
            sim_record_open(&record, &run);
        if (recorded && !s->trajectory)
            run.rate = sim_record_rate(file, run.rate);
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
    sim_record_free(&record);
    sim_run_free(&run);
    return status;
}

/* What is wanted of a scene that has been read. */
static int act(const carom_scene_file *file, session *s)
{
    if (s->ensemble)
        return ensemble_run(&s->runs, file, s->trajectory);
    if (s->propagate)
        return propagate_print(&s->runs, file, &s->gradient);
    if (s->gradient.of)
        return gradient_print(file, &s->gradient);
    return s->impact > 0 ? print_impact(file, s->impact) : run_scene(s, file);
}

static int simulate(const carom_text *text, session *s)
{
    carom_scene_file file;
    carom_case_error error;
    int status = BAD_INPUT;
    if (carom_scene_read(text, &file, &error) && change_scene(s, &file, &error))
        status = act(&file, s);
    else
        fprintf(stderr, "%s\n", error.message);
    carom_scene_free(&file);
    return status;
}

/* A name of a shipped scene unless there is such a file. */
static int simulate_path(const char *path, session *s)
{
    const char *shipped = scenes_find(path);
    char name[96];
    if (shipped) {
        snprintf(name, sizeof name, "scenes/%.80s.json", path);
        carom_text text = {name, 1, shipped, strlen(shipped)};
        return simulate(&text, s);
    }
    if (!strchr(path, '.') && !strchr(path, '/') && strcmp(path, "-") != 0)
        return scenes_complain(path);
    input in;
    carom_text text;
    int status = BAD_INPUT;
    if (input_open(&in, path) && input_next(&in, &text))
        status =
            in.is_lines ? complain("%s: sim takes one scene, and this is JSON Lines", in.name) : simulate(&text, s);
    return input_close(&in) ? status : BAD_INPUT;
}

/* ---- options ---- */

static bool read_positive(const char *option, double *value)
{
    if (carom_text_number(optarg, value) && *value > 0)
        return true;
    complain("%s: \"%s\" is not a number > 0", option, optarg);
    return false;
}

static bool read_whole(const char *option, double least, double most, long long *value)
{
    double number;
    if (carom_text_number(optarg, &number) && number >= least && number <= most && number == floor(number)) {
        *value = (long long)number;
        return true;
    }
    complain("%s: \"%s\" is not a whole number from %g to %g", option, optarg, least, most);
    return false;
}

static bool read_option(int o, session *s)
{
    bool fine = true;
    if (ensemble_option(&s->runs, o, optarg, &fine))
        return fine;
    if (optarg && strchr("tils", o))
        sweep_identify(&s->runs.sweep, optarg);
    s->trajectory = o == 'o' ? optarg : s->trajectory;
    s->events = o == 'e' ? optarg : s->events;
    s->page = o == 'p' ? optarg : s->page;
    s->picture = o == 'c' ? optarg : s->picture;
    s->frames = o == 'f' ? optarg : s->frames;
    s->json |= o == 'j';
    s->gradient.json |= o == 'j';
    s->gradient.of = o == 'g' || o == 'P' ? optarg : s->gradient.of;
    s->propagate |= o == 'P';
    s->gradient.by = o == 'b' ? optarg : s->gradient.by;
    s->gradient.one_sided |= o == 'k';
    s->list |= o == 'L';
    s->ensemble |= o == 'E';
    switch (o) {
    case 'o':
        return sim_trajectory_is_known(optarg);
    case 'r':
        return read_positive("--rate", &s->rate);
    case 't':
        return read_positive("--time", &s->time);
    case 'i':
        return read_whole("--impacts", 0, 1e15, &s->impacts);
    case 'm':
        return read_whole("--impact", 1, 1e15, &s->impact);
    case 'n':
        return read_whole("--stills", 1, 1000, &s->stills);
    case 'd':
        return gradient_method_read(optarg, &s->gradient.method);
    case 'c':
    case 'f':
        return sim_picture_is_known(optarg);
    case 'l':
        return settings_law(&s->settings, optarg);
    case 's':
        return settings_set(&s->settings, optarg);
    default:
        return true;
    }
}

static bool check_page(const session *s)
{
    if (!s->page || sim_page_is_known())
        return true;
    complain("--html: this build has no replay page; run `./run replay` in the source tree and use its build/carom");
    return false;
}

static bool check_gradient(const session *s)
{
    const gradient_task *g = &s->gradient;
    if (!g->of && (g->by || g->method || g->one_sided)) {
        complain("sim: %s belongs to --gradient", g->by ? "--by" : g->method ? "--method" : "--one-sided");
        return false;
    }
    if (!g->of)
        return true;
    if (s->propagate) {
        if (g->by)
            complain("--propagate: its inputs are those of --random; --by belongs to --gradient");
        return !g->by;
    }
    if (!g->by)
        complain("--gradient: by which inputs? Say --by bodies.NAME.position,e");
    else if (s->trajectory || s->events || s->page || s->picture || s->frames || s->impact)
        complain("--gradient: prints the gradient alone; run the scene again for files, pictures and impacts");
    return g->by && !(s->trajectory || s->events || s->page || s->picture || s->frames || s->impact);
}

static bool check_ensemble(session *s)
{
    if (!s->ensemble && !s->propagate && s->runs.misplaced) {
        complain("sim: %s belongs to --ensemble", s->runs.misplaced);
        return false;
    }
    s->gradient.option = s->propagate ? "--propagate" : "--gradient";
    s->gradient.by_option = s->propagate ? "--random" : "--by";
    if (s->ensemble && (s->events || s->page || s->picture || s->frames || s->impact || s->gradient.of)) {
        complain("--ensemble: writes rows alone; run the scene by itself for events, pages, pictures and gradients");
        return false;
    }
    s->runs.sweep.json = s->json;
    s->runs.change = change_scene;
    s->runs.context = s;
    return true;
}

static int read_and_simulate(int argc, char **argv, session *s)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"rate", required_argument, NULL, 'r'},
                                            {"events", required_argument, NULL, 'e'},
                                            {"html", required_argument, NULL, 'p'},
                                            {"time", required_argument, NULL, 't'},
                                            {"impacts", required_argument, NULL, 'i'},
                                            {"law", required_argument, NULL, 'l'},
                                            {"set", required_argument, NULL, 's'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"list", no_argument, NULL, 'L'},
                                            {"show", required_argument, NULL, 'S'},
                                            {"picture", required_argument, NULL, 'c'},
                                            {"frames", required_argument, NULL, 'f'},
                                            {"stills", required_argument, NULL, 'n'},
                                            {"impact", required_argument, NULL, 'm'},
                                            {"gradient", required_argument, NULL, 'g'},
                                            {"by", required_argument, NULL, 'b'},
                                            {"method", required_argument, NULL, 'd'},
                                            {"one-sided", no_argument, NULL, 'k'},
                                            {"ensemble", no_argument, NULL, 'E'},
                                            {"propagate", required_argument, NULL, 'P'},
                                            {"vary", required_argument, NULL, 'V'},
                                            {"random", required_argument, NULL, 'R'},
                                            {"count", required_argument, NULL, 'N'},
                                            {"seed", required_argument, NULL, 'D'},
                                            {"record", required_argument, NULL, 'C'},
                                            {"statistics", required_argument, NULL, 'Q'},
                                            {"threads", required_argument, NULL, 'T'},
                                            {"resume", no_argument, NULL, 'U'},
                                            {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, ":jo:", options, NULL)) != -1;) {
        if (o == '?' || o == ':')
            return complain_option("sim", o, argv);
        if (o == 'S')
            return scenes_show(optarg);
        if (!read_option(o, s))
            return BAD_INPUT;
    }
    if (s->list)
        return scenes_list(s->json);
    if (argc - optind != 1)
        return complain("sim: expected one scene; `carom sim --list` lists those that come with the program");
    if (!check_page(s) || !check_gradient(s) || !check_ensemble(s))
        return BAD_INPUT;
    output_hold_signals();
    return simulate_path(argv[optind], s);
}

/* The ranks of mpirun are needed before anything is complained about. */
static bool asks_ensemble(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--ensemble") == 0)
            return true;
    return false;
}

int cmd_sim(int argc, char **argv)
{
    session s = {.impacts = -1, .stills = 6};
    ensemble_start(&s.runs, asks_ensemble(argc, argv));
    int status = read_and_simulate(argc, argv, &s);
    ensemble_end(&s.runs);
    return status;
}

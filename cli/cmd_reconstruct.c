/* carom reconstruct: the inputs of a scene for which bodies end where they were found. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/reconstruct.h"
#include "output.h"
#include "progress.h"
#include "scene_input.h"
#include "term.h"

typedef struct session {
    scene_request scene;
    carom_reconstruction task;
    bool json;
} session;

/* ---- the answer ---- */

static void print_inputs(const carom_reconstruction *r)
{
    for (int j = 0; j < r->v.count; j++) {
        printf("  %-28s %.6g", r->v.list[j].name, r->best.values[j] + 0.0);
        if (r->sigma_count > 0)
            printf(" ± %.3g", sqrt(r->best.covariance[j][j]));
        printf("  (was %.6g)\n", r->start[j]);
    }
}

static void print_end(const carom_reconstruction *r)
{
    printf("\n");
    for (int i = 0; i < r->wish_count; i++)
        printf("  %-28s %.6g, wanted %.6g\n", r->wishes[i].name, r->best.end[i] + 0.0, r->wishes[i].value);
}

static void print_result(const carom_reconstruction *r)
{
    printf("%s%s%s\n", term_bold(),
           r->met ? "bodies end where they were found" : "no inputs were found; these come nearest", term_plain());
    print_inputs(r);
    print_end(r);
    if (r->sigma_count > 0)
        printf("  chi2 %.4g with %d numbers for %d inputs\n", r->best.chi2, r->wish_count, r->v.count);
    if (r->best.rank < r->v.count)
        printf("  the wish determines %d of %d inputs\n", r->best.rank, r->v.count);
    printf("  derivatives: %s; %ld runs\n", r->by_differences ? "differences of runs" : "exact", r->runs);
}

static bool watch(void *context, double share)
{
    progress *bar = context;
    if (progress_is_due(bar))
        progress_note(bar, share, "searching");
    return !output_is_stopped();
}

static int act(carom_scene_file *file, void *context)
{
    session *s = context;
    carom_case_error error;
    progress bar = progress_start(false);
    const carom_scene_change change = {scene_apply, &s->scene};
    s->task.watcher = (carom_watcher){watch, &bar};
    bool fine = carom_reconstruct(&s->task, file, &change, &error);
    progress_end(&bar);
    if (!fine && !output_is_stopped())
        complain_error("reconstruct", &error);
    else if (fine && s->json) {
        carom_json *answer = carom_reconstruction_json(&s->task);
        carom_json_print(stdout, answer, false);
        carom_json_free(answer);
    } else if (fine)
        print_result(&s->task);
    carom_reconstruction_free(&s->task);
    return fine ? FINE : BAD_INPUT;
}

/* ---- options ---- */

typedef bool read_function(carom_reconstruction *r, const char *text, carom_case_error *error);

static bool take(void *member, const char *text, read_function *read)
{
    session *s = member;
    carom_case_error error;
    return read(&s->task, text, &error) || (complain_error("reconstruct", &error), false);
}

static bool take_want(void *member, const char *text, const option_row *row)
{
    (void)row;
    return take(member, text, carom_reconstruction_want);
}

static bool take_sigma(void *member, const char *text, const option_row *row)
{
    (void)row;
    return take(member, text, carom_reconstruction_sigma);
}

static bool take_vary(void *member, const char *text, const option_row *row)
{
    (void)row;
    return take(member, text, carom_reconstruction_vary);
}

static const option_row options[] = {
    {"want", "KEY=VALUES",
     "numbers of the end: bodies.car.position=12.3,4.5, bodies.car.angle=..., time=...; _ for one that is not known; "
     "may "
     "be repeated",
     .take = take_want},
    {"sigma", "KEY=VALUES",
     "their standard deviations, in the same words: they weigh the misses and give the inputs deviations and, with "
     "--json, a covariance",
     .take = take_sigma},
    {"vary", "NAME,...",
     "what is unknown: paths of numbers or of arrays of numbers in the scene (bodies.car.velocity), or coefficients; "
     "may "
     "be repeated",
     .take = take_vary},
    SCENE_OPTIONS(session),
    JSON_OPTION(session, "the answer as one JSON object"),
    {.name = NULL}};

const command_help help_reconstruct = {
    .usage = "usage: carom reconstruct SCENE --want KEY=VALUES --vary NAME[,NAME...] [options]\n\n"
             "Finds the inputs of a scene, such as velocities before a collision, for which the run ends as wanted:\n"
             "bodies at rest where they were found. Least squares over runs, from the values of the scene and from\n"
             "values scattered around them. SCENE is a file, - or a name of `carom scenes`.\n\n",
    options,
    "\nexample    carom reconstruct stones --want bodies.one.position=0.97,-1.58 \\\n"
    "               --want bodies.two.position=14.67,4.37 --vary bodies.one.velocity.0,bodies.one.velocity.1\n"};

int cmd_reconstruct(int argc, char **argv)
{
    static session s;
    memset(&s, 0, sizeof s);
    s.scene.impacts = -1;
    if (!options_read("reconstruct", &help_reconstruct, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("reconstruct: expected one scene; `carom scenes` lists those that come with the program");
    if (s.task.wish_count == 0 || !s.task.names[0])
        return complain("reconstruct: give --want KEY=VALUES and --vary NAME; see `carom reconstruct --help`");
    output_hold_signals();
    return scene_with("reconstruct", argv[optind], &s.scene, act, &s);
}

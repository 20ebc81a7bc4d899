/* carom gradient: derivatives of the end of a run. */
#include <getopt.h>

#include "output.h"
#include "scene_input.h"
#include "sim_gradient.h"

typedef struct session {
    scene_request scene;
    carom_gradient_task task;
    bool json;
} session;

static bool take_method(void *member, const char *text, const option_row *row)
{
    (void)row;
    carom_case_error error;
    return carom_gradient_method_read(text, member, &error) || (complain_error("gradient", &error), false);
}

static const option_row options[] = {
    {"of", "LIST", "numbers of the end: bodies.ball.position,time", .at = offsetof(session, task.of)},
    {"by", "LIST",
     "inputs: initial states (bodies.ball.velocity.0), masses, gravity, until.time, and coefficients as e (all pairs), "
     "coefficients.e or pairs.0.coefficients.e",
     .at = offsetof(session, task.by)},
    {"method", "WORD",
     "forward (a product per input) or adjoint (a product per output; the default is the cheaper one)",
     .at = offsetof(session, task.method), take_method},
    {"one-sided", NULL, "at a kink of a law take the derivative of the branch taken, instead of refusing",
     .at = offsetof(session, task.one_sided)},
    SCENE_OPTIONS(session),
    JSON_OPTION(session, "the matrix as JSON"),
    {.name = NULL}};

const command_help help_gradient = {
    .usage =
        "usage: carom gradient SCENE --of LIST --by LIST [options]\n\n"
        "Runs a scene and computes how numbers of its end change with its inputs, exactly, through every\n"
        "impact. The run ends at a time or with its N-th impact. SCENE is a file, - or a name of `carom scenes`.\n\n",
    options,
    "\nexample    carom gradient bouncing-ball --law newton --time 0.8 \\\n"
    "               --of bodies.ball.position.2 --by bodies.ball.position.2,e\n"};

static int act(carom_scene_file *file, void *context)
{
    const session *s = context;
    return gradient_print(file, &s->task, s->json);
}

int cmd_gradient(int argc, char **argv)
{
    session s = {.scene.impacts = -1, .task = {.by_option = "by"}};
    if (!options_read("gradient", &help_gradient, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("gradient: expected one scene; `carom scenes` lists those that come with the program");
    if (!s.task.of || !s.task.by)
        return complain(s.task.of ? "gradient: by which inputs? Say --by bodies.NAME.position,e"
                                  : "gradient: of which numbers? Say --of bodies.NAME.position,time");
    output_hold_signals();
    return scene_with("gradient", argv[optind], &s.scene, act, &s);
}

/* carom scenes: the scenes that come with the program. */
#include <getopt.h>

#include "cli.h"
#include "options.h"
#include "scenes.h"

typedef struct session {
    bool json;
} session;

static const option_row options[] = {JSON_OPTION(session, "the list as JSON"), {.name = NULL}};

const command_help help_scenes = {.usage =
                                      "usage: carom scenes [--json]\n"
                                      "       carom scenes NAME\n\n"
                                      "Lists the scenes that come with the program, or prints the file of one.\n\n",
                                  options,
                                  "\nexample    carom scenes bouncing-ball > ball.json\n"};

int cmd_scenes(int argc, char **argv)
{
    session s = {0};
    if (!options_read("scenes", &help_scenes, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind > 1)
        return complain("scenes: one scene at a time; see `carom scenes --help`");
    return optind < argc ? scenes_show(argv[optind]) : scenes_list(s.json);
}

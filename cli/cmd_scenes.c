/* carom scenes: the scenes that come with the program. */
#include <getopt.h>
#include <stdio.h>

#include "carom/request.h"
#include "cli.h"
#include "options.h"
#include "shelf.h"

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

static int list(bool json)
{
    carom_reply reply;
    if (json && carom_request("scenes", NULL, NULL, NULL, &reply))
        json_print(stdout, reply.answer, false);
    if (json)
        carom_reply_free(&reply);
    else {
        shelf_print(CAROM_SHELF_SCENES);
        printf("\n`carom sim NAME` runs one; `carom scenes NAME` prints its file.\n");
    }
    return FINE;
}

int cmd_scenes(int argc, char **argv)
{
    session s = {0};
    if (!options_read("scenes", &help_scenes, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind > 1)
        return complain("scenes: one scene at a time; see `carom scenes --help`");
    if (optind == argc)
        return list(s.json);
    const carom_shipped *one = carom_shipped_find(CAROM_SHELF_SCENES, argv[optind]);
    if (!one)
        return shelf_complain("scenes", CAROM_SHELF_SCENES, argv[optind]);
    fputs(one->text, stdout);
    return FINE;
}

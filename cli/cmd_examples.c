/* carom examples: the shipped cases, from the program itself. */
#include <getopt.h>
#include <stdio.h>

#include "cli.h"
#include "options.h"
#include "output.h"
#include "shelf.h"

static int write_out(const carom_shipped *e, const char *path)
{
    if (!path) {
        fputs(e->text, stdout);
        return FINE;
    }
    output_file f = output_open(path);
    if (!f.file)
        return BAD_INPUT;
    fputs(e->text, f.file);
    return output_close(&f, true) ? FINE : BAD_INPUT;
}

/* ---- options ---- */

typedef struct session {
    const char *output;
} session;

static const option_row options[] = {
    {"output", "FILE", "write there instead of standard output", .at = offsetof(session, output), NULL, 'o'},
    {.name = NULL}};

const command_help help_examples = {.usage = "usage: carom examples\n"
                                             "       carom examples NAME [-o FILE]\n\n"
                                             "Lists the example cases with a line about each, or writes one out.\n\n",
                                    options,
                                    "\nexample    carom examples ball > ball.json\n"};

int cmd_examples(int argc, char **argv)
{
    session s = {0};
    if (!options_read("examples", &help_examples, argc, argv, &s))
        return BAD_INPUT;
    if (optind == argc) {
        shelf_print(CAROM_SHELF_EXAMPLES);
        printf("\n`carom examples NAME > FILE` writes one out.\n");
        return FINE;
    }
    if (argc - optind > 1)
        return complain("examples: one example at a time; see `carom examples --help`");
    const carom_shipped *e = carom_shipped_find(CAROM_SHELF_EXAMPLES, argv[optind]);
    return e ? write_out(e, s.output) : shelf_complain("examples", CAROM_SHELF_EXAMPLES, argv[optind]);
}

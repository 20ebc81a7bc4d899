/* carom body: the body of a recording from its own records. */
#include <getopt.h>
#include <stdio.h>

#include "cli.h"
#include "recording_input.h"

static const option_row options[] = {{.name = NULL}};

const command_help help_body = {
    .usage = "usage: carom body DESCRIPTION.json RECORDS.csv\n\n"
             "Finds the centre of mass, the inertia, the size, the radius of the corners, gravity and the floor of a\n"
             "recorded body from its own motion, and prints the description with what was found, ready for\n"
             "`carom reduce` and `carom predict`. \"fit\" in the description says what to find. Under \"found\" are\n"
             "standard deviations, the closure (how far the change of spin misses the moment of the impulse, rad/s)\n"
             "and how many records and impacts were used, and why others were not (docs/guide/recordings.md).\n\n",
    options,
    "\nexample    carom body data/real/cube.json data/real/cube-tosses.csv.gz > cube.json\n"};

int cmd_body(int argc, char **argv)
{
    carom_recording rec = {0};
    carom_json *answer = NULL;
    carom_case_error error;
    char nothing;
    if (!options_read("body", &help_body, argc, argv, &nothing))
        return BAD_INPUT;
    if (argc - optind != 2)
        return complain("body: needs a description and a file of records; see `carom body --help`");
    bool fine = recording_input(argv[optind], argv[optind + 1], &rec);
    if (fine && !carom_recording_body(&rec, &answer, &error))
        fine = (complain_error("body", &error), false);
    if (fine) {
        recording_tell(&rec, argv[optind + 1]);
        json_print(stdout, answer, false);
    }
    json_decref(answer);
    carom_recording_free(&rec);
    return fine ? FINE : BAD_INPUT;
}

/* carom trace: the path inside an impact. */
#include <getopt.h>
#include <stdio.h>

#include "carom/trace.h"
#include "cli.h"
#include "input.h"
#include "options.h"
#include "output.h"

enum { DEFAULT_POINTS = 200, MOST_POINTS = 10000000 };

typedef struct session {
    bool json;
    const char *output;
    long long wanted; /* --points */
    settings settings;
} session;

static void write_points(FILE *out, const carom_trace *t, bool json)
{
    if (json)
        json_print_free(out, carom_trace_json(t));
    else
        carom_trace_csv(out, t);
}

static int write_trace(const carom_trace *t, const session *s)
{
    if (!s->output) {
        write_points(stdout, t, s->json);
        return FINE;
    }
    output_file f = output_open(s->output);
    if (!f.file)
        return BAD_INPUT;
    write_points(f.file, t, s->json);
    return output_close(&f, true) ? FINE : BAD_INPUT;
}

static int trace_case(carom_case *c, void *context)
{
    session *s = context;
    carom_trace t = {.wanted = (int)s->wanted};
    carom_case_error error;
    int status = BAD_INPUT;
    if (!settings_path_law(&s->settings, c))
        return BAD_INPUT;
    if (!settings_apply(&s->settings, c, &error) || !settings_warn(&s->settings, c, &error) ||
        !carom_trace_take(&t, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
    } else {
        output_hold_signals(); /* while writing */
        status = write_trace(&t, s);
        status = status ? status : carom_status_is_answer(t.status) ? FINE : FAILED;
    }
    carom_trace_free(&t);
    return status;
}

/* ---- options ---- */

static const option_row options[] = {
    {"points", "N", "about how many points (default 200)", .at = offsetof(session, wanted), take_whole, 0, 2,
     MOST_POINTS},
    JSON_OPTION(session, "{points, events} instead of CSV"),
    {"output", "FILE", "write there instead of standard output", .at = offsetof(session, output), NULL, 'o'},
    LAW_OPTION(session),
    SET_OPTION(session),
    STRICT_OPTION(session),
    {.name = NULL}};

const command_help help_trace = {
    .usage = "usage: carom trace [options] CASE\n\n"
             "Follows one case through the impact with a law that has a path (column \"path\" of `carom laws`), and\n"
             "prints points along it: impulse, relative velocity, works, mode and events; for mechanisms also the\n"
             "generalized speeds. Each point is computed to full accuracy, however many there are.\n\n",
    options,
    "\nA case whose law has no path is traced with routh-stronge (several contacts: lzb), with a warning.\n\n"
    "example    carom trace examples/cases/rod.json --law routh-stronge -o rod.csv\n"};

int cmd_trace(int argc, char **argv)
{
    session s = {.wanted = DEFAULT_POINTS};
    if (!options_read("trace", &help_trace, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("trace: expected one case; see `carom trace --help`");
    return input_one_case("trace", argv[optind], trace_case, &s);
}

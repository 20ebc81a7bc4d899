/* carom import: a model of another program as a scene, and what is lost on the way. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/import.h"
#include "cli.h"
#include "json.h"
#include "options.h"

typedef struct session {
    const char *output;
    bool json;
} session;

static void print_losses(const json_t *losses)
{
    size_t i;
    json_t *item;
    fprintf(stderr, "not taken: %zu\n", json_array_size(losses));
    json_array_foreach((json_t *)losses, i, item)
    {
        fprintf(stderr, "  line %-5.0f %s: %s\n", json_number_value(json_object_get(item, "line")),
                json_string_value(json_object_get(item, "element")),
                json_string_value(json_object_get(item, "meaning")));
    }
}

static const option_row options[] = {
    {"output", "FILE", "the scene goes there, not to standard output", .at = offsetof(session, output), .letter = 'o'},
    JSON_OPTION(session, "one object with scene and losses"),
    {.name = NULL}};

const command_help help_import = {
    .usage =
        "usage: carom import [options] MODEL\n\n"
        "Reads a model in URDF, MJCF or SDF and prints it as a scene: links, joints, inertias, shapes, friction,\n"
        "restitution where the format has it. Every element and attribute that is not taken is listed on standard\n"
        "error, with its line and what it would have meant.\n\n",
    options,
    "\nexample    carom import robot.urdf -o robot.json && carom sim robot.json\n"};

int cmd_import(int argc, char **argv)
{
    session s = {0};
    carom_import_result r;
    char why[CAROM_IMPORT_MESSAGE];
    if (!options_read("import", &help_import, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("import: expected one model in URDF, MJCF or SDF");
    if (!carom_import(argv[optind], &r, why))
        return complain("%s", why);
    FILE *out = s.output ? fopen(s.output, "w") : stdout;
    if (!out) {
        carom_import_free(&r);
        return complain("%s: %s", s.output, strerror(errno));
    }
    json_t *both = json_pack("{s:o, s:o}", "scene", json_incref(r.scene), "losses", json_incref(r.losses));
    json_print(out, s.json ? both : r.scene, false);
    if (!s.json)
        print_losses(r.losses);
    json_decref(both);
    carom_import_free(&r);
    return out == stdout || fclose(out) == 0 ? FINE : complain("%s: %s", s.output, strerror(errno));
}

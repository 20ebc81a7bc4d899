/* carom import: a model of another program as a scene, and what is lost on the way. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/import.h"
#include "cli.h"
#include "json.h"
#include "model_losses.h"
#include "options.h"

typedef struct session {
    const char *output;
    long long impact; /* 0: the scene */
    double ground;    /* m below the model; negative: none */
    bool json;
} session;

static void print_warnings(const json_t *warnings)
{
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)warnings, i, item)
    {
        fprintf(stderr, "warning: %s\n", json_string_value(item));
    }
}

static int print_all(const session *s, const carom_import_result *r, FILE *out)
{
    if (s->json) {
        json_t *all = json_pack("{s:o, s:o, s:o}", "scene", json_incref(r->scene), "losses", json_incref(r->losses),
                                "warnings", json_incref(r->warnings));
        json_print(out, all, false);
        json_decref(all);
        return FINE;
    }
    print_warnings(r->warnings);
    print_losses(r->losses);
    json_print(out, r->scene, false);
    return FINE;
}

static const option_row options[] = {
    {"output", "FILE", "the scene goes there, not to standard output", .at = offsetof(session, output), .letter = 'o'},
    {"impact", "N", "in place of the scene the N-th impact of its run, as a case of the mechanism",
     .at = offsetof(session, impact), take_whole, 0, 1, 1e15},
    {"ground", "H", "add ground, H metres below the lowest point of the model", .at = offsetof(session, ground),
     take_positive},
    JSON_OPTION(session, "one object with scene, losses and warnings"),
    {.name = NULL}};

const command_help help_import = {
    .usage =
        "usage: carom import [options] MODEL\n\n"
        "Reads a model in URDF, MJCF or SDF and prints it as a scene: links, joints, inertias, shapes, friction,\n"
        "restitution where the format has it. Every element and attribute that is not taken is listed on standard\n"
        "error, with its line and what it would have meant; and so is an inertia that no body has. A friction problem\n"
        "of several contacts as Siconos writes it (dimension, contacts, matrix, q, mu, mu_r) becomes a case.\n\n",
    options,
    "\nexample    carom import robot.urdf -o robot.json && carom sim robot.json\n"
    "           carom import robot.urdf --ground 0.05 --impact 1 -o landing.json && carom compare landing.json\n"};

int cmd_import(int argc, char **argv)
{
    session s = {.ground = -1};
    carom_import_result r;
    char why[CAROM_IMPORT_MESSAGE];
    if (!options_read("import", &help_import, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("import: expected one model in URDF, MJCF or SDF, or one friction problem");
    if (!carom_import(argv[optind], &r, why))
        return complain("%s", why);
    if ((s.ground >= 0 && !carom_import_ground(&r, s.ground, why)) ||
        (s.impact > 0 && !carom_import_impact(&r, s.impact, why))) {
        carom_import_free(&r);
        return complain("%s", why);
    }
    FILE *out = s.output ? fopen(s.output, "w") : stdout;
    if (!out) {
        carom_import_free(&r);
        return complain("%s: %s", s.output, strerror(errno));
    }
    int status = print_all(&s, &r, out);
    carom_import_free(&r);
    return out == stdout || fclose(out) == 0 ? status : complain("%s: %s", s.output, strerror(errno));
}

/* carom export: a scene as a model of another program, and what is lost on the way. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "carom/import.h"
#include "cli.h"
#include "json.h"
#include "model_losses.h"
#include "options.h"
#include "output.h"
#include "scene_input.h"

typedef struct session {
    const char *output, *format;
    carom_model_format target;
    bool json;
} session;

/* The name of the output without folder and ending: mesh files begin with it. */
static void stem_of(const char *path, char stem[150])
{
    const char *slash = path ? strrchr(path, '/') : NULL,
               *name = slash  ? slash + 1
                       : path ? path
                              : "model",
               *dot = strrchr(name, '.');
    snprintf(stem, 150, "%.*s", (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name)), name);
}

static bool write_file(const char *path, const char *text)
{
    output_file f = output_open(path);
    return f.file && output_close(&f, fputs(text, f.file) >= 0);
}

/* Mesh files first: a model that is there has all that it names. */
static bool write_all(const char *output, const carom_export_result *r)
{
    const char *slash = strrchr(output, '/'), *name;
    json_t *text;
    json_object_foreach(r->files, name, text)
    {
        char path[1024];
        snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - output) : 0, output, name);
        if (!write_file(path, json_string_value(text)))
            return false;
    }
    return write_file(output, r->text);
}

static int print_all(const session *s, const carom_export_result *r)
{
    if (s->json) {
        json_t *all = json_pack("{s:s, s:o, s:o}", "model", r->text, "files", json_incref(r->files), "losses",
                                json_incref(r->losses));
        json_print(stdout, all, false);
        json_decref(all);
        return FINE;
    }
    if (!s->output && json_object_size(r->files))
        return complain("export: hulls and meshes are files beside the model: say where it goes, with -o FILE");
    if (s->output ? !write_all(s->output, r) : fputs(r->text, stdout) < 0)
        return BAD_INPUT;
    print_losses(r->losses);
    return FINE;
}

static int act(carom_scene_file *file, void *context)
{
    const session *s = context;
    carom_export_result r;
    carom_case_error error;
    char stem[150];
    stem_of(s->output, stem);
    bool fine = carom_model_export(file, s->target, stem, &r, &error);
    int status = fine ? print_all(s, &r) : complain("%s", error.message);
    carom_export_free(&r);
    return status;
}

static const option_row options[] = {
    {"output", "FILE", "the model goes there, not to standard output; .xml is MJCF, .sdf SDF",
     .at = offsetof(session, output), .letter = 'o'},
    {"format", "WORD", "mjcf or sdf, whatever the file is called", .at = offsetof(session, format)},
    JSON_OPTION(session, "one object with model, files (names and texts of meshes) and losses"),
    {.name = NULL}};

const command_help help_export = {
    .usage =
        "usage: carom export SCENE [options]\n\n"
        "Writes a scene as MJCF (MuJoCo) or SDF (Gazebo): bodies, links, joints, inertias, shapes, friction,\n"
        "restitution in SDF, and where it begins. Every key that the format has no word for is listed on standard\n"
        "error, with its line and what it means. SCENE is a file, - or a name of `carom scenes`.\n\n",
    options,
    "\nexample    carom export dice -o dice.xml\n"
    "           carom export robot.json -o robot.sdf\n"};

int cmd_export(int argc, char **argv)
{
    session s = {0};
    const scene_request none = {.impacts = -1};
    if (!options_read("export", &help_export, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("export: expected one scene; `carom scenes` lists those that come with the program");
    const char *word = s.format ? s.format : s.output;
    if (!word || !carom_model_format_of(word, &s.target))
        return complain("export: which format? Say -o FILE.xml (MJCF), -o FILE.sdf, or --format mjcf or sdf");
    return scene_with("export", argv[optind], &none, act, &s);
}

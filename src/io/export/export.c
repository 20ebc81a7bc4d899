/* A scene as a model of another program, and what is lost on the way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_task.h"

static const struct {
    const char *word, *ending;
    carom_model_format format;
} formats[] = {{"mjcf", ".xml", CAROM_MODEL_MJCF},
               {"mjcf", ".mjcf", CAROM_MODEL_MJCF},
               {"sdf", ".sdf", CAROM_MODEL_SDF},
               {"sdf", ".world", CAROM_MODEL_SDF}};

bool carom_model_format_of(const char *word, carom_model_format *format)
{
    const char *dot = strrchr(word, '.');
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (strcmp(word, formats[k].word) == 0 || (dot && strcmp(dot, formats[k].ending) == 0)) {
            *format = formats[k].format;
            return true;
        }
    return false;
}

/* The triangles of ground are those of the scene. */
static void free_task(export_task *t)
{
    for (int k = 0; k < t->m.link_count; k++)
        for (int g = 0; g < t->m.links[k].geom_count; g++)
            if (t->m.links[k].geoms[g].solid.kind == CAROM_SOLID_MESH)
                t->m.links[k].geoms[g].solid = (carom_solid){.kind = CAROM_SOLID_PARTICLE};
    model_free(&t->m);
    free(t->parent);
    free(t->world);
    free(t->velocity);
    free(t->omega);
    free(t->mu);
    free(t->e);
}

static bool write_model(export_task *t)
{
    export_list_losses(t);
    if (!export_links(t) || !export_friction(t))
        return false;
    export_joints(t);
    if (t->format == CAROM_MODEL_MJCF)
        export_mjcf(t);
    else
        export_sdf(t);
    return !t->out.failed && carom_json_is_whole(t->losses) && carom_json_is_whole(t->files);
}

bool carom_model_export(const carom_scene_file *scene, carom_model_format format, const char *stem,
                        carom_export_result *out, carom_case_error *error)
{
    const reader r = {&scene->text, error};
    const place dimension = {NULL, "dimension"};
    char why[CAROM_IMPORT_MESSAGE];
    export_task t = {.file = scene, .format = format, .stem = stem, .m = {.path = "", .why = why}};
    *out = (carom_export_result){NULL, json_object(), json_array()};
    if (scene->scene.dim != 3)
        return reader_fail(&r, &dimension, "models of other programs are spatial, and this scene is planar");
    t.losses = out->losses, t.files = out->files;
    t.m.gravity = scene->scene.gravity;
    snprintf(t.m.name, sizeof t.m.name, "%s", scene->name ? scene->name : "");
    bool fine = write_model(&t);
    free_task(&t);
    out->text = fine ? t.out.bytes : NULL;
    if (!fine)
        free(t.out.bytes);
    return fine || reader_fail(&r, &(place){NULL, ""}, "out of memory");
}

void carom_export_free(carom_export_result *r)
{
    free(r->text);
    carom_json_free(r->files);
    carom_json_free(r->losses);
    *r = (carom_export_result){NULL, NULL, NULL};
}

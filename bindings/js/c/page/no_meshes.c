/* The page of the lab draws no meshes and cannot open their files: scenes that have some are for the program. */
#include "io/scene/scene.h"

static bool refuse(const reader *r, const place *at)
{
    return reader_fail(r, at, "is not part of this page; `carom sim` runs the scene");
}

bool scene_mesh(const reader *r, const place *at, const json_t *object, carom_scene_file *file, carom_solid *solid)
{
    (void)object;
    (void)file;
    (void)solid;
    return refuse(r, at);
}

bool scene_height_field(const reader *r, const place *at, const json_t *object, carom_scene_file *file,
                        carom_solid *solid)
{
    return scene_mesh(r, at, object, file, solid);
}

const carom_mesh_measure *scene_mesh_found(const carom_scene_file *file, const json_t *object)
{
    (void)file;
    (void)object;
    return NULL;
}

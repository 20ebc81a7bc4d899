/* Inside carom-io: a scene on its way to a model of another program. */
#ifndef CAROM_IO_EXPORT_TASK_H
#define CAROM_IO_EXPORT_TASK_H

#include "carom/json_short.h"
#include "io/import/model.h"
#include "io/scene/scene.h"

/* Text that grows. */
typedef struct text_out {
    char *bytes;
    size_t length, room;
    bool failed;
} text_out;

void text_add(text_out *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_escaped(text_out *t, const char *text); /* of XML */
void text_numbers(text_out *t, const double *x, int count);
void text_vector(text_out *t, carom_vec3 v);
void text_indent(text_out *t, int depth);
void text_join(text_out *t, const text_out *other);

/* Links are numbered as the bodies of the scene; a parent is a link, or CAROM_WORLD. */
typedef struct export_task {
    const carom_scene_file *file;
    carom_model_format format;
    const char *stem; /* of files beside the model */
    model m;
    int *parent;
    pose *world;                  /* where the frame of each link begins ... */
    carom_vec3 *velocity, *omega; /* ... and how it moves there, world axes */
    double *mu, *e;               /* of each link */
    json_t *losses, *files;
    text_out out;
    int hulls;
} export_task;

/* The links of a scene: frames, joints, masses, shapes. False when memory ends. */
bool export_links(export_task *t);

/* Joints of the scene between bodies: a body that has no parent yet hangs on the other one. */
void export_joints(export_task *t);

/* Friction and restitution of each link from those of pairs, by the mixing rule of the target. False: no memory. */
bool export_friction(export_task *t);

/* Every key of the scene that the target does not have, with what it means. */
void export_list_losses(export_task *t);
void export_lose(export_task *t, const char *element, const char *meaning);
void export_lose_part(export_task *t, int link, const char *key, const char *meaning);

/* What both targets call a shape; null: they have none like it. */
const char *export_shape_word(carom_shape_kind kind);

/* A mesh as Wavefront writes it: faces of a hull, or triangles. Its name among the files, or null. */
const char *export_mesh_file(export_task *t, const carom_solid *solid);

bool export_is_root(const export_task *t, int i);
bool export_is_word(const model_link *l, const char *word);

void export_mjcf(export_task *t);
void export_sdf(export_task *t);

#endif

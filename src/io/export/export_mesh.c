/* Hulls and ground as files in the format of Wavefront (.obj). */
#include <stdio.h>
#include <stdlib.h>

#include "io/export/export_task.h"
#include "io/mesh/mesh_build.h"

static void put_points(text_out *o, const carom_solid *s)
{
    for (int i = 0; i < s->point_count; i++) {
        text_add(o, "v ");
        text_vector(o, s->points[i]);
        text_add(o, "\n");
    }
}

static void put_triangles(text_out *o, const int *corner, int count)
{
    for (int k = 0; k < count; k++)
        text_add(o, "f %d %d %d\n", corner[3 * k] + 1, corner[3 * k + 1] + 1, corner[3 * k + 2] + 1);
}

const char *export_mesh_file(export_task *t, const carom_solid *solid)
{
    text_out o = {.length = 0};
    char name[200];
    int count = solid->triangle_count;
    int *made = solid->kind == CAROM_SOLID_HULL ? mesh_hull_triangles(solid->points, solid->point_count, &count) : NULL;
    snprintf(name, sizeof name, "%.150s-%d.obj", t->stem, ++t->hulls);
    put_points(&o, solid);
    put_triangles(&o, made ? made : solid->triangles, count);
    free(made);
    t->out.failed |= o.failed || json_object_set_new(t->files, name, json_string(o.bytes)) != 0;
    free(o.bytes);
    return json_object_key(t->files, json_object_size(t->files) - 1);
}

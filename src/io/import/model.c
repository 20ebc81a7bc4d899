/* Poses, inertias and meshes of models. */
#include "io/import/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"

bool model_fail(const model *m, const xml *e, const char *format, ...)
{
    va_list list;
    int at = snprintf(m->why, CAROM_IMPORT_MESSAGE, "%.100s:%ld: ", m->path, e ? e->line : 1L);
    va_start(list, format);
    vsnprintf(m->why + at, CAROM_IMPORT_MESSAGE - (size_t)at, format, list);
    va_end(list);
    return false;
}

void model_note(model *m, const model_link *l, const char *format, ...)
{
    va_list list;
    char text[400];
    int at = snprintf(text, sizeof text, "%.100s:%ld: link \"%.60s\" ", m->path, l->from ? l->from->line : 1L, l->name);
    va_start(list, format);
    vsnprintf(text + at, sizeof text - (size_t)at, format, list);
    va_end(list);
    m->notes = m->notes ? m->notes : carom_json_array();
    carom_json_array_append_new(m->notes, carom_json_string(text));
}

model_link *model_add_link(model *m, xml *from)
{
    model_link *more = realloc(m->links, (size_t)(m->link_count + 1) * sizeof *more);
    if (!more) {
        model_fail(m, from, "out of memory");
        return NULL;
    }
    m->links = more;
    model_link *l = &more[m->link_count++];
    memset(l, 0, sizeof *l);
    l->from = from;
    l->joint = "free";
    l->at = l->start = pose_none();
    l->axis = carom_vec3_make(0, 0, 1);
    return l;
}

model_geom *model_add_geom(model *m, model_link *l)
{
    model_geom *more = realloc(l->geoms, (size_t)(l->geom_count + 1) * sizeof *more);
    if (!more) {
        model_fail(m, l->from, "out of memory");
        return NULL;
    }
    l->geoms = more;
    model_geom *g = &more[l->geom_count++];
    memset(g, 0, sizeof *g);
    g->at = pose_none();
    g->mu = g->e = -1;
    g->type = g->affinity = 1;
    return g;
}

/* ---- poses ---- */

pose pose_none(void)
{
    return (pose){{0, 0, 0}, {1, 0, 0, 0}};
}

carom_vec3 pose_turned(carom_quat q, carom_vec3 v)
{
    carom_vec3 u = {q.x, q.y, q.z}, c = carom_vec3_scale(2, carom_vec3_cross(u, v));
    return carom_vec3_add(carom_vec3_add(v, carom_vec3_scale(q.w, c)), carom_vec3_cross(u, c));
}

static carom_quat product(carom_quat p, carom_quat t)
{
    return (carom_quat){p.w * t.w - p.x * t.x - p.y * t.y - p.z * t.z, p.w * t.x + p.x * t.w + p.y * t.z - p.z * t.y,
                        p.w * t.y - p.x * t.z + p.y * t.w + p.z * t.x, p.w * t.z + p.x * t.y - p.y * t.x + p.z * t.w};
}

pose pose_times(pose a, pose b)
{
    return (pose){carom_vec3_add(a.x, pose_turned(a.q, b.x)), product(a.q, b.q)};
}

pose pose_inverse(pose a)
{
    carom_quat back = {a.q.w, -a.q.x, -a.q.y, -a.q.z};
    return (pose){carom_vec3_scale(-1, pose_turned(back, a.x)), back};
}

#define UNIT 1e-15 /* of the square of a length: quaternions this close to length one keep their digits */

carom_quat quat_unit(const double q[4])
{
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3],
           n = fabs(square - 1) < UNIT ? 1 : sqrt(square);
    return n > 0 ? (carom_quat){q[0] / n, q[1] / n, q[2] / n, q[3] / n} : (carom_quat){1, 0, 0, 0};
}

carom_quat quat_about(carom_vec3 axis, double angle)
{
    double s = sin(angle / 2);
    return (carom_quat){cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

/* Fixed axes: first about x, then y, then z. */
carom_quat quat_of_rpy(double roll, double pitch, double yaw)
{
    carom_quat x = {cos(roll / 2), sin(roll / 2), 0, 0}, y = {cos(pitch / 2), 0, sin(pitch / 2), 0},
               z = {cos(yaw / 2), 0, 0, sin(yaw / 2)};
    return product(z, product(y, x));
}

carom_vec3 vec_of(const double x[3])
{
    return carom_vec3_make(x[0], x[1], x[2]);
}

/* R I R^T, by its columns. */
carom_sym3 inertia_turned(carom_quat q, carom_sym3 I)
{
    carom_vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, c[3];
    carom_quat back = {q.w, -q.x, -q.y, -q.z};
    for (int k = 0; k < 3; k++) {
        carom_vec3 v = pose_turned(back, e[k]);
        v = carom_vec3_make(I.xx * v.x + I.xy * v.y + I.xz * v.z, I.xy * v.x + I.yy * v.y + I.yz * v.z,
                            I.xz * v.x + I.yz * v.y + I.zz * v.z);
        c[k] = pose_turned(q, v);
    }
    return (carom_sym3){c[0].x, 0.5 * (c[0].y + c[1].x), 0.5 * (c[0].z + c[2].x),
                        c[1].y, 0.5 * (c[1].z + c[2].y), c[2].z};
}

bool model_numbers(const model *m, const xml *e, const char *text, double *out, int count)
{
    double x[16];
    if (!text)
        return true;
    int n = xml_numbers(text, x, 16);
    if (n != count)
        return model_fail(m, e, "<%.40s>: expected %d numbers, found \"%.40s\"", e->name, count, text);
    memcpy(out, x, (size_t)count * sizeof *x);
    return true;
}

/* ---- meshes and masses ---- */

enum { FOLDERS_UP = 3 }; /* a package has its models and its meshes in folders beside each other */

/* package://name/rest and model://name/rest: name/rest or rest, in the folder of the model or above it. */
static void find_mesh(const model *m, const char *file, char *path, size_t size)
{
    const char *slash = strrchr(m->path, '/'), *name = strstr(file, "://") ? strstr(file, "://") + 3 : file;
    const char *rest = name != file ? strchr(name, '/') : NULL;
    int folder = name[0] != '/' && slash ? (int)(slash + 1 - m->path) : 0;
    for (int k = 0; name[0] != '/' && k < 2 * (FOLDERS_UP + 1); k++) {
        snprintf(path, size, "%.*s%.*s%s", folder, m->path, 3 * (k / 2), "../../../", k % 2 && rest ? rest + 1 : name);
        if (file_exists(path))
            return;
    }
    snprintf(path, size, "%.*s%s", folder, m->path, name);
}

static bool load_mesh(const model *m, const xml *e, const char *file, const double scale[3], carom_mesh *mesh)
{
    char path[1024], why[CAROM_MESH_MESSAGE];
    find_mesh(m, file, path, sizeof path);
    if (!carom_mesh_load(path, mesh, why))
        return model_fail(m, e, "%s", why);
    for (int i = 0; i < mesh->point_count; i++)
        mesh->points[i] =
            carom_vec3_make(scale[0] * mesh->points[i].x, scale[1] * mesh->points[i].y, scale[2] * mesh->points[i].z);
    return true;
}

static bool hull_of(const model *m, const xml *e, const carom_mesh *mesh, const char *name, carom_solid *solid)
{
    int corners;
    double volume;
    *solid = (carom_solid){.kind = CAROM_SOLID_HULL};
    solid->points = carom_mesh_hull(mesh->points, mesh->point_count, &corners, &volume);
    solid->point_count = corners;
    return solid->points || model_fail(m, e, "%.100s: the mesh spans no volume", name);
}

bool model_hull(const model *m, const xml *e, const char *file, const double scale[3], carom_solid *solid)
{
    carom_mesh mesh;
    if (!load_mesh(m, e, file, scale, &mesh))
        return false;
    bool fine = hull_of(m, e, &mesh, file, solid);
    carom_mesh_free(&mesh);
    return fine;
}

bool model_surface(const model *m, const xml *e, const char *file, const double scale[3], carom_solid *solid)
{
    carom_mesh mesh;
    if (!load_mesh(m, e, file, scale, &mesh))
        return false;
    *solid = (carom_solid){.kind = CAROM_SOLID_MESH, .points = mesh.points, .triangles = mesh.triangles};
    solid->point_count = mesh.point_count;
    solid->triangle_count = mesh.triangle_count;
    return true;
}

bool model_points(const model *m, const xml *e, const char *text, const double scale[3], carom_solid *solid)
{
    int count = xml_numbers(text, NULL, 0);
    double *x = count > 0 && count % 3 == 0 ? malloc((size_t)count * sizeof *x) : NULL;
    carom_vec3 *points = x ? malloc((size_t)count / 3 * sizeof *points) : NULL;
    bool fine = points || model_fail(m, e, "vertex needs three numbers for each point");
    if (points)
        xml_numbers(text, x, count);
    for (int i = 0; points && i < count / 3; i++)
        points[i] = carom_vec3_make(scale[0] * x[3 * i], scale[1] * x[3 * i + 1], scale[2] * x[3 * i + 2]);
    fine = fine && hull_of(m, e, &(carom_mesh){points, NULL, count / 3, 0}, "vertex", solid);
    free(points);
    free(x);
    return fine;
}

void model_free_geoms(model_link *l)
{
    for (int g = 0; g < l->geom_count; g++) {
        const carom_solid *s = &l->geoms[g].solid;
        free((void *)(size_t)(s->kind == CAROM_SOLID_HULL || s->kind == CAROM_SOLID_MESH ? s->points : NULL));
        free((void *)(size_t)(s->kind == CAROM_SOLID_MESH ? s->triangles : NULL));
    }
    free(l->geoms);
}

void model_free(model *m)
{
    for (int k = 0; k < m->link_count; k++)
        model_free_geoms(&m->links[k]);
    free(m->links);
    free(m->excludes);
    carom_json_free(m->notes);
}

carom_vec3 geom_middle(const model_geom *g)
{
    carom_body_def def = carom_body_def_default();
    carom_vec3 centre = {0, 0, 0};
    if (g->solid.kind == CAROM_SOLID_HULL && carom_solid_body(&g->solid, 3, 1, &def, &centre))
        centre = carom_vec3_make(0, 0, 0);
    return pose_times(g->at, (pose){centre, {1, 0, 0, 0}}).x;
}

bool model_weigh(const model *m, model_link *l)
{
    carom_part *parts = calloc((size_t)l->geom_count + 1, sizeof *parts);
    carom_body_def def = carom_body_def_default();
    carom_solid all = {.kind = CAROM_SOLID_COMPOUND, .parts = parts};
    for (int k = 0; parts && k < l->geom_count; k++)
        if (l->geoms[k].density > 0 && l->geoms[k].solid.kind != CAROM_SOLID_HALF_SPACE)
            parts[all.part_count++] =
                (carom_part){l->geoms[k].solid, geom_middle(&l->geoms[k]), l->geoms[k].at.q, l->geoms[k].density};
    carom_status status = all.part_count ? carom_solid_body(&all, 3, 1, &def, &l->com) : CAROM_STATUS_BAD_MASS;
    free(parts);
    if (status)
        return model_fail(m, l->from, "\"%s\" has no mass: neither an inertia nor a shape with one", l->name);
    l->mass = def.mass;
    l->inertia = def.inertia;
    return true;
}

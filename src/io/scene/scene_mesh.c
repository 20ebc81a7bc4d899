/* Meshes and height fields as shapes: the hull of a mesh, convex parts of it, or its surface as fixed ground. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/mesh.h"
#include "io/scene/scene.h"

enum { PARTS_MOST = 32, FIELD_MOST = 1500 };
#define PARTS_ERROR 0.01 /* share of the volume */
#define HULL_ERROR  1e-9 /* share of the volume: a mesh whose hull is larger by less is convex */

/* What the mesh under a key weighs, for the body that has it. */
typedef struct scene_mesh_note {
    struct scene_mesh_note *next;
    const json_t *shape;
    carom_mesh_measure measure;
} scene_mesh_note;

const carom_mesh_measure *scene_mesh_found(const carom_scene_file *file, const json_t *object)
{
    const json_t *shape = json_object_get(json_object_get(object, "shape"), "mesh");
    for (const scene_mesh_note *n = file->meshes; n && shape; n = n->next)
        if (n->shape == shape)
            return &n->measure;
    return NULL;
}

/* ---- a mesh from a file, or from the scene itself ---- */

/* Relative to the folder of the scene. */
static bool load(const reader *r, const place *at, const char *name, carom_mesh *mesh)
{
    char path[1024], why[CAROM_MESH_MESSAGE];
    const char *scene = r->text->file, *slash = scene ? strrchr(scene, '/') : NULL;
    int folder = name[0] != '/' && slash ? (int)(slash + 1 - scene) : 0;
    if (snprintf(path, sizeof path, "%.*s%s", folder, folder ? scene : "", name) >= (int)sizeof path)
        return reader_fail(r, at, "the path is too long");
    return carom_mesh_load(path, mesh, why) || reader_fail(r, at, "%s", why);
}

static bool inline_points(const reader *r, const place *at, const json_t *array, carom_mesh *mesh)
{
    size_t count = json_array_size(array);
    mesh->points = calloc(count + 1, sizeof *mesh->points);
    mesh->point_count = (int)count;
    for (size_t i = 0; mesh->points && i < count; i++) {
        double x[3];
        scene_name name = scene_numbered("points", i);
        place here = {at, name.text};
        if (!reader_vector(r, &here, json_array_get(array, i), 3, x))
            return false;
        mesh->points[i] = carom_vec3_make(x[0], x[1], x[2]);
    }
    return mesh->points || reader_fail(r, at, "out of memory");
}

static bool inline_triangles(const reader *r, const place *at, const json_t *array, carom_mesh *mesh)
{
    size_t count = json_array_size(array);
    mesh->triangles = calloc(3 * count + 1, sizeof *mesh->triangles);
    mesh->triangle_count = (int)count;
    for (size_t i = 0; mesh->triangles && i < count; i++) {
        double x[3];
        scene_name name = scene_numbered("triangles", i);
        place here = {at, name.text};
        if (!reader_vector(r, &here, json_array_get(array, i), 3, x))
            return false;
        for (int k = 0; k < 3; k++) {
            if (!(x[k] >= 0 && x[k] < mesh->point_count && x[k] == floor(x[k])))
                return reader_fail(r, &here, "must be three numbers of points, from 0 to %d", mesh->point_count - 1);
            mesh->triangles[3 * i + (size_t)k] = (int)x[k];
        }
    }
    return mesh->triangles || reader_fail(r, at, "out of memory");
}

static bool obtain(const reader *r, const place *at, const json_t *sizes, carom_mesh *mesh)
{
    const json_t *file = json_object_get(sizes, "file"), *points = json_object_get(sizes, "points"),
                 *triangles = json_object_get(sizes, "triangles"), *scale = json_object_get(sizes, "scale");
    place file_place = {at, "file"}, scale_place = {at, "scale"}, triangles_place = {at, "triangles"};
    double factor = 1;
    if (file ? points || triangles : !points || !triangles)
        return reader_fail(r, at, "give either \"file\", or \"points\" and \"triangles\"");
    if (file && !json_is_string(file))
        return reader_fail(r, &file_place, "must be the name of a file .stl, .obj or .ply");
    if (scale && (!reader_number(r, &scale_place, scale, &factor) || !(factor > 0)))
        return reader_fail(r, &scale_place, "must be > 0");
    if (!file && (json_array_size(points) < 3 || json_array_size(triangles) < 1 ||
                  json_array_size(triangles) > CAROM_MESH_TRIANGLES))
        return reader_fail(r, &triangles_place, "a mesh has 3 points and 1 to %d triangles at least",
                           CAROM_MESH_TRIANGLES);
    bool fine = file ? load(r, &file_place, json_string_value(file), mesh)
                     : inline_points(r, at, points, mesh) && inline_triangles(r, at, triangles, mesh);
    for (int i = 0; fine && i < mesh->point_count; i++)
        mesh->points[i] = carom_vec3_scale(factor, mesh->points[i]);
    return fine;
}

/* ---- what becomes of it ---- */

static bool keep_surface(const reader *r, const carom_mesh *mesh, carom_scene_file *file, carom_solid *solid)
{
    size_t points = (size_t)mesh->point_count, corners = 3 * (size_t)mesh->triangle_count;
    carom_vec3 *p = scene_take(r, file, points, sizeof *p);
    int *t = scene_take(r, file, corners, sizeof *t);
    if (!p || !t)
        return false;
    memcpy(p, mesh->points, points * sizeof *p);
    memcpy(t, mesh->triangles, corners * sizeof *t);
    *solid = (carom_solid){.kind = CAROM_SOLID_MESH, .points = p, .point_count = mesh->point_count, .triangles = t};
    solid->triangle_count = mesh->triangle_count;
    return true;
}

static bool keep_hull(const reader *r, carom_scene_file *file, const carom_vec3 *corners, int count, carom_solid *solid)
{
    carom_vec3 *p = scene_take(r, file, (size_t)count, sizeof *p);
    if (!p)
        return false;
    memcpy(p, corners, (size_t)count * sizeof *p);
    *solid = (carom_solid){.kind = CAROM_SOLID_HULL, .points = p, .point_count = count};
    return true;
}

static bool keep_parts(const reader *r, const carom_mesh_parts *made, carom_scene_file *file, carom_solid *solid)
{
    carom_part *parts = scene_take(r, file, (size_t)made->part_count, sizeof *parts);
    for (int k = 0; parts && k < made->part_count; k++) {
        parts[k] = made->parts[k];
        if (!keep_hull(r, file, made->parts[k].solid.points, made->parts[k].solid.point_count, &parts[k].solid))
            return false;
    }
    *solid = (carom_solid){.kind = CAROM_SOLID_COMPOUND, .parts = parts, .part_count = made->part_count};
    return parts != NULL;
}

/* What keeps a mesh from having a volume; null: nothing. */
static const char *defect_of(const carom_mesh_measure *m, char text[96])
{
    if (m->open_edges)
        snprintf(text, 96, "the mesh has holes: %ld edges with one triangle", m->open_edges);
    else if (m->crowded_edges)
        snprintf(text, 96, "the mesh is not a manifold: %ld edges with three or more triangles", m->crowded_edges);
    else if (m->flipped_edges)
        snprintf(text, 96, "the mesh has flipped faces: %ld edges whose triangles disagree", m->flipped_edges);
    else if (m->inside_out)
        snprintf(text, 96, "all triangles of the mesh face inwards");
    else if (!(m->volume > 0))
        snprintf(text, 96, "the mesh has no volume");
    else if (m->crossings > 0)
        snprintf(text, 96, "the mesh cuts itself: %ld pairs of triangles", m->crossings);
    else
        return NULL;
    return text;
}

static bool as_parts(const reader *r, const place *at, const json_t *sizes, const carom_mesh *mesh,
                     carom_scene_file *file, carom_solid *solid)
{
    double error = PARTS_ERROR, most = PARTS_MOST;
    place error_place = {at, "error"}, most_place = {at, "parts"};
    carom_mesh_parts parts;
    const json_t *own_error = json_object_get(sizes, "error"), *own_most = json_object_get(sizes, "parts");
    if ((own_error && !reader_number(r, &error_place, own_error, &error)) ||
        (own_most && !reader_number(r, &most_place, own_most, &most)))
        return false;
    if (!(most >= 1 && most <= CAROM_SCENE_PARTS))
        return reader_fail(r, &most_place, "must be 1 to %d", CAROM_SCENE_PARTS);
    if (!carom_mesh_decompose(mesh, error, (int)most, &parts))
        return reader_fail(r, at, "out of memory");
    bool fine = keep_parts(r, &parts, file, solid);
    carom_mesh_parts_free(&parts);
    return fine;
}

static bool as_solid(const reader *r, const place *at, const json_t *sizes, const carom_mesh *mesh,
                     carom_scene_file *file, carom_solid *solid)
{
    const scene_mesh_note *note = file->meshes;
    const char *use = json_string_value(json_object_get(sizes, "use"));
    char text[96];
    int count;
    double volume;
    const char *defect = defect_of(&note->measure, text);
    if (defect)
        return reader_fail(r, at, "%s", defect);
    carom_vec3 *corners = carom_mesh_hull(mesh->points, mesh->point_count, &count, &volume);
    bool convex = corners && volume <= (1 + HULL_ERROR) * note->measure.volume;
    bool fine = corners || reader_fail(r, at, "the mesh spans no volume");
    if (fine && count > CAROM_SCENE_POINTS)
        fine = reader_fail(r, at, "its hull has %d corners, more than %d", count, CAROM_SCENE_POINTS);
    if (fine)
        fine = convex || (use && strcmp(use, "hull") == 0) ? keep_hull(r, file, corners, count, solid)
                                                           : as_parts(r, at, sizes, mesh, file, solid);
    free(corners);
    return fine;
}

static bool note_mesh(const reader *r, const carom_mesh *mesh, const json_t *sizes, carom_scene_file *file)
{
    scene_mesh_note *note = scene_take(r, file, 1, sizeof *note);
    if (!note)
        return false;
    *note = (scene_mesh_note){file->meshes, sizes, carom_mesh_measure_of(mesh)};
    file->meshes = note;
    return true;
}

bool scene_mesh(const reader *r, const place *at, const json_t *object, carom_scene_file *file, carom_solid *solid)
{
    static const char *const keys[] = {"file", "points", "triangles", "scale", "use", "error", "parts", NULL};
    const json_t *sizes = json_object_get(json_object_get(object, "shape"), "mesh"),
                 *word = json_object_get(sizes, "use");
    bool fixed = json_is_true(json_object_get(object, "fixed"));
    const char *use = json_is_string(word) ? json_string_value(word) : fixed ? "surface" : "";
    place use_place = {at, "use"};
    carom_mesh mesh = {NULL, NULL, 0, 0};
    if (!reader_keys(r, at, sizes, keys))
        return false;
    if (file->scene.dim != 3)
        return reader_fail(r, at, "is no planar shape; give a polygon");
    if (word && strcmp(use, "hull") != 0 && strcmp(use, "parts") != 0 && strcmp(use, "surface") != 0)
        return reader_fail(r, &use_place, "must be \"hull\", \"parts\" or \"surface\"");
    if (!fixed && strcmp(use, "surface") == 0)
        return reader_fail(r, &use_place, "a surface is ground: give \"fixed\": true");
    bool fine =
        obtain(r, at, sizes, &mesh) &&
        (strcmp(use, "surface") == 0 ? keep_surface(r, &mesh, file, solid)
                                     : note_mesh(r, &mesh, sizes, file) && as_solid(r, at, sizes, &mesh, file, solid));
    carom_mesh_free(&mesh);
    return fine;
}

/* ---- height fields ---- */

/* Rows of heights, from the smallest y up; each from the smallest x on. */
static bool read_heights(const reader *r, const place *at, const json_t *rows, const double cell[2], carom_mesh *mesh)
{
    size_t ny = json_array_size(rows), nx = json_array_size(json_array_get(rows, 0));
    for (size_t j = 0; j < ny; j++) {
        const json_t *row = json_array_get(rows, j);
        scene_name name = scene_numbered("heights", j);
        place here = {at, name.text};
        if (json_array_size(row) != nx)
            return reader_fail(r, &here, "must have %zu numbers, as the first row has", nx);
        for (size_t i = 0; i < nx; i++) {
            double z;
            if (!reader_number(r, &here, json_array_get(row, i), &z))
                return false;
            mesh->points[j * nx + i] = carom_vec3_make(((double)i - 0.5 * (double)(nx - 1)) * cell[0],
                                                       ((double)j - 0.5 * (double)(ny - 1)) * cell[1], z);
        }
    }
    return true;
}

static void join_heights(int nx, int ny, carom_mesh *mesh)
{
    int *t = mesh->triangles;
    for (int j = 0; j + 1 < ny; j++)
        for (int i = 0; i + 1 < nx; i++) {
            int a = j * nx + i, two[6] = {a, a + 1, a + nx + 1, a, a + nx + 1, a + nx};
            memcpy(t, two, sizeof two);
            t += 6;
        }
}

bool scene_height_field(const reader *r, const place *at, const json_t *object, carom_scene_file *file,
                        carom_solid *solid)
{
    static const char *const keys[] = {"heights", "cell", NULL};
    const json_t *sizes = json_object_get(json_object_get(object, "shape"), "height-field"),
                 *rows = json_object_get(sizes, "heights");
    place heights = {at, "heights"}, cell_place = {at, "cell"}, fixed = {at->up, "fixed"};
    size_t ny = json_array_size(rows), nx = json_array_size(json_array_get(rows, 0));
    double cell[2];
    if (!reader_keys(r, at, sizes, keys))
        return false;
    if (!json_is_true(json_object_get(object, "fixed")) || file->scene.dim != 3)
        return reader_fail(r, &fixed, "a height field is ground, in space: give \"fixed\": true");
    if (nx < 2 || ny < 2 || nx > FIELD_MOST || ny > FIELD_MOST)
        return reader_fail(r, &heights, "must be 2 to %d rows of 2 to %d numbers", FIELD_MOST, FIELD_MOST);
    if (!json_object_get(sizes, "cell"))
        return reader_missing(r, at, "cell");
    if (!reader_vector(r, &cell_place, json_object_get(sizes, "cell"), 2, cell))
        return false;
    if (!(cell[0] > 0 && cell[1] > 0))
        return reader_fail(r, &cell_place, "must be two lengths > 0");
    carom_mesh mesh = {scene_take(r, file, nx * ny, sizeof(carom_vec3)),
                       scene_take(r, file, 6 * (nx - 1) * (ny - 1), sizeof(int)), (int)(nx * ny),
                       (int)(2 * (nx - 1) * (ny - 1))};
    if (!mesh.points || !mesh.triangles || !read_heights(r, at, rows, cell, &mesh))
        return false;
    join_heights((int)nx, (int)ny, &mesh);
    *solid = (carom_solid){.kind = CAROM_SOLID_MESH, .points = mesh.points, .point_count = mesh.point_count};
    solid->triangles = mesh.triangles;
    solid->triangle_count = mesh.triangle_count;
    return true;
}

/* What a body collides with: "shape": {"sphere": {"radius": 0.03}}. Case files have the simple shapes; this
 * adds what only a scene can have. */
#include <string.h>

#include "io/case/format.h"
#include "io/scene/scene.h"

/* The words of read_shape and of this file. */
static const char *const words[] = {
#define CAROM_SHAPE(name, function, word, keys, meaning) word,
#include "carom/shapes.def"
#undef CAROM_SHAPE
    "hull", "polygon", "compound", "half-space", "particle", "mesh", "height-field", NULL};

/* ---- hull and polygon ---- */

static bool read_points(const reader *r, const place *at, const json_t *sizes, carom_scene_file *file,
                        carom_solid *solid)
{
    static const char *const keys[] = {"points", NULL};
    place here = {at, "points"};
    const json_t *array = json_object_get(sizes, "points");
    int dim = file->scene.dim;
    size_t count = json_array_size(array), least = (size_t)dim + 1;
    if (!reader_keys(r, at, sizes, keys))
        return false;
    if (!array)
        return reader_missing(r, at, "points");
    if (!json_is_array(array) || count < least || count > CAROM_SCENE_POINTS)
        return reader_fail(r, &here, "must be an array of %zu to %d points", least, CAROM_SCENE_POINTS);
    carom_vec3 *points = scene_take(r, file, count, sizeof *points);
    if (!points)
        return false;
    for (size_t i = 0; i < count; i++) {
        scene_name name = scene_numbered("points", i);
        place point = {at, name.text};
        double x[3] = {0, 0, 0};
        if (!reader_vector(r, &point, json_array_get(array, i), dim, x))
            return false;
        points[i] = carom_vec3_make(x[0], x[1], x[2]);
    }
    solid->kind = CAROM_SOLID_HULL;
    solid->points = points;
    solid->point_count = (int)count;
    return true;
}

/* ---- half-space ---- */

static bool read_half_space(const reader *r, const place *at, const json_t *sizes, int dim, carom_solid *solid)
{
    static const char *const keys[] = {"normal", "offset", NULL};
    place normal = {at, "normal"}, offset = {at, "offset"};
    const json_t *number = json_object_get(sizes, "offset");
    if (!reader_keys(r, at, sizes, keys))
        return false;
    if (!json_object_get(sizes, "normal"))
        return reader_missing(r, at, "normal");
    if (!reader_world(r, &normal, sizes, dim, &solid->normal) ||
        (number && !reader_number(r, &offset, number, &solid->offset)))
        return false;
    carom_frame frame;
    solid->kind = CAROM_SOLID_HALF_SPACE;
    return carom_frame_init(solid->normal, &frame) == CAROM_STATUS_OK ||
           reader_fail_number(r, &normal, "must have length 1 to 1e-6", carom_vec3_length(solid->normal));
}

/* ---- compound ---- */

static bool read_turn(const reader *r, const place *part, const json_t *object, int dim, carom_quat *q)
{
    place turn = {part, "orientation"}, angle = {part, "angle"};
    double w[4];
    *q = (carom_quat){1, 0, 0, 0};
    if (json_object_get(object, "angle"))
        return reader_fail(r, &angle,
                           dim == 2 ? "parts of a planar compound cannot be turned; give a polygon"
                                    : "is for planar scenes; give \"orientation\"");
    if (!json_object_get(object, "orientation"))
        return true;
    if (dim == 2)
        return reader_fail(r, &turn, "has no meaning in a planar scene");
    if (!reader_vector(r, &turn, json_object_get(object, "orientation"), 4, w))
        return false;
    *q = (carom_quat){w[0], w[1], w[2], w[3]};
    double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
    return (square > 1 - 2e-6 && square < 1 + 2e-6) || reader_fail(r, &turn, "must be a unit quaternion, to 1e-6");
}

/* On entry part->density is the density of the body. */
static bool read_part(const reader *r, const place *at, const json_t *object, carom_scene_file *file, carom_part *part)
{
    place position = {at, "position"}, density = {at, "density"};
    const json_t *value = json_object_get(object, "density");
    if (!reader_object(r, at, object, FORMAT_part) || !scene_solid(r, at, object, file, &part->solid) ||
        !reader_world(r, &position, object, file->scene.dim, &part->position) ||
        !read_turn(r, at, object, file->scene.dim, &part->orientation))
        return false;
    part->density = value ? json_number_value(value) : part->density;
    if (!(part->density > 0))
        return reader_fail_number(r, &density, "must be > 0", part->density);
    place shape = {at, "shape"};
    return part->solid.kind == CAROM_SOLID_SHAPE || part->solid.kind == CAROM_SOLID_HULL ||
           reader_fail(r, &shape, "a part cannot be a compound, a half-space, a surface or a particle");
}

static bool read_compound(const reader *r, const place *at, const json_t *body, carom_scene_file *file,
                          carom_solid *solid)
{
    const json_t *sizes = json_object_get(json_object_get(body, "shape"), "compound");
    const json_t *density = json_object_get(body, "density");
    static const char *const keys[] = {"parts", NULL};
    place here = {at, "parts"};
    const json_t *array = json_object_get(sizes, "parts");
    size_t count = json_array_size(array);
    if (!reader_keys(r, at, sizes, keys))
        return false;
    if (!array)
        return reader_missing(r, at, "parts");
    if (!json_is_array(array) || count == 0 || count > CAROM_SCENE_PARTS)
        return reader_fail(r, &here, "must be an array of 1 to %d parts", CAROM_SCENE_PARTS);
    carom_part *parts = scene_take(r, file, count, sizeof *parts);
    if (!parts)
        return false;
    for (size_t i = 0; i < count; i++) {
        scene_name name = scene_numbered("parts", i);
        place part = {at, name.text};
        parts[i].density = density ? json_number_value(density) : 1;
        if (!read_part(r, &part, json_array_get(array, i), file, &parts[i]))
            return false;
    }
    solid->kind = CAROM_SOLID_COMPOUND;
    solid->parts = parts;
    solid->part_count = (int)count;
    return true;
}

/* ---- disks with a thickness: cylinders ---- */

static bool read_disk(const reader *r, const place *at, const json_t *sizes, carom_shape *shape)
{
    static const char *const keys[] = {"radius", "thickness", NULL};
    place radius = {at, "radius"}, thickness = {at, "thickness"};
    if (!reader_keys(r, at, sizes, keys))
        return false;
    if (!json_object_get(sizes, "radius"))
        return reader_missing(r, at, "radius");
    if (!reader_number(r, &radius, json_object_get(sizes, "radius"), &shape->size[0]) ||
        !reader_number(r, &thickness, json_object_get(sizes, "thickness"), &shape->size[1]))
        return false;
    if (!(shape->size[0] > 0))
        return reader_fail_number(r, &radius, "must be > 0", shape->size[0]);
    if (!(shape->size[1] >= 0))
        return reader_fail_number(r, &thickness, "must be >= 0", shape->size[1]);
    shape->kind = shape->size[1] > 0 ? CAROM_SHAPE_CYLINDER : CAROM_SHAPE_DISK;
    return true;
}

bool scene_solid(const reader *r, const place *body, const json_t *object, carom_scene_file *file, carom_solid *solid)
{
    place at = {body, "shape"};
    const json_t *value = json_object_get(object, "shape");
    if (!reader_keys(r, &at, value, words))
        return false;
    if (json_object_size(value) != 1)
        return reader_fail(r, &at, "must name one shape, for example {\"sphere\": {\"radius\": 0.03}}");
    const char *word = json_object_key(value, 0);
    const json_t *sizes = json_object_get(value, word);
    place here = {&at, word};
    int dim = file->scene.dim;
    if (strcmp(word, "hull") == 0 || strcmp(word, "polygon") == 0)
        return (word[0] == 'p') == (dim == 2)
                   ? read_points(r, &here, sizes, file, solid)
                   : reader_fail(r, &here,
                                 dim == 2 ? "is no planar shape; give a polygon" : "is for planar scenes; give a hull");
    if (strcmp(word, "mesh") == 0)
        return scene_mesh(r, &here, object, file, solid);
    if (strcmp(word, "height-field") == 0)
        return scene_height_field(r, &here, object, file, solid);
    if (strcmp(word, "compound") == 0)
        return read_compound(r, &here, object, file, solid);
    if (strcmp(word, "half-space") == 0)
        return read_half_space(r, &here, sizes, dim, solid);
    static const char *const none[] = {NULL};
    if (strcmp(word, "particle") == 0) {
        solid->kind = CAROM_SOLID_PARTICLE;
        return reader_keys(r, &here, sizes, none);
    }
    solid->kind = CAROM_SOLID_SHAPE;
    if (strcmp(word, "disk") == 0 && dim == 3 && json_object_get(sizes, "thickness"))
        return read_disk(r, &here, sizes, &solid->shape);
    return read_shape(r, body, object, dim, &solid->shape);
}

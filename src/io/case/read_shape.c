/* "shape": {"sphere": {"radius": 0.03}} with "mass" or "density": mass and inertia of a body. */
#include <string.h>

#include "io/case/looks.h"
#include "io/case/reader.h"

static const char *const words[] = {
#define CAROM_SHAPE(name, function, word, keys, meaning) word,
#include "carom/shapes.def"
#undef CAROM_SHAPE
    NULL};

static const char *const size_keys[] = {
#define CAROM_SHAPE(name, function, word, keys, meaning) keys,
#include "carom/shapes.def"
#undef CAROM_SHAPE
};

enum { KEYS_ROOM = 48 };

/* The sizes of a shape: one key with a vector, or one or two with a number each. */
static bool read_sizes(const reader *r, const place *at, const json_t *object, int dim, carom_shape *shape)
{
    char keys[KEYS_ROOM];
    snprintf(keys, sizeof keys, "%s", size_keys[shape->kind]);
    char *second = strchr(keys, ' '); /* "radius length" */
    if (second)
        *second++ = 0;
    const char *known[] = {keys, second, NULL};
    if (!reader_keys(r, at, object, known))
        return false;
    bool vector = shape->kind == CAROM_SHAPE_BOX || shape->kind == CAROM_SHAPE_ELLIPSOID;
    shape->size[2] = 1; /* planar boxes have no depth that matters */
    for (int i = 0; known[i]; i++) {
        place here = {at, known[i]};
        const json_t *value = json_object_get(object, known[i]);
        if (!value)
            return reader_missing(r, at, known[i]);
        if (vector ? !reader_vector(r, &here, value, dim, shape->size)
                   : !reader_number(r, &here, value, &shape->size[i]))
            return false;
        bool may_be_zero = shape->kind == CAROM_SHAPE_HOLLOW_SPHERE && i == 1;
        for (int k = vector ? 0 : i; k < (vector ? dim : i + 1); k++)
            if (!(shape->size[k] > 0 || (may_be_zero && shape->size[k] == 0)))
                return reader_fail_number(r, &here, may_be_zero ? "must be >= 0" : "must be > 0", shape->size[k]);
    }
    place inner = {at, "inner"};
    if (shape->kind == CAROM_SHAPE_HOLLOW_SPHERE && shape->size[1] > shape->size[0])
        return reader_fail(r, &inner, "must be at most the radius");
    return true;
}

bool read_shape(const reader *r, const place *body, const json_t *object, int dim, carom_shape *shape)
{
    place at = {body, "shape"};
    const json_t *value = json_object_get(object, "shape");
    if (!reader_keys(r, &at, value, words))
        return false;
    if (json_object_size(value) != 1)
        return reader_fail(r, &at, "must name one shape, for example {\"sphere\": {\"radius\": 0.03}}");
    for (int i = 0; words[i]; i++) {
        const json_t *sizes = json_object_get(value, words[i]);
        place here = {&at, words[i]};
        shape->kind = (carom_shape_kind)i;
        if (!sizes)
            continue;
        if (dim == 2 && shape->kind != CAROM_SHAPE_BOX && shape->kind != CAROM_SHAPE_ROD &&
            shape->kind != CAROM_SHAPE_DISK)
            return reader_fail(r, &here, "is no planar shape; those are disk, box and rod");
        return read_sizes(r, &here, sizes, dim, shape);
    }
    return false;
}

/* About z, in the plane: a rod lies along x there. */
static double planar_inertia(const carom_shape *shape, const carom_body_def *def)
{
    return shape->kind == CAROM_SHAPE_ROD ? def->inertia.xx : def->inertia.zz;
}

bool read_shape_masses(const reader *r, const place *at, const json_t *object, int dim, carom_body_def *def)
{
    place mass = {at, "mass"}, density = {at, "density"}, inertia = {at, "inertia"};
    const json_t *m = json_object_get(object, "mass"), *rho = json_object_get(object, "density");
    const json_t *own = json_object_get(object, "inertia");
    carom_shape shape = {CAROM_SHAPE_SPHERE, {0, 0, 0}};
    double value;
    if (!read_shape(r, at, object, dim, &shape))
        return false;
    if (!m == !rho)
        return reader_fail(r, m ? &density : &mass, "a shape needs either \"mass\" or \"density\"");
    if (m ? !reader_number(r, &mass, m, &value) : !reader_number(r, &density, rho, &value))
        return false;
    if (!(value > 0))
        return reader_fail_number(r, m ? &mass : &density, "must be > 0", value);
    if (rho && carom_shape_volume(&shape) == 0)
        return reader_fail(r, &density, "this shape has no volume; give its mass");
    carom_body_def shaped = carom_shape_body(&shape, m ? value : value * carom_shape_volume(&shape));
    def->mass = shaped.mass;
    def->inertia = shaped.inertia;
    if (dim == 2)
        def->inertia.zz = planar_inertia(&shape, &shaped);
    return !own || reader_inertia(r, &inertia, own, dim, &def->inertia);
}

/* ---- for pictures ---- */

bool look_shape(const carom_case *c, const char *body, carom_shape *shape, carom_quat *turn)
{
    static const place bodies = {NULL, "bodies"};
    carom_case_error error;
    reader r = {&c->text, &error};
    place here = {&bodies, body}, orientation = {&here, "orientation"};
    const json_t *object = json_object_get(json_object_get(c->document, "bodies"), body);
    const json_t *turned = json_object_get(object, "orientation");
    double q[4] = {1, 0, 0, 0};
    if (!json_object_get(object, "shape") || !read_shape(&r, &here, object, c->dim, shape) ||
        (turned && !reader_vector(&r, &orientation, turned, 4, q)))
        return false;
    *turn = (carom_quat){q[0], q[1], q[2], q[3]};
    return true;
}

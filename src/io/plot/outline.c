#include "io/plot/outline.h"

#include <math.h>

#include "core/rotate.h"

#define TURN 6.283185307179586

static point on_paper(const view *v, carom_vec3 at)
{
    return (point){carom_vec3_dot(v->right, at), carom_vec3_dot(v->up, at)};
}

/* ---- support functions ---- */

static double side(double d)
{
    return d > 0 ? 1 : d < 0 ? -1 : 0;
}

/* The rim of a circle of this radius about z. */
static carom_vec3 rim(double radius, carom_vec3 d, double z)
{
    double length = hypot(d.x, d.y);
    if (!(length > 0))
        return (carom_vec3){0, 0, z};
    return (carom_vec3){radius * d.x / length, radius * d.y / length, z};
}

static carom_vec3 ball(double radius, carom_vec3 d)
{
    double length = carom_vec3_length(d);
    return carom_vec3_scale(length > 0 ? radius / length : 0, d);
}

static carom_vec3 ellipsoid(const double a[3], carom_vec3 d)
{
    double length = sqrt(a[0] * a[0] * d.x * d.x + a[1] * a[1] * d.y * d.y + a[2] * a[2] * d.z * d.z);
    if (!(length > 0))
        return (carom_vec3){0, 0, 0};
    return (carom_vec3){a[0] * a[0] * d.x / length, a[1] * a[1] * d.y / length, a[2] * a[2] * d.z / length};
}

static carom_vec3 cone(const double size[3], carom_vec3 d)
{
    carom_vec3 apex = {0, 0, 0.75 * size[1]}, base = rim(size[0], d, -0.25 * size[1]);
    return carom_vec3_dot(apex, d) > carom_vec3_dot(base, d) ? apex : base;
}

static carom_vec3 shape_support(const carom_shape *shape, int dim, carom_vec3 d)
{
    const double *s = shape->size;
    switch (shape->kind) {
    case CAROM_SHAPE_BOX:
        return (carom_vec3){0.5 * s[0] * side(d.x), 0.5 * s[1] * side(d.y), dim == 2 ? 0 : 0.5 * s[2] * side(d.z)};
    case CAROM_SHAPE_CYLINDER:
        return rim(s[0], d, 0.5 * s[1] * side(d.z));
    case CAROM_SHAPE_CONE:
        return cone(s, d);
    case CAROM_SHAPE_CAPSULE:
        return carom_vec3_add(ball(s[0], d), (carom_vec3){0, 0, 0.5 * s[1] * side(d.z)});
    case CAROM_SHAPE_ROD:
        return dim == 2 ? (carom_vec3){0.5 * s[0] * side(d.x), 0, 0} : (carom_vec3){0, 0, 0.5 * s[0] * side(d.z)};
    case CAROM_SHAPE_DISK:
        return rim(s[0], d, 0);
    case CAROM_SHAPE_ELLIPSOID:
        return ellipsoid(s, d);
    default:
        return ball(s[0], d);
    }
}

carom_vec3 outline_support(const carom_solid *solid, int dim, carom_vec3 d)
{
    carom_vec3 best = {0, 0, 0};
    if (solid->kind == CAROM_SOLID_SHAPE)
        return shape_support(&solid->shape, dim, d);
    for (int i = 0; solid->kind == CAROM_SOLID_HULL && i < solid->point_count; i++)
        if (i == 0 || carom_vec3_dot(solid->points[i], d) > carom_vec3_dot(best, d))
            best = solid->points[i];
    return best;
}

/* ---- outlines ---- */

static point placed_point(const outline_place *at, const view *v, carom_vec3 own)
{
    return on_paper(v, carom_vec3_add(at->position, quat_turn(at->orientation, own)));
}

static bool is_ball(const carom_solid *solid, int dim)
{
    carom_shape_kind kind = solid->shape.kind;
    return solid->kind == CAROM_SOLID_SHAPE &&
           (kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_HOLLOW_SPHERE || (kind == CAROM_SHAPE_DISK && dim == 2));
}

/* Directions start a little off the axes, where a box has no single support point. */
static void silhouette(const carom_solid *solid, const outline_place *at, const view *v, outline *out)
{
    out->count = OUTLINE_POINTS;
    out->shade = 0.5;
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        double a = TURN * (i + 0.123) / OUTLINE_POINTS;
        carom_vec3 d = carom_vec3_add(carom_vec3_scale(cos(a), v->right), carom_vec3_scale(sin(a), v->up));
        out->points[i] =
            placed_point(at, v, outline_support(solid, at->dim, quat_turn(quat_conjugate(at->orientation), d)));
    }
}

/* How much a face with this normal faces the reader; negative: it cannot be seen. */
static double facing(const outline_place *at, const view *v, carom_vec3 normal)
{
    return carom_vec3_dot(quat_turn(at->orientation, normal), v->toward);
}

static int box_faces(const carom_solid *solid, const outline_place *at, const view *v, outline *faces)
{
    const double *s = solid->shape.size;
    double half[3] = {0.5 * s[0], 0.5 * s[1], 0.5 * s[2]};
    int count = 0;
    for (int k = 0; k < 6; k++) {
        int axis = k / 2, i = (axis + 1) % 3, j = (axis + 2) % 3;
        double n[3] = {0, 0, 0};
        n[axis] = k % 2 ? 1 : -1;
        double seen = facing(at, v, (carom_vec3){n[0], n[1], n[2]});
        if (seen <= 1e-9)
            continue;
        outline *o = &faces[count++];
        o->count = 4;
        o->shade = 1 - seen;
        for (int c = 0; c < 4; c++) {
            double x[3];
            x[axis] = n[axis] * half[axis];
            x[i] = (c == 1 || c == 2 ? 1 : -1) * half[i];
            x[j] = (c >= 2 ? 1 : -1) * half[j];
            o->points[c] = placed_point(at, v, (carom_vec3){x[0], x[1], x[2]});
        }
    }
    return count;
}

/* The flat end of a cylinder or a cone that is seen, if any. */
static int cap(const carom_solid *solid, const outline_place *at, const view *v, outline *o)
{
    const carom_shape *shape = &solid->shape;
    bool is_cone = shape->kind == CAROM_SHAPE_CONE;
    double seen = facing(at, v, (carom_vec3){0, 0, 1}), z = (seen > 0 ? 0.5 : -0.5) * shape->size[1];
    if (is_cone)
        z = -0.25 * shape->size[1];
    if (fabs(seen) < 1e-9 || (is_cone && seen > 0))
        return 0;
    o->count = OUTLINE_POINTS;
    o->shade = 1 - fabs(seen);
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        double a = TURN * i / OUTLINE_POINTS, r = shape->size[0];
        o->points[i] = placed_point(at, v, (carom_vec3){r * cos(a), r * sin(a), z});
    }
    return 1;
}

int outlines_of(const carom_solid *solid, const outline_place *at, const view *v, outline faces[OUTLINE_FACES])
{
    bool is_shape = solid->kind == CAROM_SOLID_SHAPE && at->dim == 3;
    if (is_shape && solid->shape.kind == CAROM_SHAPE_BOX)
        return box_faces(solid, at, v, faces);
    if (is_ball(solid, at->dim)) {
        faces[0] = (outline){0, {on_paper(v, at->position)}, solid->shape.size[0], 0.5};
        return 1;
    }
    silhouette(solid, at, v, &faces[0]);
    if (is_shape && (solid->shape.kind == CAROM_SHAPE_CYLINDER || solid->shape.kind == CAROM_SHAPE_CONE))
        return 1 + cap(solid, at, v, &faces[1]);
    return 1;
}

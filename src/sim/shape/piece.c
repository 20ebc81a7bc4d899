#include "sim/shape/piece.h"

#include <math.h>

#include "core/rotate.h"

/* The end of an edge, or its middle where both ends are as far: a mirror exchanges the ends. */
static double signed_like(double size, double d)
{
    return d < 0 ? -size : d > 0 ? size : 0;
}

/* The rim of a circle around z. */
static carom_vec3 rim(double radius, carom_vec3 d, double z)
{
    double across = sqrt(d.x * d.x + d.y * d.y), scale = across > 0 ? radius / across : 0;
    return carom_vec3_make(scale * d.x, scale * d.y, z);
}

static carom_vec3 hull_support(const piece *p, const carom_vec3 *points, carom_vec3 d)
{
    const carom_vec3 *v = points + p->first_point;
    int best = 0;
    double most = carom_vec3_dot(v[0], d);
    for (int i = 1; i < p->point_count; i++) {
        double here = carom_vec3_dot(v[i], d);
        if (here > most)
            most = here, best = i;
    }
    return v[best];
}

carom_vec3 core_support(const piece *p, const carom_vec3 *points, carom_vec3 d)
{
    const double *s = p->size;
    switch (p->kind) {
    case CORE_SEGMENT:
        return carom_vec3_make(0, 0, signed_like(s[0], d.z));
    case CORE_BOX:
        return carom_vec3_make(signed_like(s[0], d.x), signed_like(s[1], d.y), signed_like(s[2], d.z));
    case CORE_CYLINDER:
        return rim(s[0], d, signed_like(s[1], d.z));
    case CORE_CONE:
        if (d.z * (s[2] - s[1]) > s[0] * sqrt(d.x * d.x + d.y * d.y))
            return carom_vec3_make(0, 0, s[2]);
        return rim(s[0], d, s[1]);
    case CORE_DISK:
        return rim(s[0], d, 0);
    case CORE_ELLIPSOID: {
        carom_vec3 e = {s[0] * d.x, s[1] * d.y, s[2] * d.z};
        double length = carom_vec3_length(e), scale = length > 0 ? 1 / length : 0;
        return carom_vec3_make(scale * s[0] * e.x, scale * s[1] * e.y, scale * s[2] * e.z);
    }
    case CORE_HULL:
        return hull_support(p, points, d);
    default:
        return carom_vec3_make(0, 0, 0);
    }
}

carom_vec3 support(const placed *p, carom_vec3 d)
{
    if (p->piece->kind == CORE_POINT)
        return p->center;
    return carom_vec3_add(p->center, from_piece(p, core_support(p->piece, p->points, to_piece(p, d))));
}

/* A rim: the tangential part of v, over the part of d across the axis. */
static carom_vec3 rim_rate(double radius, carom_vec3 d, carom_vec3 v)
{
    double across = d.x * d.x + d.y * d.y;
    if (!(across > 0))
        return carom_vec3_make(0, 0, 0);
    double turn = radius * (d.x * v.y - d.y * v.x) / (across * sqrt(across));
    return carom_vec3_make(-turn * d.y, turn * d.x, 0);
}

carom_vec3 core_support_rate(const piece *p, carom_vec3 d, carom_vec3 v)
{
    const double *s = p->size;
    switch (p->kind) {
    case CORE_CYLINDER:
    case CORE_DISK:
        return rim_rate(s[0], d, v);
    case CORE_CONE:
        if (d.z * (s[2] - s[1]) > s[0] * sqrt(d.x * d.x + d.y * d.y))
            return carom_vec3_make(0, 0, 0);
        return rim_rate(s[0], d, v);
    case CORE_ELLIPSOID: {
        carom_vec3 e = {s[0] * s[0] * d.x, s[1] * s[1] * d.y, s[2] * s[2] * d.z};
        double h = sqrt(e.x * d.x + e.y * d.y + e.z * d.z), along = carom_vec3_dot(e, v) / (h * h);
        return carom_vec3_make((s[0] * s[0] * v.x - along * e.x) / h, (s[1] * s[1] * v.y - along * e.y) / h,
                               (s[2] * s[2] * v.z - along * e.z) / h);
    }
    default:
        return carom_vec3_make(0, 0, 0);
    }
}

static double length_of(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

static bool shape_piece(const carom_shape *shape, int dim, piece *p)
{
    const double *s = shape->size;
    bool plane = dim == 2;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_HOLLOW_SPHERE:
        p->kind = CORE_POINT, p->margin = s[0];
        break;
    case CAROM_SHAPE_BOX:
        p->kind = CORE_BOX, p->size[0] = s[0] / 2, p->size[1] = s[1] / 2, p->size[2] = plane ? 0 : s[2] / 2;
        p->reach = length_of(p->size[0], p->size[1], p->size[2]);
        break;
    case CAROM_SHAPE_CYLINDER:
        p->kind = CORE_CYLINDER, p->size[0] = s[0], p->size[1] = s[1] / 2;
        p->reach = length_of(s[0], s[1] / 2, 0);
        break;
    case CAROM_SHAPE_CONE:
        p->kind = CORE_CONE, p->size[0] = s[0], p->size[1] = -s[1] / 4, p->size[2] = 0.75 * s[1];
        p->reach = fmax(0.75 * s[1], length_of(s[0], s[1] / 4, 0));
        break;
    case CAROM_SHAPE_CAPSULE:
        p->kind = CORE_SEGMENT, p->size[0] = p->reach = s[1] / 2, p->margin = s[0];
        break;
    case CAROM_SHAPE_ROD:
        p->kind = plane ? CORE_BOX : CORE_SEGMENT, p->size[0] = p->reach = s[0] / 2;
        break;
    case CAROM_SHAPE_DISK:
        p->kind = plane ? CORE_POINT : CORE_DISK;
        p->size[0] = p->reach = plane ? 0 : s[0], p->margin = plane ? s[0] : 0;
        break;
    case CAROM_SHAPE_ELLIPSOID:
        p->kind = CORE_ELLIPSOID, p->size[0] = s[0], p->size[1] = s[1], p->size[2] = s[2];
        p->reach = fmax(s[0], fmax(s[1], s[2]));
        break;
    default:
        return false;
    }
    p->reach += p->margin;
    return true;
}

bool piece_of(const carom_solid *solid, int dim, piece *p)
{
    static const piece nothing = {.kind = CORE_POINT, .turn = {1, 0, 0, 0}};
    *p = nothing;
    p->is_flat = dim == 2;
    switch (solid->kind) {
    case CAROM_SOLID_PARTICLE:
        return true;
    case CAROM_SOLID_SHAPE:
        return shape_piece(&solid->shape, dim, p);
    case CAROM_SOLID_HULL:
        p->kind = CORE_HULL, p->point_count = solid->point_count;
        for (int i = 0; i < solid->point_count; i++)
            p->reach = fmax(p->reach, carom_vec3_length(solid->points[i]));
        return true;
    default:
        return false;
    }
}

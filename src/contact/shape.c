#include "carom/shape.h"

#include <math.h>

#include "carom/assert.h"
#include "carom/elementary.h"
#include "core/rotate.h"

#define PI          3.14159265358979323846
#define THIN        1e-6 /* moment of a rod about its own axis, of its other ones */
#define FLAT        1e-9 /* sine: an edge or face this close to the plane lies in it */
#define THIN_VOLUME 0.0  /* of what has no thickness */

static bool is_size(double x)
{
    return x > 0 && x < INFINITY;
}

/* Mass and principal moments, or what carom_body_init refuses. */
static carom_body_def described(bool valid, double mass, double xx, double yy, double zz)
{
    carom_body_def def = carom_body_def_default();
    def.mass = valid && is_size(mass) ? mass : NAN;
    def.inertia = (carom_sym3){mass * xx, 0, 0, mass * yy, 0, mass * zz};
    return def;
}

carom_body_def carom_shape_sphere(double mass, double radius)
{
    double i = 0.4 * radius * radius;
    return described(is_size(radius), mass, i, i, i);
}

/* 2/5 (R^5 - r^5) / (R^3 - r^3), without the common factor R - r. */
carom_body_def carom_shape_hollow_sphere(double mass, double radius, double inner)
{
    double R = radius, r = inner;
    double i =
        0.4 * (R * R * R * R + R * R * R * r + R * R * r * r + R * r * r * r + r * r * r * r) / (R * R + R * r + r * r);
    return described(is_size(radius) && inner >= 0 && inner <= radius, mass, i, i, i);
}

carom_body_def carom_shape_box(double mass, carom_vec3 size)
{
    double x = size.x * size.x / 12, y = size.y * size.y / 12, z = size.z * size.z / 12;
    return described(is_size(size.x) && is_size(size.y) && is_size(size.z), mass, y + z, x + z, x + y);
}

carom_body_def carom_shape_cylinder(double mass, double radius, double length)
{
    double i = radius * radius / 4 + length * length / 12;
    return described(is_size(radius) && is_size(length), mass, i, i, radius * radius / 2);
}

/* About the centre of mass, a quarter of the height above the base. */
carom_body_def carom_shape_cone(double mass, double radius, double height)
{
    double i = 3 * radius * radius / 20 + 3 * height * height / 80;
    return described(is_size(radius) && is_size(height), mass, i, i, 3 * radius * radius / 10);
}

/* A cylinder and two half balls, whose masses are in the ratio of their volumes, h : 4 r / 3. */
carom_body_def carom_shape_capsule(double mass, double radius, double length)
{
    double r = radius, h = length, share = h / (h + 4 * r / 3); /* of the mass in the cylinder */
    double ball = 0.4 * r * r + h * h / 4 + 3 * h * r / 8;      /* two half balls, each 3r/8 beyond its face */
    double i = share * (r * r / 4 + h * h / 12) + (1 - share) * ball;
    return described(is_size(r) && is_size(h), mass, i, i, share * r * r / 2 + (1 - share) * 0.4 * r * r);
}

carom_body_def carom_shape_rod(double mass, double length)
{
    double i = length * length / 12;
    return described(is_size(length), mass, i, i, THIN * i);
}

carom_body_def carom_shape_disk(double mass, double radius)
{
    double i = radius * radius / 4;
    return described(is_size(radius), mass, i, i, 2 * i);
}

carom_body_def carom_shape_ellipsoid(double mass, carom_vec3 a)
{
    double x = a.x * a.x / 5, y = a.y * a.y / 5, z = a.z * a.z / 5;
    return described(is_size(a.x) && is_size(a.y) && is_size(a.z), mass, y + z, x + z, x + y);
}

/* ---- any of them ---- */

carom_body_def carom_shape_body(const carom_shape *shape, double mass)
{
    CAROM_ASSERT(shape);
    const double *s = shape->size;
    carom_vec3 three = {s[0], s[1], s[2]};
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return carom_shape_sphere(mass, s[0]);
    case CAROM_SHAPE_HOLLOW_SPHERE:
        return carom_shape_hollow_sphere(mass, s[0], s[1]);
    case CAROM_SHAPE_BOX:
        return carom_shape_box(mass, three);
    case CAROM_SHAPE_CYLINDER:
        return carom_shape_cylinder(mass, s[0], s[1]);
    case CAROM_SHAPE_CONE:
        return carom_shape_cone(mass, s[0], s[1]);
    case CAROM_SHAPE_CAPSULE:
        return carom_shape_capsule(mass, s[0], s[1]);
    case CAROM_SHAPE_ROD:
        return carom_shape_rod(mass, s[0]);
    case CAROM_SHAPE_DISK:
        return carom_shape_disk(mass, s[0]);
    case CAROM_SHAPE_ELLIPSOID:
        return carom_shape_ellipsoid(mass, three);
    default:
        return described(false, mass, 1, 1, 1);
    }
}

double carom_shape_volume(const carom_shape *shape)
{
    CAROM_ASSERT(shape);
    const double *s = shape->size, round = PI * s[0] * s[0];
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return 4 * round * s[0] / 3;
    case CAROM_SHAPE_HOLLOW_SPHERE:
        return 4 * PI / 3 * (s[0] - s[1]) * (s[0] * s[0] + s[0] * s[1] + s[1] * s[1]);
    case CAROM_SHAPE_BOX:
        return s[0] * s[1] * s[2];
    case CAROM_SHAPE_CYLINDER:
        return round * s[1];
    case CAROM_SHAPE_CONE:
        return round * s[1] / 3;
    case CAROM_SHAPE_CAPSULE:
        return round * (s[1] + 4 * s[0] / 3);
    case CAROM_SHAPE_ELLIPSOID:
        return 4 * PI / 3 * s[0] * s[1] * s[2];
    default:
        return THIN_VOLUME;
    }
}

/* ---- where it touches a plane ---- */

/* A half length along a coordinate of d: the end in that direction, or the middle when the edge lies in the plane. */
static double end_of(double half, double d, bool *flat)
{
    *flat |= fabs(d) <= FLAT && half > 0;
    return fabs(d) <= FLAT ? 0 : d > 0 ? half : -half;
}

/* The rim of a circle of this radius around z. */
static carom_vec3 rim(double radius, carom_vec3 d, bool *flat)
{
    double across = carom_hypot(d.x, d.y);
    *flat |= across <= FLAT && radius > 0;
    double scale = across <= FLAT ? 0 : radius / across;
    return carom_vec3_make(scale * d.x, scale * d.y, 0);
}

/* The apex or the rim of the base, whichever reaches further; a side that lies in the plane touches along a line. */
static carom_vec3 cone_end(double radius, double height, carom_vec3 d, bool *flat)
{
    carom_vec3 apex = {0, 0, 0.75 * height};
    bool base_flat = false;
    carom_vec3 base = rim(radius, d, &base_flat);
    base.z = -0.25 * height;
    double ahead = carom_vec3_dot(apex, d) - carom_vec3_dot(base, d);
    if (fabs(ahead) <= FLAT * (radius + height)) {
        *flat = true;
        return carom_vec3_scale(0.5, carom_vec3_add(apex, base));
    }
    *flat |= ahead < 0 && base_flat;
    return ahead > 0 ? apex : base;
}

/* In the axes of the shape. */
static carom_vec3 touching(const carom_shape *shape, carom_vec3 d, bool *flat)
{
    const double *s = shape->size;
    carom_vec3 end = {0, 0, 0};
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
    case CAROM_SHAPE_HOLLOW_SPHERE:
        return carom_vec3_scale(s[0], d);
    case CAROM_SHAPE_BOX:
        return carom_vec3_make(end_of(s[0] / 2, d.x, flat), end_of(s[1] / 2, d.y, flat), end_of(s[2] / 2, d.z, flat));
    case CAROM_SHAPE_CYLINDER:
        end = rim(s[0], d, flat);
        end.z = end_of(s[1] / 2, d.z, flat);
        return end;
    case CAROM_SHAPE_CONE:
        return cone_end(s[0], s[1], d, flat);
    case CAROM_SHAPE_CAPSULE:
        end = carom_vec3_scale(s[0], d);
        end.z += end_of(s[1] / 2, d.z, flat);
        return end;
    case CAROM_SHAPE_ROD:
        end.z = end_of(s[0] / 2, d.z, flat);
        return end;
    case CAROM_SHAPE_DISK:
        return rim(s[0], d, flat);
    default: { /* ellipsoid: A^2 d / |A d| */
        carom_vec3 scaled = {s[0] * d.x, s[1] * d.y, s[2] * d.z};
        double length = carom_vec3_length(scaled);
        return carom_vec3_make(s[0] * scaled.x / length, s[1] * scaled.y / length, s[2] * scaled.z / length);
    }
    }
}

carom_status carom_shape_touch(const carom_shape *shape, carom_quat orientation, carom_vec3 d, carom_vec3 *arm)
{
    CAROM_ASSERT(shape && arm);
    bool flat = false;
    carom_quat back = {orientation.w, -orientation.x, -orientation.y, -orientation.z};
    *arm = quat_turn(orientation, touching(shape, quat_turn(back, d), &flat));
    return flat ? CAROM_STATUS_OUT_OF_SCOPE : CAROM_STATUS_OK;
}

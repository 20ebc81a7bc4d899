/* Rotations by unit quaternions. */
#ifndef CAROM_CORE_ROTATE_H
#define CAROM_CORE_ROTATE_H

#include <math.h>

#include "carom/elementary.h"
#include "carom/vec.h"

static inline double quat_norm(carom_quat q)
{
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

static inline carom_quat quat_scale(double s, carom_quat q)
{
    carom_quat out = {s * q.w, s * q.x, s * q.y, s * q.z};
    return out;
}

static inline carom_quat quat_conjugate(carom_quat q)
{
    carom_quat out = {q.w, -q.x, -q.y, -q.z};
    return out;
}

/* First b, then a. */
static inline carom_quat quat_multiply(carom_quat a, carom_quat b)
{
    carom_quat out = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return out;
}

/* To unit length, for a quaternion whose length differs from one by rounding only: one Newton step. */
static inline carom_quat quat_trimmed(carom_quat q)
{
    return quat_scale(1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), q);
}

static inline carom_vec3 quat_turn(carom_quat q, carom_vec3 v)
{
    carom_vec3 u = {q.x, q.y, q.z}, t = carom_vec3_scale(2, carom_vec3_cross(u, v));
    return carom_vec3_add(carom_vec3_add(v, carom_vec3_scale(q.w, t)), carom_vec3_cross(u, t));
}

/* By an angle about a unit axis. */
static inline carom_quat quat_about(carom_vec3 axis, double angle)
{
    double s = carom_sin(angle / 2);
    carom_quat q = {carom_cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
    return q;
}

/* From z to a line along the unit vector d, whichever way is nearer. */
static inline carom_quat quat_to_line(carom_vec3 d)
{
    double side = d.z < 0 ? -1 : 1;
    carom_quat turn = {1 + side * d.z, -side * d.y, side * d.x, 0};
    return quat_scale(1 / quat_norm(turn), turn);
}

/* R m R^T */
static inline carom_sym3 quat_turn_sym3(carom_quat q, carom_sym3 m)
{
    double w = q.w, x = q.x, y = q.y, z = q.z;
    carom_vec3 r1 = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)}; /* rows of R */
    carom_vec3 r2 = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
    carom_vec3 r3 = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    carom_vec3 m1 = carom_sym3_apply(m, r1), m2 = carom_sym3_apply(m, r2), m3 = carom_sym3_apply(m, r3);
    carom_sym3 out = {carom_vec3_dot(r1, m1), carom_vec3_dot(r1, m2), carom_vec3_dot(r1, m3),
                      carom_vec3_dot(r2, m2), carom_vec3_dot(r2, m3), carom_vec3_dot(r3, m3)};
    return out;
}

#endif

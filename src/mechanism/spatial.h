/* Twists, wrenches and articulated inertias, all along world axes, each about its own link's origin. A shift between
 * two origins is then the only transform there is. */
#ifndef CAROM_MECHANISM_SPATIAL_H
#define CAROM_MECHANISM_SPATIAL_H

#include "carom/mechanism.h"
#include "core/vectors.h"

static inline carom_vec3 vec_zero(void)
{
    return carom_vec3_make(0, 0, 0);
}

static inline carom_twist twist_zero(void)
{
    carom_twist t = {{0, 0, 0}, {0, 0, 0}};
    return t;
}

static inline carom_wrench wrench_zero(void)
{
    carom_wrench f = {{0, 0, 0}, {0, 0, 0}};
    return f;
}

static inline carom_twist twist_add(carom_twist a, carom_twist b)
{
    carom_twist t = {carom_vec3_add(a.w, b.w), carom_vec3_add(a.v, b.v)};
    return t;
}

/* a + s b */
static inline carom_twist twist_plus(carom_twist a, double s, carom_twist b)
{
    carom_twist t = {vec_plus(a.w, s, b.w), vec_plus(a.v, s, b.v)};
    return t;
}

static inline carom_wrench wrench_plus(carom_wrench a, double s, carom_wrench b)
{
    carom_wrench f = {vec_plus(a.n, s, b.n), vec_plus(a.f, s, b.f)};
    return f;
}

static inline carom_wrench wrench_add(carom_wrench a, carom_wrench b)
{
    return wrench_plus(a, 1, b);
}

static inline double spatial_power(carom_twist t, carom_wrench f)
{
    return carom_vec3_dot(t.w, f.n) + carom_vec3_dot(t.v, f.f);
}

/* A translation: no part of it turns. */
static inline bool twist_slides(carom_twist t)
{
    return t.w.x == 0 && t.w.y == 0 && t.w.z == 0;
}

/* The same motion seen at origin + d. */
static inline carom_twist twist_shift(carom_twist t, carom_vec3 d)
{
    t.v = carom_vec3_add(t.v, carom_vec3_cross(t.w, d));
    return t;
}

/* The same force seen at origin - d: from child to parent. */
static inline carom_wrench wrench_lift(carom_wrench f, carom_vec3 d)
{
    f.n = carom_vec3_add(f.n, carom_vec3_cross(d, f.f));
    return f;
}

static inline carom_sym3 sym3_add(carom_sym3 a, carom_sym3 b)
{
    carom_sym3 m = {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
    return m;
}

/* m + s a a^T */
static inline carom_sym3 sym3_plus_square(carom_sym3 m, double s, carom_vec3 a)
{
    double x = s * a.x, y = s * a.y, z = s * a.z;
    carom_sym3 out = {m.xx + x * a.x, m.xy + x * a.y, m.xz + x * a.z, m.yy + y * a.y, m.yz + y * a.z, m.zz + z * a.z};
    return out;
}

static inline double sym3_trace(carom_sym3 m)
{
    return m.xx + m.yy + m.zz;
}

/* I_c about the centre of mass, mass m at the arm s:  A = I_c - m s^x s^x,  B = m s^x,  M = m 1 */
static inline carom_artic artic_rigid(double m, carom_vec3 s, carom_sym3 I)
{
    double s2 = m * carom_vec3_dot(s, s);
    carom_sym3 about = {I.xx + s2, I.xy, I.xz, I.yy + s2, I.yz, I.zz + s2};
    carom_artic a;
    a.A = sym3_plus_square(about, -m, s);
    a.B1 = carom_vec3_make(0, -m * s.z, m * s.y);
    a.B2 = carom_vec3_make(m * s.z, 0, -m * s.x);
    a.B3 = carom_vec3_make(-m * s.y, m * s.x, 0);
    carom_sym3 mass = {m, 0, 0, m, 0, m};
    a.M = mass;
    return a;
}

static inline carom_wrench artic_apply(const carom_artic *a, carom_twist t)
{
    carom_vec3 Bv = {carom_vec3_dot(a->B1, t.v), carom_vec3_dot(a->B2, t.v), carom_vec3_dot(a->B3, t.v)};
    carom_vec3 Btw = vec_plus(vec_plus(carom_vec3_scale(t.w.x, a->B1), t.w.y, a->B2), t.w.z, a->B3);
    carom_wrench f = {carom_vec3_add(carom_sym3_apply(a->A, t.w), Bv),
                      carom_vec3_add(Btw, carom_sym3_apply(a->M, t.v))};
    return f;
}

static inline carom_artic artic_add(const carom_artic *a, const carom_artic *b)
{
    carom_artic s = {sym3_add(a->A, b->A), carom_vec3_add(a->B1, b->B1), carom_vec3_add(a->B2, b->B2),
                     carom_vec3_add(a->B3, b->B3), sym3_add(a->M, b->M)};
    return s;
}

/* The same inertia about origin - d: from child to parent.
 *     B' = B + d^x M,   A' = A - B d^x + d^x B'^T,   M' = M
 * since a velocity at the child's origin is v + w x d. */
static inline carom_artic artic_lift(const carom_artic *a, carom_vec3 d)
{
    carom_vec3 M1 = {a->M.xx, a->M.xy, a->M.xz}, M2 = {a->M.xy, a->M.yy, a->M.yz}, M3 = {a->M.xz, a->M.yz, a->M.zz};
    carom_artic out = *a;
    out.B1 = vec_plus(vec_plus(a->B1, d.y, M3), -d.z, M2); /* B + d^x M, by rows */
    out.B2 = vec_plus(vec_plus(a->B2, d.z, M1), -d.x, M3);
    out.B3 = vec_plus(vec_plus(a->B3, d.x, M2), -d.y, M1);
    carom_vec3 p1 = carom_vec3_cross(d, a->B1), p2 = carom_vec3_cross(d, a->B2), p3 = carom_vec3_cross(d, a->B3);
    carom_vec3 r1 = carom_vec3_cross(d, out.B1), r2 = carom_vec3_cross(d, out.B2), r3 = carom_vec3_cross(d, out.B3);
    out.A.xx += p1.x + r1.x; /* rows of -B d^x are d x B_i; columns of d^x B'^T are d x B'_i */
    out.A.xy += p1.y + r2.x;
    out.A.xz += p1.z + r3.x;
    out.A.yy += p2.y + r2.y;
    out.A.yz += p2.z + r3.y;
    out.A.zz += p3.z + r3.z;
    return out;
}

#endif

/* Carom: small values, passed by value.
 *
 * There are two kinds of vectors, and they are different types on purpose:
 *
 *     carom_vec3   (x, y, z)    along the axes of the world,
 *     carom_cvec   (t1, t2, n)  along the axes of a contact; the normal is last.
 *
 * A carom_frame carries one into the other; nothing else does, so mixing the two does not compile.
 * Symmetric matrices come in the same two kinds. */
#ifndef CAROM_VEC_H
#define CAROM_VEC_H

#include <math.h>

#include "carom/export.h"

CAROM_BEGIN

/* A vector along the world axes. */
typedef struct carom_vec3 {
    double x, y, z;
} carom_vec3;

/* A vector along the contact axes: two tangents and the normal (from B to A). */
typedef struct carom_cvec {
    double t1, t2, n;
} carom_cvec;

/* What turns about the axes of a contact: an angular velocity or a moment, the normal first. */
typedef struct carom_cspin {
    double n, t1, t2;
} carom_cspin;

/* A symmetric 3x3 matrix in world or body axes (inertia). */
typedef struct carom_sym3 {
    double xx, xy, xz, yy, yz, zz;
} carom_sym3;

/* A symmetric 3x3 matrix in contact axes (the inverse local mass K). */
typedef struct carom_csym {
    double t11, t12, t22; /* the tangential block K_TT */
    double t1n, t2n;      /* the coupling k between tangent plane and normal */
    double nn;            /* K_nn */
} carom_csym;

/* A rotation, body to world: v_world = q v_body q*. */
typedef struct carom_quat {
    double w, x, y, z;
} carom_quat;

/* The axes of a contact, right-handed and orthonormal, written in world axes. */
typedef struct carom_frame {
    carom_vec3 t1, t2, n;
} carom_frame;

/* ---- world vectors ---- */

static inline carom_vec3 carom_vec3_make(double x, double y, double z)
{
    carom_vec3 v = {x, y, z};
    return v;
}

static inline carom_vec3 carom_vec3_add(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline carom_vec3 carom_vec3_sub(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline carom_vec3 carom_vec3_scale(double s, carom_vec3 a)
{
    return carom_vec3_make(s * a.x, s * a.y, s * a.z);
}

static inline double carom_vec3_dot(carom_vec3 a, carom_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline carom_vec3 carom_vec3_cross(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double carom_vec3_length(carom_vec3 a)
{
    return sqrt(carom_vec3_dot(a, a));
}

static inline carom_vec3 carom_sym3_apply(carom_sym3 m, carom_vec3 v)
{
    return carom_vec3_make(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
                           m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

/* ---- contact vectors ---- */

static inline carom_cvec carom_cvec_make(double t1, double t2, double n)
{
    carom_cvec v = {t1, t2, n};
    return v;
}

static inline carom_cvec carom_cvec_add(carom_cvec a, carom_cvec b)
{
    return carom_cvec_make(a.t1 + b.t1, a.t2 + b.t2, a.n + b.n);
}

static inline carom_cvec carom_cvec_sub(carom_cvec a, carom_cvec b)
{
    return carom_cvec_make(a.t1 - b.t1, a.t2 - b.t2, a.n - b.n);
}

static inline carom_cvec carom_cvec_scale(double s, carom_cvec a)
{
    return carom_cvec_make(s * a.t1, s * a.t2, s * a.n);
}

static inline double carom_cvec_dot(carom_cvec a, carom_cvec b)
{
    return a.t1 * b.t1 + a.t2 * b.t2 + a.n * b.n;
}

/* The length of the tangential part; below 1e-154 it counts as zero. */
static inline double carom_cvec_slip(carom_cvec a)
{
    return sqrt(a.t1 * a.t1 + a.t2 * a.t2);
}

/* K p: the change of relative velocity that the impulse p makes. */
static inline carom_cvec carom_csym_apply(carom_csym k, carom_cvec p)
{
    return carom_cvec_make(k.t11 * p.t1 + k.t12 * p.t2 + k.t1n * p.n, k.t12 * p.t1 + k.t22 * p.t2 + k.t2n * p.n,
                           k.t1n * p.t1 + k.t2n * p.t2 + k.nn * p.n);
}

/* ---- between the two ---- */

static inline carom_cvec carom_frame_from_world(carom_frame f, carom_vec3 v)
{
    return carom_cvec_make(carom_vec3_dot(f.t1, v), carom_vec3_dot(f.t2, v), carom_vec3_dot(f.n, v));
}

static inline carom_vec3 carom_frame_to_world(carom_frame f, carom_cvec v)
{
    return carom_vec3_add(carom_vec3_add(carom_vec3_scale(v.t1, f.t1), carom_vec3_scale(v.t2, f.t2)),
                          carom_vec3_scale(v.n, f.n));
}

CAROM_END

#endif

/* Rotation of a free body.
 *
 *     still, steady   q(t) = exp(w s) q                        spheres, and bodies in the plane
 *     ramp            w(t) = w + alpha s                       spheres that slide or roll
 *     step            q(t) = exp(s (w + s beta)) q             stepped bodies; w(t) = w + alpha s
 *     top             q(t) = exp(s L / I_1) q exp(s c e)       two equal moments, exact (docs/theory/motion.md, 2);
 *                                                              w(t) = L / I_1 + c R(t) e
 *     series          Taylor series of q and w in body axes    three different moments; holds for a while
 *
 * s = t - t0. L is the angular momentum, constant in the world; e the axis of the top in the body. */
#ifndef CAROM_SIM_SPIN_H
#define CAROM_SIM_SPIN_H

#include <stdbool.h>

#include "carom/vec.h"
#include "sim/motion/track.h"

typedef enum spin_kind { SPIN_STEADY, SPIN_RAMP, SPIN_STEP, SPIN_TOP, SPIN_SERIES, SPIN_TRACK } spin_kind;

enum { SPIN_TERMS = 24, SPIN_ROWS = 8 };
#define SPIN_ANGLE 0.6 /* rad that a series covers at the least */

/* Principal moments and axes of a body, body axes; the axis of a top is the third. */
typedef struct moments {
    double I[3];
    carom_vec3 axis[3];
    spin_kind kind; /* of its free rotation */
} moments;

typedef struct spin {
    carom_quat q;
    carom_vec3 w; /* world axes */
    double t0;
    spin_kind kind;
    double until; /* series: good until then; else infinite */
    carom_vec3 alpha, beta;
    carom_vec3 L, e; /* top */
    double I_1, rate;
    double (*series)[SPIN_ROWS]; /* SPIN_TERMS of them, in s: q, w along the principal axes, a zero to fill vectors */
    double energy, square;       /* twice the energy and the square of L: constant */
    double most;                 /* of the square of w, at any time */
    const moments *m;
    const track *track; /* of a body with closed contacts */
} spin;

typedef struct pose {
    carom_quat q;
    carom_vec3 w;
} pose;

/* Principal moments of an inertia in body axes; moments that agree to TOP_TOL are taken as equal. */
moments moments_of(carom_sym3 inertia);

/* Begin a free rotation; planar bodies and spheres are steady. */
void spin_start(spin *s, const moments *m, double t0, carom_quat q, carom_vec3 w);

/* Steady or ramp. */
void spin_drive(spin *s, double t0, carom_quat q, carom_vec3 w, carom_vec3 alpha);

/* A ramp, from now on as in a step: its orientation goes by beta. */
void spin_step(spin *s, carom_vec3 beta);

/* Follow a track. */
void spin_follow(spin *s, const track *k);

/* Go on where a series ends. */
void spin_renew(spin *s);

pose spin_at(const spin *s, double t);

/* Its orientation alone. */
carom_quat spin_turn(const spin *s, double t);

/* The orientation of a steady rotation. */
carom_quat spin_steadily(const spin *s, double t);

/* exp of a rotation vector, and first b then a. */
carom_quat quat_exp(carom_vec3 v);

#endif

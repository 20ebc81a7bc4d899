/* Articulated inertias as sums of squares, I = sum of F F^T over six wrenches.
 *
 * A difference such as I - U U^T / D loses the digits of a light link beside a heavy one: its error is eps of the heavy
 * inertia. In the roots F the error is eps of the square root, and what a joint has released stays released. */
#ifndef CAROM_MECHANISM_ROOT_H
#define CAROM_MECHANISM_ROOT_H

#include "mechanism/spatial.h"

/* The roots of a rigid link about its origin: mass at the arm, and the roots of its inertia, world axes. */
void carom_root_rigid(double mass, carom_vec3 arm, const carom_vec3 inertia[3], carom_wrench root[CAROM_ROOTS]);

/* onto += the inertia of a child whose origin is at d. */
void carom_root_absorb(const carom_wrench child[CAROM_ROOTS], carom_vec3 d, carom_wrench onto[CAROM_ROOTS]);

/* U = I S, D = S U, then I <- I - U U^T / D for a freedom S. */
static inline void root_release(carom_wrench root[CAROM_ROOTS], carom_freedom *f)
{
    double g[CAROM_ROOTS];
    f->U = wrench_zero();
    f->D = 0;
    for (int i = 0; i < CAROM_ROOTS; i++) {
        g[i] = spatial_power(f->S, root[i]);
        f->U = wrench_plus(f->U, g[i], root[i]);
        f->D += g[i] * g[i];
    }
    for (int i = 0; i < CAROM_ROOTS && f->D > 0; i++)
        root[i] = wrench_plus(root[i], -g[i] / f->D, f->U);
}

/* I t */
static inline carom_wrench root_apply(const carom_wrench root[CAROM_ROOTS], carom_twist t)
{
    carom_wrench f = wrench_zero();
    for (int i = 0; i < CAROM_ROOTS; i++)
        f = wrench_plus(f, spatial_power(t, root[i]), root[i]);
    return f;
}

#endif

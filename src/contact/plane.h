/* Contacts that move in a plane. Inline, so that a problem just made need not go through memory. */
#ifndef CAROM_CORE_PLANE_H
#define CAROM_CORE_PLANE_H

#include "carom/problem.h"
#include "core/num.h"

#define PLANE_TOL (64 * EPS) /* of the diagonal: rounding of K in rotated axes */

/* Given in the plane of t1: no second direction at all. */
static inline bool problem_is_planar(const carom_problem *problem)
{
    return (problem->K.t22 == 0) & (problem->u.t2 == 0);
}

/* That, or in space and nothing pushes it out of that plane. */
static inline bool problem_lies_flat(const carom_problem *problem)
{
    return (problem->K.t12 == 0) & (problem->K.t2n == 0) & (problem->u.t2 == 0);
}

/* The problem in axes with t1 along d. */
static inline void problem_turn(const carom_problem *problem, carom_direction d, carom_problem *turned)
{
    const carom_csym *K = &problem->K;
    double c = d.c, s = d.s;
    double a1 = K->t11 * c + K->t12 * s, a2 = K->t12 * c + K->t22 * s;   /* K_TT d */
    double b1 = -K->t11 * s + K->t12 * c, b2 = -K->t12 * s + K->t22 * c; /* K_TT d_perp */
    carom_csym k = {c * a1 + s * a2,         c * b1 + s * b2,          -s * b1 + c * b2,
                    c * K->t1n + s * K->t2n, -s * K->t1n + c * K->t2n, K->nn};
    turned->u =
        carom_cvec_make(c * problem->u.t1 + s * problem->u.t2, -s * problem->u.t1 + c * problem->u.t2, problem->u.n);
    turned->K = k;
}

/* carom_problem_plane, with the problem turned into those axes. */
static inline bool problem_plane(const carom_problem *problem, carom_direction *plane, carom_problem *turned)
{
    const carom_csym *K = &problem->K;
    carom_direction d = {1, 0};
    double slip = carom_cvec_slip(problem->u), pull = slip > 0 ? 0 : length_of(K->t1n, K->t2n);
    if (slip > 0) {
        d.c = problem->u.t1 / slip;
        d.s = problem->u.t2 / slip;
    } else if (pull > 0) {
        d.c = K->t1n / pull;
        d.s = K->t2n / pull;
    }
    *plane = d;
    problem_turn(problem, d, turned);
    double tangent = PLANE_TOL * (K->t11 + K->t22), normal = PLANE_TOL * sqrt((K->t11 + K->t22) * K->nn);
    if (slip == 0 && pull <= normal)
        return true;
    return fabs(turned->K.t12) <= tangent && fabs(turned->K.t2n) <= normal;
}

#endif

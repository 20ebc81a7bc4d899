/* Directions in which a mechanism cannot move.
 *
 * In exact arithmetic such a direction has a zero row in K. In doubles it has the squares of rounding errors: 1e-31
 * where the terms are about one. An impulse that divides by them is noise, so the row is set to zero. A diagonal entry
 * is judged against the same sum formed from sizes, before anything has cancelled. */
#ifndef CAROM_MECHANISM_MOBILITY_H
#define CAROM_MECHANISM_MOBILITY_H

#include "carom/problem.h"
#include "core/num.h"

/* Rounding of a velocity against the sizes it was formed from, for a path over this many joints. Orientations are
 * products along the path; their errors add up like a random walk. */
#define MOBILITY_TOL (8 * EPS)
static inline double mobility_tolerance(int joints)
{
    return MOBILITY_TOL * (8 + sqrt((double)joints));
}

/* Diagonal entries of K, and entries of u, that rounding explains: up to these. */
typedef struct mobility {
    carom_cvec K, u;
} mobility;

/* Remove the rows of K that are rounding, and what is rounding of u along them. CAROM_STATUS_IMMOVABLE when nothing is
 * left along the normal. */
static inline carom_status mobility_clean(const mobility *rounding, carom_problem *pb)
{
    carom_csym *K = &pb->K;
    if (K->t11 <= rounding->K.t1) {
        K->t11 = K->t12 = K->t1n = 0;
        pb->u.t1 = fabs(pb->u.t1) <= rounding->u.t1 ? 0 : pb->u.t1;
    }
    if (K->t22 <= rounding->K.t2) {
        K->t22 = K->t12 = K->t2n = 0;
        pb->u.t2 = fabs(pb->u.t2) <= rounding->u.t2 ? 0 : pb->u.t2;
    }
    if (K->nn <= rounding->K.n) {
        K->nn = K->t1n = K->t2n = 0;
        pb->u.n = fabs(pb->u.n) <= rounding->u.n ? 0 : pb->u.n;
    }
    return K->nn > 0 ? CAROM_STATUS_OK : CAROM_STATUS_IMMOVABLE;
}

#endif

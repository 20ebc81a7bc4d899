/* Solving with the tangential block K_TT, which has a zero row in planar problems. */
#ifndef CAROM_GEOMETRY_TANGENT_H
#define CAROM_GEOMETRY_TANGENT_H

#include <stdbool.h>

#include "core/psd.h"

static inline double tangent_det(const carom_csym *K)
{
    return difference_of_products(K->t11, K->t22, K->t12, K->t12);
}

/* K_TT moves every tangent direction that the problem has. */
static inline bool is_tangent_regular(const carom_csym *K)
{
    if (K->t22 == 0)
        return K->t11 > 0;
    return K->t11 > 0 && tangent_det(K) > RANK_TOL * K->t11 * K->t22;
}

/* K_TT^-1 r for a regular block. */
static inline tvec tangent_solve(const carom_csym *K, tvec r)
{
    tvec q = {r.t1 / K->t11, 0};
    if (K->t22 == 0)
        return q;
    double det = tangent_det(K);
    q.t1 = difference_of_products(K->t22, r.t1, K->t12, r.t2) / det;
    q.t2 = difference_of_products(K->t11, r.t2, K->t12, r.t1) / det;
    return q;
}

#endif

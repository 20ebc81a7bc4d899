/* Sums over the points of core/radau.h: integrals, and the polynomial through them. */
#ifndef CAROM_CORE_COLLOCATION_H
#define CAROM_CORE_COLLOCATION_H

#include "contact/lanes.h"
#include "core/quad.h"
#include "core/radau.h"

/* The sum of products at the points, in one order for all instruction sets. */
static inline double radau_dot(const double *x, const double *y)
{
    quad even = quad_times(quad_load(x), quad_load(y)), odd = quad_times(quad_load(x + 4), quad_load(y + 4));
    for (int i = 8; i < RADAU; i += 8) {
        even = quad_step(quad_load(x + i), quad_load(y + i), even);
        odd = quad_step(quad_load(x + i + 4), quad_load(y + i + 4), odd);
    }
    return quad_sum(quad_plus(even, odd));
}

/* Sums with a table, all at once: of radau_integral, the integrals of f up to every point. */
LANES_INLINE void radau_sums(const double (*table)[RADAU], const double *f, double *restrict sum)
{
#pragma omp simd
    for (int i = 0; i < RADAU; i++) {
        double even = 0, odd = 0;
        for (int j = 0; j < RADAU; j += 2) {
            even += table[j][i] * f[j];
            odd += table[j + 1][i] * f[j + 1];
        }
        sum[i] = even + odd;
    }
}

static const double radau_ones[RADAU] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* The polynomial through the points and 0, at x > 0: shares of the points and of 0, over their sum. Where x is a point
 * of the rule, it has all. */
typedef struct radau_shares {
    double at[RADAU], first, sum;
} radau_shares;

LANES_INLINE void radau_shares_at(double x, radau_shares *p)
{
    double *restrict at = p->at;
#pragma omp simd
    for (int i = 0; i < RADAU; i++)
        at[i] = radau_at[i] / (x - radau_x[i]);
    p->first = radau_at_0 / x;
    p->sum = p->first + radau_dot(at, radau_ones);
    if (!(fabs(p->sum) < INFINITY)) {
        p->first = 0;
        p->sum = 1;
        for (int i = 0; i < RADAU; i++)
            at[i] = x == radau_x[i];
    }
}

#endif

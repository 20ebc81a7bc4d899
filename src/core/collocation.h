/* Sums over the points of core/radau.h: integrals, and the polynomial through them. */
#ifndef CAROM_CORE_COLLOCATION_H
#define CAROM_CORE_COLLOCATION_H

#include <math.h>

#include "core/radau.h"

enum { POINTS = RADAU }; /* values at the points: an array of so many numbers */

/* The sum of products at the points: eight partial sums. */
static inline real radau_dot(const real *x, const real *y)
{
    enum { PARTS = 8 };
    real sum[PARTS] = {0}, four[4], two[2];
    for (int i = 0; i < RADAU; i += PARTS)
#pragma omp simd
        for (int k = 0; k < PARTS; k++)
            sum[k] += x[i + k] * y[i + k];
#pragma omp simd
    for (int k = 0; k < 4; k++)
        four[k] = sum[k] + sum[k + 4];
#pragma omp simd
    for (int k = 0; k < 2; k++)
        two[k] = four[k] + four[k + 2];
    return two[0] + two[1];
}

/* Sums with a table, all at once: of radau_integral, the integrals of f up to every point. */
static inline void radau_sums(const real (*table)[RADAU], const real *f, real *restrict sum)
{
#pragma omp simd
    for (int i = 0; i < RADAU; i++) {
        real even = 0, odd = 0;
        for (int j = 0; j < RADAU; j += 2) {
            even += table[j][i] * f[j];
            odd += table[j + 1][i] * f[j + 1];
        }
        sum[i] = even + odd;
    }
}

/* The first of the points at which this is not zero, or RADAU. */
static inline int first_of(const int *at)
{
    int first = RADAU;
#pragma omp simd reduction(min : first)
    for (int i = 0; i < RADAU; i++) {
        const int here = at[i] ? i : RADAU;
        first = here < first ? here : first;
    }
    return first;
}

/* The polynomial through the points and 0, at x > 0: shares of the points and of 0, over their sum. Where x is a point
 * of the rule, it has all. */
typedef struct radau_shares {
    real at[POINTS], first, sum;
} radau_shares;

static inline void radau_shares_at(real x, radau_shares *p)
{
    real *restrict at = p->at, ones[POINTS];
    for (int i = 0; i < POINTS; i++)
        ones[i] = 1;
#pragma omp simd
    for (int i = 0; i < POINTS; i++)
        at[i] = radau_at[i] / (x - radau_x[i]);
    p->first = radau_at_0 / x;
    p->sum = p->first + radau_dot(at, ones);
    if (!(fabs(p->sum) < INFINITY)) {
        p->first = 0;
        p->sum = 1;
        for (int i = 0; i < POINTS; i++)
            at[i] = x == radau_x[i];
    }
}

/* Their values alone, where numbers carry partial derivatives (derivative/number_sums.hpp). */
#if !CARRIES_PARTIALS
static inline double radau_value(const double *x, const double *y)
{
    return radau_dot(x, y);
}

static inline void radau_values(const double (*table)[RADAU], const double *f, double *restrict sum)
{
    radau_sums(table, f, sum);
}

/* The value at the end, which is the last point. */
static inline double end_value(const double *x)
{
    return x[RADAU - 1];
}
#endif

#endif

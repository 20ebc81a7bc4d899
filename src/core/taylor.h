/* Taylor polynomials: evaluate them, see how far they reach, find where they first fall to zero.
 *
 *     c(t) = c[0] + c[1] t + ... + c[n] t^n,   0 <= t <= h
 *
 * The integrators of the laws expand their unknowns once per step; everything else is computed from these polynomials:
 * no step is taken back to find an event. */
#ifndef CAROM_CORE_TAYLOR_H
#define CAROM_CORE_TAYLOR_H

#include <stdbool.h>

#include "core/num.h"

static inline double taylor_at(const double *c, int n, double t)
{
    double sum = c[n];
    for (int i = n - 1; i >= 0; i--)
        sum = sum * t + c[i];
    return sum;
}

/* The value at t, and the slope there. */
static inline double taylor_at_slope(const double *c, int n, double t, double *slope)
{
    double sum = c[n], d = 0;
    for (int i = n - 1; i >= 0; i--) {
        d = d * t + sum;
        sum = sum * t + c[i];
    }
    *slope = d;
    return sum;
}

/* The length t at which the terms n - 1 and n, of sizes last[0] and last[1] at t = 1, have fallen to tol. Large when
 * both vanish, zero when one is infinite or NaN. */
double taylor_reach(const double last[2], int n, double tol);

/* The first t in [0, h] where the polynomial falls to zero; c[0] > 0 before it (t = 0 is the answer when not). True
 * when there is one. The polynomial is sampled at `samples` points, and between two of them also at its dip, so
 * pairs of roots are seen; choose samples so that it has at most one dip between two points. */
bool taylor_falls(const double *c, int n, double h, int samples, double *t);

#endif

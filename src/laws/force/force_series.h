/* Taylor coefficients of sums, products, quotients, roots and powers, one order at a time.
 *
 * A series holds c[0] ... c[FORCE_ORDER] of one unknown about the present point of a path. Each function returns the
 * coefficient of order k from coefficients up to k, so a system of equations is expanded by one loop over k. */
#ifndef CAROM_LAWS_FORCE_SERIES_H
#define CAROM_LAWS_FORCE_SERIES_H

#include <math.h>

#include "carom/elementary.h"
#include "core/taylor.h"

enum { FORCE_ORDER = 24 };

typedef double force_series[FORCE_ORDER + 1];

static inline double series_product(const double *a, const double *b, int k)
{
    double even = 0, odd = 0;
    int i = 0;
    for (; i < k; i += 2) {
        even += a[i] * b[k - i];
        odd += a[i + 1] * b[k - i - 1];
    }
    return (i == k ? even + a[k] * b[0] : even) + odd;
}

/* r = sqrt(b), b[0] > 0 */
static inline double series_sqrt(const double *b, const double *r, int k)
{
    if (k == 0)
        return sqrt(b[0]);
    double sum = b[k];
    for (int i = 1; i < k; i++)
        sum -= r[i] * r[k - i];
    return sum / (2 * r[0]);
}

/* q = a / b, b[0] not zero */
static inline double series_quotient(const double *a, const double *b, const double *q, int k)
{
    double sum = a[k];
    for (int i = 1; i <= k; i++)
        sum -= b[i] * q[k - i];
    return sum / b[0];
}

/* q = y^power, y[0] > 0 */
static inline double series_power(const double *y, double power, const double *q, int k)
{
    if (k == 0)
        return carom_pow(y[0], power);
    double sum = 0;
    for (int i = 1; i <= k; i++)
        sum += (power * i - (k - i)) * y[i] * q[k - i];
    return sum / (k * y[0]);
}

static inline double series_at(const double *c, double t)
{
    return taylor_at(c, FORCE_ORDER, t);
}

/* The value at t becomes the first coefficient. */
static inline void series_move(double *c, double t)
{
    c[0] = series_at(c, t);
}

enum { FORCE_SAMPLES = 4 }; /* of a step, when a root is looked for: a step is shorter than a radian */

/* If the series, divided by t^zeros, falls to zero before *h, *h becomes that time. `zeros` says how many of its first
 * coefficients are zero but for rounding. */
static inline bool series_falls(const double *c, int zeros, int order, double *h)
{
    double t;
    if (!taylor_falls(c + zeros, order - zeros, *h, FORCE_SAMPLES, &t))
        return false;
    *h = t;
    return true;
}

#define POLISH_MOST 1e-3 /* of h: a root of the square is nearer than this to the root of the cone itself */

/* The root of mu F_n - |F_t| near h, where the root of its square was found: squares have larger terms. f2 may be null.
 */
static inline double series_cone_root(const double *fn, const double *f1, const double *f2, double mu, double h)
{
    for (int i = 0; i < 2; i++) {
        double dn, d1, d2 = 0;
        double n = taylor_at_slope(fn, FORCE_ORDER, h, &dn), a = taylor_at_slope(f1, FORCE_ORDER, h, &d1);
        double b = f2 ? taylor_at_slope(f2, FORCE_ORDER, h, &d2) : 0, size = carom_hypot(a, b);
        double step = (mu * n - size) / (mu * dn - (a * d1 + b * d2) / size);
        if (!(fabs(step) <= POLISH_MOST * h))
            break;
        h -= step;
    }
    return h;
}

#endif

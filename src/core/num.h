/* Numbers: the few floating-point facts the rest relies on. Needs only libm. */
#ifndef CAROM_CORE_NUM_H
#define CAROM_CORE_NUM_H

#include <float.h>
#include <math.h>

#define EPS DBL_EPSILON /* 2^-52 */

/* a b - c d to 3 units in the last place, however much the products cancel: the plain difference where they hardly do,
 * Kahan's compensated one elsewhere. (Kahan's alone is right everywhere, but four times the cost without an FMA
 * instruction.) */
static inline double diff_of_products(double a, double b, double c, double d)
{
    double ab = a * b, cd = c * d, plain = ab - cd;
#ifdef __FMA__ /* no branch, so that loops vectorise; the same bits either way */
    double exact = fma(a, b, -cd) + fma(-c, d, cd);
    return fabs(plain) >= 0.5 * fabs(ab) ? plain : exact;
#else
    if (fabs(plain) >= 0.5 * fabs(ab))
        return plain;
    return fma(a, b, -cd) + fma(-c, d, cd);
#endif
}

static inline double square(double x)
{
    return x * x;
}

/* fmax without the library call and its care for NaN. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif

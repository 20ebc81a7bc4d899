/* Numbers: the few floating-point facts the rest relies on. Needs only libm. */
#ifndef CAROM_CORE_NUM_H
#define CAROM_CORE_NUM_H

#include <float.h>
#include <math.h>

#define EPS DBL_EPSILON /* 2^-52 */

/* a b - c d with an error of 1.5 units in the last place, however much the products cancel (Kahan). */
static inline double diff_of_products(double a, double b, double c, double d)
{
    double cd = c * d;
    double error = fma(-c, d, cd);
    return fma(a, b, -cd) + error;
}

static inline double square(double x)
{
    return x * x;
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif

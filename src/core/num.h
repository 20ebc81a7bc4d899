/* Numbers: the few floating-point facts the rest relies on. Needs only libm. */
#ifndef CAROM_CORE_NUM_H
#define CAROM_CORE_NUM_H

#include <float.h>
#include <math.h>

#define EPS DBL_EPSILON /* 2^-52 */

/* What is seldom needed and would crowd the registers of what is. */
#if defined(__GNUC__)
#define SELDOM __attribute__((noinline, cold, unused))
#else
#define SELDOM
#endif

/* Kahan's compensated difference. */
static inline double exact_difference(double a, double b, double c, double d)
{
    double cd = c * d;
    return fma(a, b, -cd) + fma(-c, d, cd);
}

static SELDOM double cancelled_difference(double a, double b, double c, double d)
{
    return exact_difference(a, b, c, d);
}

/* a b - c d to 3 units in the last place, however much the products cancel: the plain difference where they hardly do,
 * Kahan's elsewhere. (Kahan's alone is right everywhere, but four times the cost without an FMA instruction.) */
static inline double diff_of_products(double a, double b, double c, double d)
{
    double ab = a * b, plain = ab - c * d;
#ifdef __FMA__ /* no branch, so that loops vectorise; the same bits either way */
    return fabs(plain) >= 0.5 * fabs(ab) ? plain : exact_difference(a, b, c, d);
#else
    return fabs(plain) >= 0.5 * fabs(ab) ? plain : cancelled_difference(a, b, c, d);
#endif
}

/* a b - c^2, likewise, for a, b >= 0: the 2x2 minor of a symmetric matrix. */
static inline double minor_of(double a, double b, double c)
{
    double cc = c * c, plain = a * b - cc;
#ifdef __FMA__
    return plain >= cc ? plain : exact_difference(a, b, c, c);
#else
    return plain >= cc ? plain : cancelled_difference(a, b, c, c);
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

/* Scaling by it is exact. */
static inline double power_of_two_near(double x)
{
    int exponent;
    frexp(x, &exponent);
    return x > 0 ? ldexp(1, exponent) : 1;
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif

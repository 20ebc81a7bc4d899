/* Numbers: the few floating-point facts the rest relies on. Needs only libm. */
#ifndef CAROM_CORE_NUM_H
#define CAROM_CORE_NUM_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

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

/* frexp's exponent of a positive number, without the library call where it is normal. */
static inline int exponent_of(double x)
{
    uint64_t bits;
    int e;
    memcpy(&bits, &x, sizeof bits);
    if (x >= DBL_MIN)
        return (int)(bits >> 52) - 1022;
    (void)frexp(x, &e);
    return e;
}

/* 2^n, likewise. */
static inline double power_of_two(int n)
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;
    if (n < -1022 || n > 1023)
        return ldexp(1, n);
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif

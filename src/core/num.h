/* Numbers: the few floating-point facts the rest relies on. Needs only libm. */
#ifndef CAROM_CORE_NUM_H
#define CAROM_CORE_NUM_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/fused.h"

#define EPS DBL_EPSILON /* 2^-52 */

/* What is seldom needed and would crowd the registers of what is. */
#if defined(__GNUC__)
#define SELDOM __attribute__((noinline, cold, unused))
#else
#define SELDOM
#endif

static SELDOM double cancelled_difference(double a, double b, double c, double d)
{
    return exact_difference(a, b, c, d);
}

/* exact_difference but for the last bits, for code that as a rule has no FMA at hand: plain where the products hardly
 * cancel. */
static inline double diff_of_products(double a, double b, double c, double d)
{
    double cd = c * d, plain = a * b - cd;
    if (FUSED_AT_HAND) /* no branch, so that loops vectorise; the same bits either way */
        return fabs(plain) >= fabs(cd) ? plain : exact_difference(a, b, c, d);
    return fabs(plain) >= fabs(cd) ? plain : cancelled_difference(a, b, c, d);
}

static inline double square(double x)
{
    return x * x;
}

/* a b - c^2: the 2x2 minor of a symmetric matrix. */
static inline double minor_of(double a, double b, double c)
{
    return exact_difference(a, b, c, c);
}

/* fmax without the library call and its care for NaN. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Doubles that are not negative order like their bits, and those of negative ones and of NaN are larger. */
static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The bits of |x|, times two. */
static inline uint64_t size_bits(double x)
{
    return bits_of(x) << 1;
}

/* frexp's exponent of a positive number, without the library call where it is normal. */
static inline int exponent_of(double x)
{
    int e;
    if (x >= DBL_MIN)
        return (int)(bits_of(x) >> 52) - 1022;
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

/* 2^-n of a normal x from 2^n to 2^(n + 1). */
static inline double power_of_two_against(double x)
{
    uint64_t bits = bits_of(0x1p1023) - (bits_of(x) & bits_of(INFINITY));
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Scaling by it is exact. */
static inline double power_of_two_near(double x)
{
    return x > 0 ? power_of_two(exponent_of(x)) : 1;
}

/* log2 of a normal x from below, to LOG2_ROUGH: linear between powers of two. */
#define LOG2_ROUGH 0.0861
static inline double log2_below(double x)
{
    int e = exponent_of(x);
    return e - 2 * (1 - x * power_of_two(-e));
}

/* 2^x from below, to 0.6 %: a cubic between powers of two. */
static inline double exp2_below(double x)
{
    double n = floor(x), f = x - n;
    return power_of_two((int)n) * (1 + f * (0.6931 + f * (0.2402 + f * 0.0555)));
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif

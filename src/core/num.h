/* Numbers: the few floating-point facts the rest relies on. Needs only libm. */
#ifndef CAROM_CORE_NUM_H
#define CAROM_CORE_NUM_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "carom/elementary.h"

#define EPS DBL_EPSILON /* 2^-52 */

/* Kept out of line: rarely called, and inlining it costs registers. */
#if defined(__GNUC__)
#define COLD __attribute__((noinline, cold, unused))
#else
#define COLD
#endif

/* Laws and paths are compiled a second time with numbers that carry partial derivatives (derivative/number.hpp). There
 * real_of(x) and plain(x) are x without them, and implicit_root(x, f, slope) is the root x with those of the root of f,
 * which was evaluated at plain(x): -f' / slope, however x was found. Here all are x. */
#ifndef CARRIES_PARTIALS
#define CARRIES_PARTIALS 0

typedef double real; /* a number that never carries any: a constant, or a step that values choose */

static inline real real_of(double x)
{
    return x;
}

static inline double plain(double x)
{
    return x;
}

static inline double implicit_root(double x, double f, double slope)
{
    (void)f, (void)slope;
    return x;
}
#endif

/* a b - c d to 2 units in the last place, however much the products cancel (Kahan). */
static inline double difference_of_products(double a, double b, double c, double d)
{
    double cd = c * d;
    return fma(a, b, -cd) + fma(-c, d, cd);
}

static inline double square(double x)
{
    return x * x;
}

/* The length of (a, b), without the library call where squares neither overflow nor vanish. */
static inline double length_of(double a, double b)
{
    double sum = a * a + b * b;
    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : carom_hypot(a, b);
}

/* a b - c^2: the 2x2 minor of a symmetric matrix. */
static inline double minor_of(double a, double b, double c)
{
    return difference_of_products(a, b, c, c);
}

/* fmax and fmin without the library call and its care for NaN. */
static inline double max(double a, double b)
{
    return a > b ? a : b;
}

static inline double min(double a, double b)
{
    return a < b ? a : b;
}

/* Doubles that are not negative order like their bits, and the bits of negative ones and of NaN are larger. */
static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
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
    double x = 0;
    if (n < -1022 || n > 1023)
        return ldexp(1, n);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* Scaling by it is exact. */
static inline double power_of_two_near(double x)
{
    return x > 0 ? power_of_two(exponent_of(x)) : 1;
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

#endif

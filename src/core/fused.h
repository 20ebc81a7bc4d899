/* a b + c and a b - c d with the roundings of an FMA: the instruction, or the same bits without it. */
#ifndef CAROM_CORE_FUSED_H
#define CAROM_CORE_FUSED_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/dd.h"

#if defined(FP_FAST_FMA) || defined(__FMA__)
#define FUSED_AT_HAND 1
#else
#define FUSED_AT_HAND 0
#endif

/* Long where it is seldom run, and it would be everywhere. */
#if defined(__GNUC__)
#define FUSED_APART __attribute__((noinline, unused))
#else
#define FUSED_APART
#endif

/* ---- by parts ---- */

/* The upper 26 bits of a, which is below 2^996 (Veltkamp). */
static inline double upper_half(double a)
{
    double t = 0x1.0000002p27 * a;
    return t - (t - a);
}

/* a b, exactly (Dekker). */
static inline dd split_product(double a, double b)
{
    double p = a * b, a_up = upper_half(a), b_up = upper_half(b), a_low = a - a_up, b_low = b - b_up;
    dd r = {p, ((a_up * b_up - p) + a_up * b_low + a_low * b_up) + a_low * b_low};
    return r;
}

/* Which that is for numbers of ordinary size. */
static inline bool has_parts(double a, double b)
{
    return fabs(a) < 0x1p500 && fabs(b) < 0x1p500 && fabs(a * b) > 0x1p-900;
}

/* a + b rounded to odd: cut off, with the last bit set where anything was cut off. */
static inline double sum_to_odd(double a, double b)
{
    const dd s = two_sum(a, b);
    uint64_t bits;
    double odd = s.hi;
    memcpy(&bits, &odd, sizeof bits);
    if (s.lo != 0 && bits % 2 == 0) {
        bits += (s.lo > 0) == (s.hi > 0) ? 1 : (uint64_t)-1;
        memcpy(&odd, &bits, sizeof odd);
    }
    return odd;
}

/* x + c, rounded once: of the three numbers the small ones are rounded to odd, which the last rounding does not notice
 * (Boldo and Melquiond 2008). */
static inline double rounded_once(dd x, double c)
{
    const dd low = two_sum(c, x.lo), high = two_sum(x.hi, low.hi);
    return high.hi + sum_to_odd(low.lo, high.lo);
}

/* What is of uncommon size is left to the library, which is slow without the instruction. */
static FUSED_APART double fused_by_parts(double a, double b, double c)
{
    if (a == 0 || b == 0)
        return a * b + c;
    if (!(has_parts(a, b) && fabs(c) < 0x1p900))
        return fma(a, b, c);
    return rounded_once(split_product(a, b), c);
}

static FUSED_APART double difference_by_parts(double a, double b, double c, double d)
{
    double cd = c * d;
    bool none = a == 0 || b == 0;
    if (c == 0 || d == 0)
        return (a * b - cd) + (-c * d + cd);
    if (!(has_parts(c, d) && (none || has_parts(a, b))))
        return fma(a, b, -cd) + fma(-c, d, cd);
    return (none ? a * b - cd : rounded_once(split_product(a, b), -cd)) - split_product(c, d).lo;
}

/* ---- by whichever there is ---- */

/* Built for processors that may not have the instruction, on one that does: then the library uses it. */
static inline bool library_has_fused(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* a b + c, rounded once. */
static inline double fused(double a, double b, double c)
{
    return FUSED_AT_HAND || library_has_fused() ? fma(a, b, c) : fused_by_parts(a, b, c);
}

/* a b - c d to 2 units in the last place, however much the products cancel (Kahan). */
static inline double exact_difference(double a, double b, double c, double d)
{
    if (!FUSED_AT_HAND && !library_has_fused())
        return difference_by_parts(a, b, c, d);
    double cd = c * d;
    return fma(a, b, -cd) + fma(-c, d, cd);
}

#endif

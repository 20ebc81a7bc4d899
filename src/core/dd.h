/* Double-double: an unevaluated sum of two doubles, about 32 digits, for the few differences that decide digits.
 *
 * The sums and products below are exact (Knuth, Dekker); they need round-to-nearest and no contraction, which the flags
 * of the project guarantee. */
#ifndef CAROM_CORE_DD_H
#define CAROM_CORE_DD_H

#include <math.h>

typedef struct dd {
    double hi, lo;
} dd;

static inline dd dd_of(double x)
{
    dd r = {x, 0};
    return r;
}

/* a + b, exactly. */
static inline dd two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    dd r = {s, (a - (s - t)) + (b - t)};
    return r;
}

/* a + b, exactly, when |a| >= |b| or a = 0. */
static inline dd quick_sum(double a, double b)
{
    double s = a + b;
    dd r = {s, b - (s - a)};
    return r;
}

/* a b, exactly. */
static inline dd two_prod(double a, double b)
{
    double p = a * b;
    dd r = {p, fma(a, b, -p)};
    return r;
}

static inline dd dd_add(dd a, dd b)
{
    dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = quick_sum(s.hi, s.lo + t.hi);
    return quick_sum(s.hi, s.lo + t.lo);
}

static inline dd dd_sub(dd a, dd b)
{
    dd minus = {-b.hi, -b.lo};
    return dd_add(a, minus);
}

static inline dd dd_mul(dd a, double b)
{
    dd p = two_prod(a.hi, b);
    return quick_sum(p.hi, p.lo + a.lo * b);
}

/* a b + c d. */
static inline dd dd_dot(double a, double b, double c, double d)
{
    return dd_add(two_prod(a, b), two_prod(c, d));
}

static inline double dd_value(dd a)
{
    return a.hi + a.lo;
}

#endif

/* What the elementary functions share: exact products without fma, which is slow where no instruction has it. */
#ifndef CAROM_CORE_ELEMENTARY_PARTS_H
#define CAROM_CORE_ELEMENTARY_PARTS_H

#include <math.h>

#include "core/dd.h"

#define TO_INTEGER 0x1.8p52 /* adding and subtracting it rounds to the nearest integer, below 2^51 */

/* The upper 26 bits of x and the rest (Veltkamp), |x| < 2^996. */
static inline dd halves(double x)
{
    double t = 134217729 * x, high = t - (t - x);
    return (dd){high, x - high};
}

/* a b, exactly (Dekker), unless a factor is huge or the product tiny. */
static inline dd product(double a, double b)
{
    double p = a * b;
    dd x = halves(a), y = halves(b);
    return (dd){p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

/* The square root of a positive sum. */
static inline dd root_of(dd a)
{
    double r = sqrt(a.hi);
    if (!(r > 0))
        return (dd){r, 0};
    dd square = product(r, r);
    return quick_sum(r, ((a.hi - square.hi) - square.lo + a.lo) / (2 * r));
}

#endif

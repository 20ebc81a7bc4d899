/* Sine and cosine from sums and products alone, so that a simulation has the same bits with every C library.
 *
 * The angle is reduced by multiples of pi/2, which is subtracted in three parts of 33, 33 and 53 bits (exact while the
 * multiple stays below 2^20); the rest, at most pi/4, goes into Taylor series that end below 2^-56. */
#ifndef CAROM_SIM_CIRCULAR_H
#define CAROM_SIM_CIRCULAR_H

#include "core/elementary_tables.h"
#include "core/num.h"

typedef struct circular {
    double cos, sin;
} circular;

static inline double sine_series(double x)
{
    double y = x * x;
    double s = 1.0 / 355687428096000.0;
    s = s * y - 1.0 / 1307674368000.0;
    s = s * y + 1.0 / 6227020800.0;
    s = s * y - 1.0 / 39916800.0;
    s = s * y + 1.0 / 362880.0;
    s = s * y - 1.0 / 5040.0;
    s = s * y + 1.0 / 120.0;
    s = s * y - 1.0 / 6.0;
    return x + x * (y * s);
}

static inline double cosine_series(double x)
{
    double y = x * x;
    double c = 1.0 / 20922789888000.0;
    c = c * y - 1.0 / 87178291200.0;
    c = c * y + 1.0 / 479001600.0;
    c = c * y - 1.0 / 3628800.0;
    c = c * y + 1.0 / 40320.0;
    c = c * y - 1.0 / 720.0;
    c = c * y + 1.0 / 24.0;
    return (1 - 0.5 * y) + y * y * c;
}

static inline circular circular_of(double angle)
{
    double k = floor(angle * 0.63661977236758134308 + 0.5);
    double x = ((angle - k * HALF_PI_1) - k * HALF_PI_2) - k * HALF_PI_3;
    double s = sine_series(x), c = cosine_series(x);
    int quarter = (int)(k - 4 * floor(0.25 * k));
    circular out = {quarter == 0   ? c
                    : quarter == 1 ? -s
                    : quarter == 2 ? -c
                                   : s,
                    quarter == 0   ? s
                    : quarter == 1 ? c
                    : quarter == 2 ? -s
                                   : -c};
    return out;
}

#endif

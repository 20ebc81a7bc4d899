/* The first time at which a polynomial gap closes.
 *
 * A gap is c + b s + ... , positive while apart. The answer is the first s >= 0 where it reaches zero from above; where
 * it begins at zero (or below, by rounding) it counts as closing at once when it falls, and as open when it rises. */
#ifndef CAROM_SIM_FALL_H
#define CAROM_SIM_FALL_H

#include <math.h>

/* c + b s + a s^2 / 2, in the form of the formula that does not cancel. */
static inline double fall_quadratic(double c, double b, double a)
{
    c = c > 0 ? c : 0;
    if (c == 0 && (b < 0 || (b == 0 && a < 0)))
        return 0;
    double disc = b * b - 2 * a * c;
    if (b < 0)
        return disc >= 0 ? 2 * c / (sqrt(disc) - b) : INFINITY;
    return a < 0 ? (b + sqrt(disc)) / -a : INFINITY;
}

enum { FALL_DEGREE = 4 };

/* Any degree up to four. */
double fall_polynomial(const double *c, int degree);

#endif

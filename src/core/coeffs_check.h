/* The ranges of the coefficients, all at once. */
#ifndef CAROM_CORE_COEFFS_CHECK_H
#define CAROM_CORE_COEFFS_CHECK_H

#include <stdbool.h>

#include "carom/coeffs.h"
#include "core/num.h"

#define WEIGHT_TOL (4 * DBL_EPSILON) /* s_1 + s_2 may miss 1 by the rounding of decimal fractions */

static inline bool static_friction_fits(const carom_coeffs *c)
{
    return (c->mu_s == CAROM_SAME_AS_MU) | ((c->mu_s >= c->mu) & (c->mu_s <= CAROM_UNBOUNDED));
}

static inline bool weights_fit(const carom_coeffs *c)
{
    return c->s_1 + c->s_2 <= 1 + WEIGHT_TOL;
}

/* min and max are constants: one comparison of bits does where the range is symmetric or not negative, and leaves the
 * units for floating point to others. (-0 is left to those who look closely.) */
static inline bool is_between(double x, double min, double max)
{
    if (min < 0)
        return min == -max ? size_bits(x) <= size_bits(max) : (x >= min) & (x <= max);
    return bits_of(x) - bits_of(min) <= bits_of(max) - bits_of(min);
}

/* e may be negative here: a law that wants e >= 0 says so. mu_s has a word of its own above. */
#define COEFF_FITS(c, name, min, max)                                                                                  \
    (CAROM_COEFF_##name == CAROM_COEFF_mu_s ||                                                                         \
     is_between((c)->name, CAROM_COEFF_##name == CAROM_COEFF_e ? -1 : (min), max))

/* True: all are in range. (False: carom_coeffs_check has the word.) NaN fails every comparison. Without a branch, for
 * vector loops. */
static inline bool coeffs_in_range(const carom_coeffs *c)
{
    bool ok = static_friction_fits(c) & weights_fit(c);
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) ok &= COEFF_FITS(c, name, min, max);
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return ok;
}

/* The same, by branches that hardly ever go the other way. */
static inline bool coeffs_are_good(const carom_coeffs *c)
{
    if ((c->mu_s != CAROM_SAME_AS_MU && !static_friction_fits(c)) || !weights_fit(c))
        return false;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    if (!COEFF_FITS(c, name, min, max))                                                                                \
        return false;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return true;
}

#endif

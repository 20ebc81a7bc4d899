/* The ranges of the coefficients, all at once and without a branch, so that loops over rows vectorise. */
#ifndef CAROM_CORE_COEFFS_CHECK_H
#define CAROM_CORE_COEFFS_CHECK_H

#include <stdbool.h>

#include "carom/coeffs.h"
#include "core/num.h"

#define WEIGHT_TOL (4 * EPS) /* s_1 + s_2 may miss 1 by the rounding of decimal fractions */

static inline bool static_friction_fits(const carom_coeffs *c)
{
    return (c->mu_s == CAROM_SAME_AS_MU) | ((c->mu_s >= c->mu) & (c->mu_s <= CAROM_INFINITE));
}

static inline bool weights_fit(const carom_coeffs *c)
{
    return c->s_1 + c->s_2 <= 1 + WEIGHT_TOL;
}

static inline bool annuli_fit(const carom_coeffs *c)
{
    return c->annuli == floor(c->annuli);
}

/* True: all are in range. NaN fails every comparison. e may be negative here: a law that wants e >= 0 has no trait
 * signed-e. The range of mu_s depends on mu. */
static inline bool coeffs_in_range(const carom_coeffs *c)
{
    bool ok = static_friction_fits(c) & weights_fit(c) & annuli_fit(c);
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    ok &= (CAROM_COEFF_##name == CAROM_COEFF_mu_s) |                                                                   \
          ((c->name >= (CAROM_COEFF_##name == CAROM_COEFF_e ? -1 : (min))) & (c->name <= (max)));
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return ok;
}

#endif

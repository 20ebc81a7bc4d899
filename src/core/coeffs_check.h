/* The ranges of the coefficients, without a branch, so that loops over coefficients and over rows vectorise. NaN fails
 * every comparison. */
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

/* What a range does not show. */
static inline bool coeffs_fit(const carom_coeffs *c)
{
    return static_friction_fits(c) & weights_fit(c) & annuli_fit(c);
}

/* In the order of the manifest. e may be negative here: a law that needs e >= 0 has no trait signed-e. mu_s that is not
 * given is CAROM_SAME_AS_MU. */
static const double coeff_min[CAROM_COEFF_COUNT] = {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    CAROM_COEFF_##name == CAROM_COEFF_e || CAROM_COEFF_##name == CAROM_COEFF_mu_s ? -1 : (min),
#include "carom/coeffs.def"
#undef CAROM_COEFF
};

static const double coeff_max[CAROM_COEFF_COUNT] = {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) max,
#include "carom/coeffs.def"
#undef CAROM_COEFF
};

static inline bool coeff_in_range(double value, int i)
{
    return (value >= coeff_min[i]) & (value <= coeff_max[i]);
}

/* True: all are in range. Coefficients are the first members of their struct, in the order of the manifest. */
static inline bool coeffs_in_range(const carom_coeffs *c)
{
    const double *value = (const double *)c;
    long long ok = coeffs_fit(c); /* as wide as a coefficient */
#pragma omp simd reduction(& : ok)
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        ok &= coeff_in_range(value[i], i);
    return ok;
}

#endif

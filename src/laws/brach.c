/* brach: the ratio of tangential to normal impulse is given.
 *
 * Hypothesis   p_t = rho p_n with a known vector rho (with sign), and Newton's restitution along the normal.
 * Equations    p_n = (1 + e) v_n / (K_nn + k . rho),   p_t = rho p_n                   (1)
 *              no impulse is admissible unless K_nn + k . rho > 0                      (2)
 *              grazing, v_n = 0, needs none
 * Page         docs/laws/brach.md
 * Reference    Brach (1991), Mechanical Impact Dynamics; Chatterjee (1997), section 5.2 */
#include "laws/law.h"

enum { PRESCRIBED = 1 };

static inline carom_impulse brach(const carom_impact *x, const carom_coeffs *c)
{
    double lift = x->K.nn + x->K.t1n * c->ratio_1 + x->K.t2n * c->ratio_2; /* K_nn + k . rho */
    double p_n = x->v_n > 0 ? (1 + c->e) * x->v_n / lift : 0;              /* (1) */
    p_n = (lift > 0) | (x->v_n == 0) ? p_n : NAN;                          /* (2) */
    return impulse_make(p_n * c->ratio_1, p_n * c->ratio_2, p_n, p_n > 0 ? PRESCRIBED : NO_IMPACT);
}

static const char *const brach_modes[] = {"no_impact", "prescribed"};

const carom_law carom_law_brach = {
    .id = "brach",
    .name = "Brach (impulse ratio)",
    .family = "algebraic",
    .summary = "The ratio of tangential to normal impulse is given; Newton's restitution along the normal.",
    .reference = "brach1991",
    .uses = CAROM_USES(e) | CAROM_USES(ratio_1) | CAROM_USES(ratio_2),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(brach_modes),
    .kernel = brach,
    .refusal = CAROM_STATUS_INADMISSIBLE,
};

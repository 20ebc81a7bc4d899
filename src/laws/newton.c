/* newton: frictionless impact with Newton's restitution.
 *
 * Hypothesis   no friction; the normal velocity reverses, scaled by e.
 * Equations    p_n = (1 + e) v_n / K_nn,   p_t = 0                                     (1)
 * Page         docs/laws/newton.md
 * Reference    Newton (1687), Corollary VI scholium; Routh (1905) */
#include "laws/law.h"

enum { FRICTIONLESS = 1 };

static inline carom_impulse newton(const carom_impact *x, const carom_coeffs *c)
{
    double p_n = (1 + c->e) * x->v_n / x->K.nn; /* (1) */
    return impulse_make(0, 0, p_n, p_n > 0 ? FRICTIONLESS : NO_IMPACT);
}

static const char *const newton_modes[] = {"no_impact", "frictionless"};

const carom_law carom_law_newton = {
    .id = "newton",
    .name = "Newton, frictionless",
    .family = "algebraic",
    .summary = "No friction; the normal velocity reverses, scaled by e.",
    .reference = "newton1687",
    .uses = CAROM_USES(e),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_UNIQUE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(newton_modes),
    .kernel = newton,
};

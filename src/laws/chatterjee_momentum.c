/* chatterjee-momentum: Chatterjee's law II.
 *
 * Hypothesis   the impulse is a mix of the two simplest ones: P1 stops the approach, P2 stops all motion. Restitution
 *              scales each; where the mix leaves the friction cone, it is cut back to the cone along P2 - P1.
 * Equations    P1 = (0, v_n / K_nn),   P2 = -K^+ u,   P = (1 + e) P1 + kappa (P2 - P1)                     (1)
 *              kappa = 1 + e_t if that lies in the cone, else                                              (2)
 *              kappa = mu (1 + e) P1_n / (|P2_t| - mu (P2_n - P1_n))                                       (3)
 * Energy       P1 and P2 - P1 are K-orthogonal, hence no term of
 *              2 dE = -(1 - e^2) |P1|^2_K - (1 - (kappa - 1)^2) |P2 - P1|^2_K  can be positive.            (4)
 * Page         docs/laws/chatterjee-momentum.md
 * Reference    Chatterjee (1997), section 6.5.2; Chatterjee and Ruina (1998). The slides' "algebraic resolution law".
 */
#include "laws/chatterjee.h"

enum { INTERIOR = 1 };

static inline carom_impulse chatterjee_momentum(const carom_impact *x, const carom_coeffs *c)
{
    double a = (1 + c->e) * x->v_n / x->K.nn;                                    /* (1 + e) P1_n */
    tvec q = tangential(impact_solve(x, carom_cvec_scale(-(1 + c->e_t), x->u))); /* (1 + e_t) P2_t, (2) */
    carom_cvec P = {q.t1, q.t2, a - pull(x, q) / x->K.nn}; /* (1): P2_n - P1_n = -k . P2_t / K_nn */
    return cut_back(x, c->mu, a, P, INTERIOR);             /* (3) */
}

static const char *const momentum_modes[] = {"no_impact", "interior", "cone"};

const carom_law carom_law_chatterjee_momentum = {
    .id = "chatterjee-momentum",
    .name = "Chatterjee II (impulse space)",
    .family = "algebraic",
    .summary = "Mixes the impulse that stops the approach with the one that stops all motion, inside the cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE |
              CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(momentum_modes),
    .kernel = chatterjee_momentum,
};

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
#include "laws/family_chatterjee.h"

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return multiplied(chatterjee_momentum(problem, s, c, ALL_DIVISIONS));
}

LANES_KERNEL(chatterjee_momentum_lanes, kernel, covers_all, MEDIUM)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
#define NAME(one, two) two,
    static const char *const modes[MOMENTUM_COUNT] = {MOMENTUM_MODES(NAME, 0)};
#undef NAME
    const verdict result = kernel(problem, s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(chatterjee_momentum)

#ifdef LANES_BASELINE
const carom_law carom_law_chatterjee_momentum = {
    .id = "chatterjee-momentum",
    .name = "Chatterjee II (impulse space)",
    .family = "algebraic",
    .summary = "Mixes the impulse that stops the approach with the one that stops all motion, inside the cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif

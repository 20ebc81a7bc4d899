/* chatterjee-velocity: Chatterjee's law I.
 *
 * Hypothesis   the direction Q of the impulse is that of the bilinear law for the masses M_nn and M_tautau, as if K
 *              were diagonal; its size is as large as energy allows, cut back when the rebound would exceed e.
 * Equations    Q_n = M_nn (1 + e) v_n,   Q_t = tau min(M_tautau (1 + e_t) v_t, mu Q_n)                     (1)
 *              P = -2 (Q . u) / (Q K Q) Q          conserves energy; leaves with normal velocity w         (2)
 *              (a) w > e v_n:   P scaled down to w = e v_n                                                 (3)
 *              (c) w < 0:       P_n <- P_n - 2 w / K_nn,   which reverses w and conserves energy           (4)
 *              (b) otherwise P as it is.
 *              v_n = 0:         Q = (mu tau, 1) if e_t > -1, the limit of (1); else Q_t = 0                (5)
 * Page         docs/laws/chatterjee-velocity.md
 * Reference    Chatterjee (1997), section 6.5.1; Chatterjee and Ruina (1998) */
#include "laws/family_chatterjee.h"

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return multiplied(chatterjee_velocity(problem, s, c, false));
}

LANES_KERNEL(chatterjee_velocity_lanes, kernel, steep, MEDIUM)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
#define NAME(one) one,
    static const char *const modes[VELOCITY_COUNT] = {VELOCITY_MODES(NAME)};
#undef NAME
    const verdict result = multiplied(chatterjee_velocity(problem, s, &rule->coeffs, true));
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(chatterjee_velocity)

#ifdef LANES_BASELINE
const carom_law carom_law_chatterjee_velocity = {
    .id = "chatterjee-velocity",
    .name = "Chatterjee I (velocity space)",
    .family = "algebraic",
    .summary = "The direction of the bilinear law for the masses seen along n and tau, as large as energy allows.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif

/* chatterjee-rebound: Chatterjee's law III.
 *
 * Hypothesis   the rebound velocity is given by two restitutions, u_n -> -e u_n and u_t -> -e_t u_t; if that has more
 *              energy than came in, it is scaled back to conserve energy; if its impulse leaves the friction cone, the
 *              impulse is cut back towards the frictionless one.
 * Equations    A = ((1 + e_t) v_t tau, (1 + e) v_n)       tentative u_after - u                            (1)
 *              C = -((1 - e_t) v_t tau, (1 - e) v_n)      tentative u_after + u                            (2)
 *              g = A M C / (u M u)                        relative energy gain, M = K^+                    (3)
 *              g > 0:  gamma = sqrt(1 + g), delta = g / (1 + gamma),
 *                      D = ((1 + e_t + delta) v_t tau, (1 + e + delta) v_n) / gamma;  else D = A           (4)
 *              P = M D;  outside the cone: cut back on the segment to (0, (1 + e) v_n / K_nn)              (5)
 *              Increments, not M (u_after - u): near grazing that difference has no digits left.
 *              g > 0: P does no work on C = ((1 - e_t + delta) u_t, (1 - e + delta) u_n) / gamma = u + u_after;
 *                     what rounding in D, magnified by M, adds to that lies along M C and comes off:
 *                     P <- P - M C (P C) / (C M C)                                                         (6)
 * Page         docs/laws/chatterjee-rebound.md
 * Reference    Chatterjee (1997), section 6.5.3 */
#include "laws/family_chatterjee.h"

LANES_INLINE verdict quick(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return multiplied(chatterjee_rebound(problem, s, c, ALL_DIVISIONS, SCALE_NEVER));
}

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return multiplied(chatterjee_rebound(problem, s, c, ALL_DIVISIONS, SCALE_ALWAYS));
}

LANES_TWO_KERNELS(chatterjee_rebound_lanes, quick, keeps_energy, kernel, covers_all, MEDIUM)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
#define NAME(one, two, three) three,
    static const char *const modes[REBOUND_COUNT] = {REBOUND_MODES(NAME, 0, 0)};
#undef NAME
    const verdict result = multiplied(chatterjee_rebound(problem, s, &rule->coeffs, ALL_DIVISIONS, SCALE_IF_NEEDED));
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(chatterjee_rebound)

#ifdef LANES_BASELINE
const carom_law carom_law_chatterjee_rebound = {
    .id = "chatterjee-rebound",
    .name = "Chatterjee III (rebound velocity)",
    .family = "algebraic",
    .summary = "Both restitutions set the rebound velocity, scaled back to the energy and cut back to the cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif

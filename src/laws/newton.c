/* newton: frictionless impact with Newton's restitution.
 *
 * Hypothesis   no friction; the normal velocity reverses, scaled by e.
 * Equations    p_n = -(1 + e) u_n / K_nn,   p_t = 0                                    (1)
 * Page         docs/laws/newton.md
 * Reference    Newton (1687), Corollary VI scholium; Routh (1905) */
#include "laws/family_algebraic.h"

enum { FRICTIONLESS = 1 };

static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)s;
    double p_n = -(1 + c->e) * problem->u.n / problem->K.nn; /* (1) */
    verdict result = {{0, 0, p_n}, p_n > 0 ? FRICTIONLESS : NO_IMPACT};
    return result;
}

LANES_KERNEL(newton_lanes, kernel, covers_all, LIGHT)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    static const char *const modes[] = {"no_impact", "frictionless"};
    const verdict result = kernel(problem, s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(newton)

#ifdef LANES_BASELINE
const carom_law carom_law_newton = {
    .id = "newton",
    .name = "Newton, frictionless",
    .family = "algebraic",
    .summary = "No friction; the normal velocity reverses, scaled by e.",
    .reference = "newton1687",
    .uses = CAROM_USES(e),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_UNIQUE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif

/* newton: frictionless impact with Newton's restitution.
 *
 * Hypothesis   no friction; the normal velocity reverses, scaled by e.
 * Equations    p_n = -(1 + e) u_n / K_nn,   p_t = 0                                    (1)
 * Page         docs/laws/newton.md
 * Reference    Newton (1687), Corollary VI scholium; Routh (1905) */
#include "laws/family_algebraic.h"

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    if (problem->u.n == 0)
        return CAROM_OK;
    out->p.n = -(1 + rule->coeffs.e) * problem->u.n / problem->K.nn; /* (1) */
    out->mode = "frictionless";
    return CAROM_OK;
}

const carom_law carom_law_newton = {
    .id = "newton",
    .name = "Newton, frictionless",
    .family = "algebraic",
    .summary = "No friction; the normal velocity reverses, scaled by e.",
    .reference = "newton1687",
    .uses = CAROM_USES(e),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
};

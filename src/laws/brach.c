/* brach: the ratio of tangential to normal impulse is given.
 *
 * Hypothesis   p_t = rho p_n with a known vector rho (with sign), and Newton's restitution along the normal.
 * Equations    p_n = (1 + e) v_n / (K_nn + k . rho),   p_t = rho p_n                   (1)
 *              no impulse is admissible unless K_nn + k . rho > 0                      (2)
 *              grazing, v_n = 0, needs none
 * Page         docs/laws/brach.md
 * Reference    Brach (1991), Mechanical Impact Dynamics; Chatterjee (1997), section 5.2 */
#include "laws/family_algebraic.h"

enum { PRESCRIBED = 1 };

static inline double lift_of(const carom_csym *K, const carom_coeffs *c)
{
    return K->nn + tvec_dot(coupling(K), tvec_make(c->ratio_1, c->ratio_2));
}

/* (2) */
static inline bool covers(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)s;
    return (lift_of(&problem->K, c) > 0) | (problem->u.n == 0);
}

static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)s;
    double D_n = rebound(problem, c->e), p_n = D_n > 0 ? D_n / lift_of(&problem->K, c) : 0; /* (1) */
    verdict result = {{p_n * c->ratio_1, p_n * c->ratio_2, p_n}, p_n > 0 ? PRESCRIBED : NO_IMPACT};
    return result;
}

LANES_KERNEL(brach_lanes, kernel, covers, LIGHT)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    static const char *const modes[] = {"no_impact", "prescribed"};
    if (!covers(problem, s, &rule->coeffs))
        return CAROM_STATUS_INADMISSIBLE;
    const verdict result = kernel(problem, s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(brach)

#ifdef LANES_BASELINE
const carom_law carom_law_brach = {
    .id = "brach",
    .name = "Brach (impulse ratio)",
    .family = "algebraic",
    .summary = "The ratio of tangential to normal impulse is given; Newton's restitution along the normal.",
    .reference = "brach1991",
    .uses = CAROM_USES(e) | CAROM_USES(ratio_1) | CAROM_USES(ratio_2),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_NEWTON_E,
    .solve = solve,
    .batch = &batch,
};
#endif

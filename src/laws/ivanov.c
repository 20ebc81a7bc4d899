/* ivanov: the direction of the impulse is given, and how much of the energy it could take it gives back.
 *
 * Hypothesis   the impulse is along p = (ratio_1, ratio_2, 1). Energy along it is a parabola: zero change at P = 0 and
 *              at the far side of the energy ellipsoid, least in the middle; eta = e places P between the two.
 * Equations    P = -(1 + eta) (p . u) / (p K p) p                                      (1)
 *              2 dE = -(1 - eta^2) (p . u)^2 / (p K p) <= 0                            (2)
 *              p must point into the ellipsoid: p . u < 0                              (3)
 * Page         docs/laws/ivanov.md
 * Reference    Ivanov (1992), J. Appl. Math. Mech. 56, 527-534; Chatterjee (1997), section 10.5 */
#include "laws/family_algebraic.h"

enum { IVANOV, INTERPENETRATING };

static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    carom_cvec p = {c->ratio_1, c->ratio_2, 1};
    double toward = carom_cvec_dot(p, problem->u);
    double lift = K->nn + tvec_dot(coupling(K), tangential(p));
    double stiff = square(lift) + complement_form(s, tangential(p)); /* K_nn p K p, as a sum of squares */
    double size = -(1 + c->e) * toward * K->nn / stiff;
    int branch = problem->u.n + size * lift < 0 ? INTERPENETRATING : IVANOV;
    verdict result = {carom_cvec_scale(size, p), (toward < 0) & (stiff > 0) ? branch : HARD}; /* (1) */
    return result;
}

LANES_KERNEL(ivanov_lanes, kernel)

#ifdef LANES_BASELINE
static carom_status single(const carom_problem *problem, const schur *s, const carom_rule *rule, carom_outcome *out)
{
    static const char *const modes[] = {"ivanov", "ivanov_interpenetrating"};
    const verdict result = kernel(problem, s, &rule->coeffs);
    if (result.branch == HARD)
        return CAROM_INADMISSIBLE; /* (3) */
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_OK;
}

ALGEBRAIC_SOLVE(ivanov)

const carom_law carom_law_ivanov = {
    .id = "ivanov",
    .name = "Ivanov (energy along a direction)",
    .family = "algebraic",
    .summary = "The impulse has a given direction; e = eta places it on its chord of the energy ellipsoid.",
    .reference = "ivanov1992",
    .uses = CAROM_USES(e) | CAROM_USES(ratio_1) | CAROM_USES(ratio_2),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_SIGNED_E,
    .solve = solve,
    .batch = &batch,
};
#endif

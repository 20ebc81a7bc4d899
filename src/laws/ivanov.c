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

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    const carom_csym *K = &problem->K;
    const carom_coeffs *c = &rule->coeffs;
    carom_cvec p = {c->ratio_1, c->ratio_2, 1};
    double toward = carom_cvec_dot(p, problem->u);
    double lift = K->nn + tvec_dot(coupling(K), tangential(p));
    const schur s = schur_of(K);
    double stiff = (square(lift) + complement_form(&s, tangential(p))) / K->nn; /* p K p, as a sum of squares */
    if (!(toward < 0) || !(stiff > 0))
        return CAROM_INADMISSIBLE; /* (3) */
    double size = -(1 + c->e) * toward / stiff;
    out->p = carom_cvec_scale(size, p); /* (1) */
    out->mode = problem->u.n + size * lift < 0 ? "ivanov_interpenetrating" : "ivanov";
    return CAROM_OK;
}

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
};

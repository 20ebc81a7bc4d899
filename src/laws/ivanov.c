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

typedef struct chord {
    double toward, lift, stiff; /* p . u, (K p)_n and K_nn p K p, the last as a sum of squares */
} chord;

static inline chord chord_of(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    tvec rho = {c->ratio_1, c->ratio_2};
    double lift = K->nn + tvec_dot(coupling(K), rho);
    chord x = {tvec_dot(rho, tangential(problem->u)) + problem->u.n, lift, square(lift) + complement_form(s, rho)};
    return x;
}

/* (3) */
static inline bool covers(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const chord x = chord_of(problem, s, c);
    return (x.toward < 0) & (x.stiff > 0);
}

static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const chord x = chord_of(problem, s, c);
    double size = -(1 + c->e) * x.toward * problem->K.nn / x.stiff; /* (1) */
    verdict result = {{size * c->ratio_1, size * c->ratio_2, size},
                      problem->u.n + size * x.lift < 0 ? INTERPENETRATING : IVANOV};
    return result;
}

LANES_KERNEL(ivanov_lanes, kernel, covers, LIGHT)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    static const char *const modes[] = {"ivanov", "ivanov_interpenetrating"};
    if (!covers(problem, s, &rule->coeffs))
        return CAROM_STATUS_INADMISSIBLE;
    const verdict result = kernel(problem, s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(ivanov)

#ifdef LANES_BASELINE
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

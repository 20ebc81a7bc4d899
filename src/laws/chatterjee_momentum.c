/* chatterjee-momentum: Chatterjee's law II.
 *
 * Hypothesis   the impulse is a mix of the two simplest ones: P1 stops the approach, P2 stops all motion. Restitution
 * scales each; where the mix leaves the friction cone, it is cut back to the cone along P2 - P1. Equations    P1 = (0,
 * v_n / K_nn),   P2 = -K^+ u,   P = (1 + e) P1 + kappa (P2 - P1)                  (1) kappa = 1 + e_t if that lies in
 * the cone, else  (2) kappa = mu (1 + e) P1_n / (|P2_t| - mu (P2_n - P1_n))                                    (3)
 * Energy       P1 and P2 - P1 are K-orthogonal, hence no term of
 *              2 dE = -(1 - e^2) |P1|^2_K - (1 - (kappa - 1)^2) |P2 - P1|^2_K  can be positive.         (4)
 * Page         docs/laws/chatterjee-momentum.md
 * Reference    Chatterjee (1997), section 6.5.2; Chatterjee and Ruina (1998). The slides' "algebraic resolution law".
 */
#include "laws/family_algebraic.h"

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    const carom_csym *K = &problem->K;
    const carom_coeffs *c = &rule->coeffs;
    const schur s = schur_of(K);
    tvec q = stopping_part(problem, &s);                  /* P2_t */
    double lift = -tvec_dot(coupling(K), q) / K->nn;      /* P2_n - P1_n */
    double bounce = -(1 + c->e) * problem->u.n / K->nn;   /* (1 + e) P1_n */
    double friction = tvec_length(q), kappa = 1 + c->e_t; /* (2) */
    double p_n = bounce + kappa * lift;
    bool cone = kappa * friction > c->mu * p_n;
    if (cone) {
        double share = bounce / (friction - c->mu * lift);
        kappa = c->mu * share;  /* (3) */
        p_n = friction * share; /* on the cone, without the cancellation of (1) when mu is large */
    }
    tvec p_t = {kappa * q.t1, kappa * q.t2};
    out->p = impulse(p_n, p_t); /* (1) */
    out->mode = cone ? (bounce > 0 ? "cone" : "no_impact") : "interior";
    return CAROM_OK;
}

const carom_law carom_law_chatterjee_momentum = {
    .id = "chatterjee-momentum",
    .name = "Chatterjee II (impulse space)",
    .family = "algebraic",
    .summary = "Mixes the impulse that stops the approach with the one that stops all motion, inside the cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_UNIQUE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
};

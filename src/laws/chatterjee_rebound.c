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
 * Page         docs/laws/chatterjee-rebound.md
 * Reference    Chatterjee (1997), section 6.5.3 */
#include "laws/family_chatterjee.h"

/* x M y without forming M. Eliminating the normal splits it in two terms that keep their digits. */
static double mass_product(const carom_csym *K, const schur *s, carom_cvec x, carom_cvec y)
{
    tvec q = schur_pseudo_solve_scaled(K, s, schur_reduce_scaled(K, y));
    return (x.n * y.n + tvec_dot(schur_reduce_scaled(K, x), q)) / K->nn;
}

/* (by u_t, by u_n) scaled: tau v_t = -u_t. */
static carom_cvec scaled(carom_cvec u, double by_t, double by_n)
{
    return carom_cvec_make(by_t * u.t1, by_t * u.t2, by_n * u.n);
}

verdict chatterjee_rebound_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    carom_cvec u = problem->u, D = scaled(u, -(1 + c->e_t), -(1 + c->e)); /* (1) */
    double a = D.n / K->nn, excess = 0;
    double gain = mass_product(K, s, D, scaled(u, 1 - c->e_t, 1 - c->e)); /* (2), (3) */
    verdict result = {{0, 0, 0}, REBOUND_INTERIOR};
    double motion = gain > 0 ? mass_product(K, s, u, u) : 0;
    if (motion > 0) { /* (4) */
        double g = gain / motion, gamma = sqrt(1 + g), delta = g / (1 + gamma);
        carom_cvec less = scaled(u, -(1 + c->e_t + delta) / gamma, -(1 + c->e + delta) / gamma);
        excess = (less.n - D.n) / K->nn;
        D = less;
        result.branch = REBOUND_SCALED_INTERIOR;
    }
    result.p = psd_solve_with(K, s, D); /* (5) */
    tvec q = tangential(result.p);
    if (gain > 0 || s->deficient)
        q = tvec_scale(energy_share(problem, s, D.n, q), q);
    double lift = excess - tvec_dot(coupling(K), q) / K->nn;
    result.p = impulse(a + lift, q);
    if (is_outside_cone(c->mu, a, q, lift)) {
        result.p = cut_to_cone(c->mu, a, q, lift);
        result.branch = a > 0 ? result.branch + 1 : NO_IMPACT;
    }
    return result;
}

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
#define NAME(one, two, three) three,
    static const char *const modes[REBOUND_COUNT] = {REBOUND_MODES(NAME, 0, 0)};
#undef NAME
    (void)tracer;
    const schur s = schur_of(&problem->K);
    const verdict result = chatterjee_rebound_kernel(problem, &s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_OK;
}

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
};

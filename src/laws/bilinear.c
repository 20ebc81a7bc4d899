/* bilinear: Newton's restitution along the normal, and the same idea along the slip, cut off by the friction cone.
 *
 * Hypothesis   slip is along a principal direction of K (spheres, disks, central impacts): K tau = K_tautau tau.
 * Equations    p_n = (1 + e) v_n / K_nn                                                (1)
 *              p_t = tau min((1 + e_t) v_t / K_tautau, mu p_n)                         (2)
 * Page         docs/laws/bilinear.md
 * Reference    Chatterjee (1997), section 6.2; Walton and Braun (1986) */
#include "laws/family_algebraic.h"

/* Coupling of tau to the rest of K below this, against the diagonal, is rounding of K in rotated axes. */
#define PRINCIPAL_TOL (64 * EPS)

/* True when tau is an eigenvector of K to rounding. */
static inline bool is_principal(const carom_csym *K, tvec tau)
{
    tvec image = {K->t11 * tau.t1 + K->t12 * tau.t2, K->t12 * tau.t1 + K->t22 * tau.t2};
    double across = tau.t1 * image.t2 - tau.t2 * image.t1, pull = tvec_dot(coupling(K), tau);
    double block = K->t11 + K->t22;
    return (fabs(across) <= PRINCIPAL_TOL * block) & (square(pull) <= square(PRINCIPAL_TOL) * block * K->nn);
}

enum { RESTITUTION = 1, CONE };

/* tau = -u_t / v_t, or zero. */
static inline tvec against_slip(carom_cvec u)
{
    double v_t = carom_cvec_slip(u), inverse = v_t > 0 ? 1 / v_t : 0;
    return tvec_make(-u.t1 * inverse, -u.t2 * inverse);
}

static inline bool covers(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)s;
    (void)c;
    return is_principal(&problem->K, against_slip(problem->u));
}

static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    (void)s;
    const carom_csym *K = &problem->K;
    double v_t = carom_cvec_slip(problem->u), p_n = -(1 + c->e) * problem->u.n / K->nn; /* (1) */
    tvec tau = against_slip(problem->u);
    double stiff = K->t11 * square(tau.t1) + 2 * K->t12 * tau.t1 * tau.t2 + K->t22 * square(tau.t2);
    double free = (1 + c->e_t) * v_t, bound = c->mu * p_n * stiff; /* (2), both sides times K_tautau */
    bool cone = free > bound;
    double size = v_t > 0 ? (cone ? c->mu * p_n : free / stiff) : 0;
    verdict result = {impulse(p_n, tvec_scale(size, tau)), p_n > 0 ? (cone ? CONE : RESTITUTION) : NO_IMPACT};
    return result;
}

LANES_KERNEL(bilinear_lanes, kernel, covers, LIGHT)

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    static const char *const modes[] = {"no_impact", "restitution", "cone"};
    if (!covers(problem, s, &rule->coeffs))
        return CAROM_STATUS_OUT_OF_SCOPE;
    const verdict result = kernel(problem, s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(bilinear)

#ifdef LANES_BASELINE
const carom_law carom_law_bilinear = {
    .id = "bilinear",
    .name = "Bilinear (spheres and disks)",
    .family = "algebraic",
    .summary = "Newton's restitution along the normal and along the slip, cut off by the friction cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_PRINCIPAL_ONLY | CAROM_TRAIT_NO_PENETRATION |
              CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif

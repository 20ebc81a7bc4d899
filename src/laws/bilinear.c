/* bilinear: Newton's restitution along the normal, and the same idea along the slip, cut off by the friction cone.
 *
 * Hypothesis   slip is along a principal direction of K (spheres, disks, central impacts): K tau = K_tautau tau.
 * Equations    p_n = (1 + e) v_n / K_nn                                                (1)
 *              p_t = tau min((1 + e_t) v_t / K_tautau, mu p_n)                         (2)
 * Page         docs/laws/bilinear.md
 * Reference    Chatterjee (1997), section 6.2; Walton and Braun (1986) */
#include "laws/law.h"

/* Coupling of tau to the rest of K below this, against the diagonal, is rounding of K in rotated axes. */
#define PRINCIPAL_TOL (64 * EPS)

enum { RESTITUTION = 1, CONE };

/* True when tau is an eigenvector of K to rounding. */
static inline bool is_principal(const carom_impact *x)
{
    const carom_csym *K = &x->K;
    tvec tau = tau_of(x), image = {K->t11 * tau.t1 + K->t12 * tau.t2, K->t12 * tau.t1 + K->t22 * tau.t2};
    double across = tau.t1 * image.t2 - tau.t2 * image.t1, block = K->t11 + K->t22;
    return (fabs(across) <= PRINCIPAL_TOL * block) & (square(pull(x, tau)) <= square(PRINCIPAL_TOL) * block * K->nn);
}

static inline carom_impulse bilinear(const carom_impact *x, const carom_coeffs *c)
{
    double p_n = (1 + c->e) * x->v_n / x->K.nn; /* (1) */
    double K_tau = tangential_form(x, tau_of(x)), free = (1 + c->e_t) * x->v_t;
    bool cone = beyond(x, free, c->mu * p_n * K_tau, "cone");
    double p_t = x->v_t > 0 ? (cone ? c->mu * p_n : free / K_tau) : 0; /* (2) */
    p_n = is_principal(x) ? p_n : NAN;
    if (CARRIES_PARTIALS && x->v_t == 0) /* smooth inside the cone */
        return impulse_make(-(1 + c->e_t) * x->u.t1 / x->K.t11, -(1 + c->e_t) * x->u.t2 / x->K.t11, p_n, RESTITUTION);
    return impulse_make(p_t * x->tau.c, p_t * x->tau.s, p_n, p_n > 0 ? (cone ? CONE : RESTITUTION) : NO_IMPACT);
}

static const char *const bilinear_modes[] = {"no_impact", "restitution", "cone"};

const carom_law carom_law_bilinear = {
    .id = "bilinear",
    .name = "Bilinear (spheres and disks)",
    .family = "algebraic",
    .summary = "Newton's restitution along the normal and along the slip, cut off by the friction cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_PRINCIPAL_ONLY | CAROM_TRAIT_NO_PENETRATION |
              CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES |
              CAROM_TRAIT_LOCAL,
    CAROM_MODES(bilinear_modes),
    .kernel = bilinear,
    .refusal = CAROM_STATUS_OUT_OF_SCOPE,
};

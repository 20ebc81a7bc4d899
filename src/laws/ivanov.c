/* ivanov: the direction of the impulse is given, and how much of the energy it could take it gives back.
 *
 * Hypothesis   the impulse is along rho = (ratio_1, ratio_2, 1). Energy along it is a parabola: zero change at P = 0
 * and at the far side of the energy ellipsoid, least in the middle; eta = e places P between the two. Equations    P =
 * -(1 + eta) (rho . u) / (rho K rho) rho                              (1) 2 dE = -(1 - eta^2) (rho . u)^2 / (rho K rho)
 * <= 0                      (2) rho must point into the ellipsoid: rho . u < 0                          (3) Page
 * docs/laws/ivanov.md Reference    Ivanov (1992), J. Appl. Math. Mech. 56, 527-534; Chatterjee (1997), section 10.5 */
#include "laws/law.h"

enum { IVANOV, INTERPENETRATING };

static inline carom_impulse ivanov(const carom_impact *x, const carom_coeffs *c)
{
    tvec rho = {c->ratio_1, c->ratio_2};
    double toward = tvec_dot(rho, tangential(x->u)) + x->u.n, lift = x->K.nn + pull(x, rho); /* rho . u, (K rho)_n */
    double stiff = square(lift) + complement_form(x, rho);                                   /* K_nn rho K rho */
    double size = -(1 + c->e) * toward * x->K.nn / stiff;                                    /* (1) */
    size = (toward < 0) & (stiff > 0) ? size : NAN;                                          /* (3) */
    return impulse_make(size * rho.t1, size * rho.t2, size, x->u.n + size * lift < 0 ? INTERPENETRATING : IVANOV);
}

static const char *const ivanov_modes[] = {"ivanov", "ivanov_interpenetrating"};

const carom_law carom_law_ivanov = {
    .id = "ivanov",
    .name = "Ivanov (energy along a direction)",
    .family = "algebraic",
    .summary = "The impulse has a given direction; e = eta places it on its chord of the energy ellipsoid.",
    .reference = "ivanov1992",
    .uses = CAROM_USES(e) | CAROM_USES(ratio_1) | CAROM_USES(ratio_2),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_SIGNED_E | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(ivanov_modes),
    .kernel = ivanov,
    .refusal = CAROM_STATUS_INADMISSIBLE,
};

/* chatterjee-rebound: Chatterjee's law III.
 *
 * Hypothesis   the rebound velocity is given by two restitutions, u_n -> -e u_n and u_t -> -e_t u_t; if that has more
 *              energy than came in, it is scaled back to conserve energy; if its impulse leaves the friction cone, the
 *              impulse is cut back towards the frictionless one.
 * Equations    A = ((1 + e_t) v_t tau, (1 + e) v_n)       tentative u_after - u                            (1)
 *              C = -((1 - e_t) v_t tau, (1 - e) v_n)      tentative u_after + u                            (2)
 *              g = A M C / (u M u)                        relative energy gain, M = K^+                    (3)
 *              g > 0:  gamma = sqrt(1 + g), delta = g / (1 + gamma),
 *                      D = (A - delta u) / gamma;  else D = A                                          (4)
 *              P = M D;  outside the cone: cut back on the segment to (0, (1 + e) v_n / K_nn)              (5)
 *              Increments, not M (u_after - u): near grazing that difference has no digits left.
 *              g > 0: P does no work on E = (C + delta u) / gamma = u + u_after; what rounding in D,
 *                     magnified by M, adds to that lies along M E and comes off:
 *                     P <- P - M E (P E) / (E M E)                                                         (6)
 *                     next to grazing friction across the slip does the work of the approach, with no digits
 *                     left along it: P_t . tau = -P_n E_n / (E_t . tau)                                    (7)
 * Page         docs/laws/chatterjee-rebound.md
 * Reference    Chatterjee (1997), section 6.5.3 */
#include "laws/chatterjee.h"

enum { REBOUND_INTERIOR = 1, SCALED_INTERIOR = 3 };

#define LITTLE 0x1p-50 /* of the slip: the work of an approach that (6) cannot tell from rounding of the friction */

/* s (a + b c) */
static inline carom_cvec combine(double s, carom_cvec a, double b, carom_cvec c)
{
    return carom_cvec_scale(s, carom_cvec_add(a, carom_cvec_scale(b, c)));
}

/* P with the part along the slip for which P . E = 0. */
static inline carom_cvec balanced(const carom_impact *x, carom_cvec P, carom_cvec E)
{
    double along = -P.n * E.n / tvec_dot(tau_of(x), tangential(E)), across = P.t2 * x->tau.c - P.t1 * x->tau.s;
    return carom_cvec_make(along * x->tau.c - across * x->tau.s, along * x->tau.s + across * x->tau.c, P.n);
}

static inline carom_impulse chatterjee_rebound(const carom_impact *x, const carom_coeffs *c)
{
    carom_cvec A = scale_parts(x->u, -(1 + c->e_t), -(1 + c->e)); /* (1) */
    carom_cvec C = scale_parts(x->u, 1 - c->e_t, 1 - c->e);       /* (2): C = A + 2 u */
    carom_cvec MA = impact_solve(x, A), Mu = impact_solve(x, x->u);
    double g = max(0, carom_cvec_dot(MA, C)) / carom_cvec_dot(x->u, Mu); /* (3) */
    bool scaled = beyond(x, carom_cvec_dot(MA, C), 0, "scaled");
    double gamma = sqrt(1 + g), delta = g / (1 + gamma);

    carom_cvec D = combine(1 / gamma, A, -delta, x->u), E = combine(1 / gamma, C, delta, x->u); /* (4), u + u_after */
    bool singular =
        x->kind == CAROM_KIND_SINGULAR; /* then MA may be beyond all bounds, and D has lost what makes it so */
    carom_cvec P = singular ? combine(1 / gamma, MA, -delta, Mu) : impact_solve(x, D), ME = impact_solve(x, E);
    double EME = carom_cvec_dot(E, ME), slack = clamp(carom_cvec_dot(P, E) / EME, -1, 1);
    P = combine(1, P, scaled & (EME > 0) & !singular ? -slack : 0, ME); /* (6) */
    bool grazes = scaled & !singular & (x->v_n < LITTLE * x->v_t) & (c->e_t < 0);
    P = grazes ? balanced(x, P, E) : P;                                                      /* (7) */
    return cut_back(x, c->mu, A.n / x->K.nn, P, g > 0 ? SCALED_INTERIOR : REBOUND_INTERIOR); /* (5) */
}

static const char *const rebound_modes[] = {"no_impact", "interior", "cone", "scaled-interior", "scaled-cone"};

const carom_law carom_law_chatterjee_rebound = {
    .id = "chatterjee-rebound",
    .name = "Chatterjee III (rebound velocity)",
    .family = "algebraic",
    .summary = "Both restitutions set the rebound velocity, scaled back to the energy and cut back to the cone.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(rebound_modes),
    .kernel = chatterjee_rebound,
};

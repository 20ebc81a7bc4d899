/* chatterjee-velocity: Chatterjee's law I.
 *
 * Hypothesis   the direction Q of the impulse follows the bilinear law for the masses M_nn and M_tautau, as if K
 *              were diagonal; its size is as large as energy allows, cut back when the rebound would exceed e.
 * Equations    Q_n = M_nn (1 + e) v_n,   Q_t = tau min(M_tautau (1 + e_t) v_t, mu Q_n)                     (1)
 *              P = -2 (Q . u) / (Q K Q) Q          conserves energy; leaves with normal velocity w         (2)
 *              (a) w > e v_n:   P scaled down to w = e v_n                                                 (3)
 *              (c) w < 0:       P_n <- P_n - 2 w / K_nn,   which reverses w and conserves energy           (4)
 *              (b) otherwise P as it is.
 *              v_n = 0:         Q = (mu tau, 1) if e_t > -1, the limit of (1); else Q_t = 0                (5)
 * Page         docs/laws/chatterjee-velocity.md
 * Reference    Chatterjee (1997), section 6.5.1; Chatterjee and Ruina (1998) */
#include "laws/law.h"

enum { RT_A = 1, RT_B, RT_C, MU_A, MU_B, MU_C };

#define TIE (1 + 8 * EPS) /* (a) that wins by rounding only counts as (b): they coincide where e = 1 */

/* Q K Q below this share of its terms is rounding of K, which then does not move along Q: no K of full rank comes here,
 * since its least eigenvalue is above RANK_TOL of the largest, and that above a third of the trace. */
#define STILL (RANK_TOL / 2)

/* M_nn and M_tautau, the diagonal of M = K^-1 along n and tau, up to a common factor. */
typedef struct masses {
    double nn, tau;
} masses;

static COLD masses singular_masses(const carom_impact *x)
{
    carom_cvec n = {0, 0, 1}, tau = {x->tau.c, x->tau.s, 0};
    masses M = {impact_solve(x, n).n, carom_cvec_dot(tau, impact_solve(x, tau))};
    return M;
}

/* M_nn = (1 + k N^-1 k) / K_nn and M_tautau = K_nn tau N^-1 tau, N = K_nn B, both times det N / K_nn. Of N along tau
 * and across it the smaller part comes from det N, so that only positive terms are added and a nearly singular K keeps
 * the ratio of its masses. In the plane they are K_tt and K_nn. */
static inline masses masses_of(const carom_impact *x)
{
    const tvec tau = x->v_t > 0 ? tau_of(x) : tvec_make(1, 0), across = tvec_make(-tau.t2, tau.t1);
    bool planar = x->kind == CAROM_KIND_PLANAR;
    double along = complement_form(x, tau), aside = complement_form(x, across);
    double cross = (x->n22 - x->n11) * tau.t1 * tau.t2 + x->n12 * (square(tau.t1) - square(tau.t2));
    bool heavy = aside > along;
    double N = heavy ? aside : along, n = (x->det + square(cross)) / N;
    double k = pull(x, heavy ? across : tau), q = pull(x, heavy ? tau : across); /* along N and n */
    double form = (square(N * q - cross * k) + x->det * square(k)) / N;          /* k adj(N) k */
    masses M = {planar ? x->K.t11 : (x->det + form) / square(x->K.nn), planar ? x->K.nn : heavy ? N : n};
    return x->kind == CAROM_KIND_SINGULAR ? singular_masses(x) : M;
}

static inline carom_impulse chatterjee_velocity(const carom_impact *x, const carom_coeffs *c)
{
    const masses M = masses_of(x);
    const tvec tau = tau_of(x);
    double K_nn = x->K.nn, v_n = x->v_n, v_t = x->v_t;
    double Q_n = M.nn * (1 + c->e) * v_n, Q_t = M.tau * (1 + c->e_t) * v_t;
    bool cone = beyond(x, Q_t, c->mu * Q_n, "rt/mu");
    Q_t = cone ? c->mu : Q_t; /* (1) and (5): the length of Q does not matter */
    Q_n = cone ? 1 : Q_n;

    double lift = K_nn * Q_n + pull(x, tau) * Q_t;                       /* (K Q)_n */
    double stiff = square(lift) + square(Q_t) * complement_form(x, tau); /* K_nn Q K Q */
    double terms = K_nn * (K_nn * square(Q_n) + (x->K.t11 + x->K.t22) * square(Q_t));
    bool still = stiff < STILL * terms;
    stiff = still ? terms / IMMOVABLE : stiff;
    double size = stiff > 0 ? 2 * (Q_n * v_n + Q_t * v_t) * K_nn / stiff : 0; /* (2) */
    bool strong = !still & beyond(x, size * lift, TIE * (1 + c->e) * v_n, "a/b");
    size = strong ? (1 + c->e) * v_n / lift : size; /* (3) */
    double w = strong ? 0 : size * lift - v_n;
    bool back = !strong & beyond(x, 0, w, "b/c");
    double extra = back ? -2 * w / K_nn : 0; /* (4) */

    int branch = (cone ? MU_B : RT_B) + (strong ? -1 : back ? 1 : 0);
    double p_t = size * Q_t;
    return impulse_make(p_t * tau.t1, p_t * tau.t2, size * Q_n + extra, size > 0 ? branch : NO_IMPACT);
}

static const char *const velocity_modes[] = {"no_impact", "rt-a", "rt-b", "rt-c", "mu-a", "mu-b", "mu-c"};

const carom_law carom_law_chatterjee_velocity = {
    .id = "chatterjee-velocity",
    .name = "Chatterjee I (velocity space)",
    .family = "algebraic",
    .summary = "The direction of the bilinear law for the masses seen along n and tau, as large as energy allows.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(velocity_modes),
    .kernel = chatterjee_velocity,
};

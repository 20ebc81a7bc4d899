/* chatterjee-velocity: Chatterjee's law I.
 *
 * Hypothesis   the direction Q of the impulse is that of the bilinear law for the masses M_nn and M_tautau, as if K
 * were diagonal; its size is as large as energy allows, cut back when the rebound would exceed e. Equations    Q_n =
 * M_nn (1 + e) v_n,   Q_t = tau min(M_tautau (1 + e_t) v_t, mu Q_n)                     (1) P = -2 (Q . u) / (Q K Q) Q
 * conserves energy; leaves with normal velocity w         (2) (a) w > e v_n:   P scaled down to w = e v_n (3) (c) w <
 * 0:       P_n <- P_n - 2 w / K_nn,   which reverses w and conserves energy           (4) (b) otherwise P as it is. v_n
 * = 0:         Q = (mu tau, 1) if e_t > -1, the limit of (1); else Q_t = 0                (5) Page
 * docs/laws/chatterjee-velocity.md Reference    Chatterjee (1997), section 6.5.1; Chatterjee and Ruina (1998) */
#include "laws/family_chatterjee.h"

/* The diagonal of M = K^+: of the normal, and along tau. */
typedef struct masses {
    double nn, tt;
} masses;

/* Of a singular K the limit of a regular one: directions in which K does not move have a mass out of all proportion. */
static masses masses_of_singular(const carom_csym *K, tvec tau)
{
    masses M = {0, 0};
    double value[3];
    carom_cvec vector[3];
    csym_eigen(K, value, vector);
    for (int i = 0; i < 3; i++) {
        double inertia = 1 / larger(value[i], RANK_TOL * value[2]);
        M.nn += square(vector[i].n) * inertia;
        M.tt += square(tvec_dot(tau, tangential(vector[i]))) * inertia;
    }
    return M;
}

static masses masses_of(const carom_csym *K, const schur *s, tvec tau)
{
    if (s->deficient)
        return masses_of_singular(K, tau);
    tvec k = coupling(K);
    masses M = {(1 + tvec_dot(k, schur_solve_scaled(s, k))) / K->nn, K->nn * tvec_dot(tau, schur_solve_scaled(s, tau))};
    return M;
}

/* Q = (q tau, n) with q + n = 1. */
typedef struct direction {
    double q, n;
    bool cone; /* mu decided */
} direction;

static direction direction_of(masses M, double v_n, double v_t, const carom_coeffs *c)
{
    double n = M.nn * (1 + c->e) * v_n, q = M.tt * (1 + c->e_t) * v_t; /* (1) */
    bool cone = !(n > 0 && q <= c->mu * n);
    if (cone) {
        n = 1 / (1 + c->mu); /* (5) too */
        q = c->mu / (1 + c->mu);
    }
    double size = 1 / (q + n);
    direction Q = {q * size, n * size, cone};
    return Q;
}

verdict chatterjee_velocity_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    double v_n = -problem->u.n, v_t = carom_cvec_slip(problem->u), bounce = (1 + c->e) * v_n;
    verdict none = {{0, 0, 0}, NO_IMPACT};
    if (v_n == 0 && !(c->e_t > -1 && c->mu > 0 && v_t > 0))
        return none;
    tvec tau = v_t > 0 ? tvec_make(-problem->u.t1 / v_t, -problem->u.t2 / v_t) : tvec_make(0, 0);
    direction Q = direction_of(masses_of(K, s, tau), v_n, v_t, c);

    double lift = K->nn * Q.n + tvec_dot(coupling(K), tau) * Q.q; /* (K Q)_n */
    double stiff = (square(lift) + square(Q.q) * complement_form(s, tau)) / K->nn;
    double size = stiff > 0 ? 2 * (Q.n * v_n + Q.q * v_t) / stiff : 0; /* (2) */
    verdict result = {{0, 0, 0}, Q.cone ? VELOCITY_MU_B : VELOCITY_RT_B};
    double extra = 0;
    if (size * lift > bounce) { /* (3) */
        size = bounce / lift;
        result.branch--;
        if (bounce == 0)
            return none;
    } else if (size * lift < v_n) { /* (4) */
        extra = 2 * (v_n - size * lift) / K->nn;
        result.branch++;
    }
    result.p = impulse(size * Q.n + extra, tvec_scale(size * Q.q, tau));
    return result;
}

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
#define NAME(one) one,
    static const char *const modes[VELOCITY_COUNT] = {VELOCITY_MODES(NAME)};
#undef NAME
    (void)tracer;
    const schur s = schur_of(&problem->K);
    const verdict result = chatterjee_velocity_kernel(problem, &s, &rule->coeffs);
    out->p = result.p;
    out->mode = modes[result.branch];
    return CAROM_OK;
}

const carom_law carom_law_chatterjee_velocity = {
    .id = "chatterjee-velocity",
    .name = "Chatterjee I (velocity space)",
    .family = "algebraic",
    .summary = "The direction of the bilinear law for the masses seen along n and tau, as large as energy allows.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
};

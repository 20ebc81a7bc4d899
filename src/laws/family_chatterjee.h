/* Chatterjee's three algebraic laws (thesis 6.5) and what they share.
 *
 * Each law is a kernel; chatterjee-mix takes all three. The equations are in the file of each law. All know the same
 * coefficients and start from the same complement s of K. Laws II and III both walk along a segment from the
 * frictionless impulse (0, a), a = (1 + e) v_n / K_nn, and stop at the friction cone. */
#ifndef CAROM_LAWS_FAMILY_CHATTERJEE_H
#define CAROM_LAWS_FAMILY_CHATTERJEE_H

#include "laws/family_algebraic.h"

/* The branches of each law, in their order in the enums below; the other arguments are handed through. */
#define VELOCITY_MODES(X)      X("no_impact") X("rt-a") X("rt-b") X("rt-c") X("mu-a") X("mu-b") X("mu-c")
#define MOMENTUM_MODES(X, one) X(one, "no_impact") X(one, "interior") X(one, "cone")
#define REBOUND_MODES(X, one, two)                                                                                     \
    X(one, two, "no_impact")                                                                                           \
    X(one, two, "interior") X(one, two, "cone") X(one, two, "scaled-interior") X(one, two, "scaled-cone")

enum { VELOCITY_RT_A = 1, VELOCITY_RT_B, VELOCITY_RT_C, VELOCITY_MU_A, VELOCITY_MU_B, VELOCITY_MU_C, VELOCITY_COUNT };
enum { MOMENTUM_INTERIOR = 1, MOMENTUM_CONE, MOMENTUM_COUNT };
enum { REBOUND_INTERIOR = 1, REBOUND_CONE, REBOUND_SCALED_INTERIOR, REBOUND_SCALED_CONE, REBOUND_COUNT };

/* A gain of energy above this share of its terms is trimmed: well inside what the ledger would flag. */
#define TRIM_TOL (8 * EPS)

/* The share x of the tangential impulse q that may stay when the normal velocity changes by D_n, so that no energy is
 * gained. The laws see to that; but an ill-conditioned or singular K magnifies their rounding. r = u_t - k u_n / K_nn:
 *
 *     2 K_nn dE = N + 2 R x + Q x^2,   N = D_n (2 u_n + D_n) <= 0,   R = K_nn q . r,   Q = K_nn q B q    */
LANES_INLINE double energy_share(const carom_problem *problem, const schur *s, double D_n, tvec q)
{
    const carom_csym *K = &problem->K;
    tvec r = schur_reduce_scaled(K, problem->u);
    double N = -larger(0, -D_n * (2 * problem->u.n + D_n)), R = tvec_dot(q, r), Q = complement_form(s, q);
    double noise = TRIM_TOL * (fabs(q.t1 * r.t1) + fabs(q.t2 * r.t2) + fabs(D_n * problem->u.n));
    double root = sqrt(R * R - Q * N), top = R > 0 ? -N : root - R, below = R > 0 ? R + root : Q;
    return N + 2 * R + Q > noise ? clamp(top / below, 0, 1) : 1;
}

/* ---- law I: chatterjee-velocity ---- */

/* The diagonal of M = K^+, of the normal and along tau, up to a common factor. */
typedef struct masses {
    double nn, tt;
} masses;

/* Of a singular K the limit of a regular one: directions in which K does not move have a mass out of all proportion. */
static inline masses masses_of_singular(const carom_csym *K, tvec tau)
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

LANES_INLINE masses masses_of(const carom_csym *K, const schur *s, tvec tau)
{
    if (s->deficient)
        return masses_of_singular(K, tau);
    tvec k = coupling(K);
    masses M = {schur_divisor(s) + schur_product(s, k, k), square(K->nn) * schur_product(s, tau, tau)};
    return M;
}

/* Q = (q tau, n) with q + n = 1. */
typedef struct direction {
    double q, n;
    bool cone; /* mu decided */
} direction;

LANES_INLINE direction direction_of(masses M, double v_n, double v_t, const carom_coeffs *c)
{
    double free_n = M.nn * (1 + c->e) * v_n, free_q = M.tt * (1 + c->e_t) * v_t; /* (1) */
    bool inside = (free_n > 0) & (free_q <= c->mu * free_n);
    double n = inside ? free_n : 1, q = inside ? free_q : c->mu, size = 1 / (q + n); /* (5) too */
    direction Q = {q * size, n * size, !inside};
    return Q;
}

LANES_INLINE verdict chatterjee_velocity_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    double v_n = -problem->u.n, v_t = carom_cvec_slip(problem->u), bounce = (1 + c->e) * v_n;
    double inverse = v_t > 0 ? 1 / v_t : 0;
    tvec tau = {-problem->u.t1 * inverse, -problem->u.t2 * inverse};
    direction Q = direction_of(masses_of(K, s, tau), v_n, v_t, c);

    double lift = K->nn * Q.n + tvec_dot(coupling(K), tau) * Q.q;        /* (K Q)_n */
    double stiff = square(lift) + square(Q.q) * complement_form(s, tau); /* K_nn Q K Q */
    double most = 2 * (Q.n * v_n + Q.q * v_t) * K->nn / stiff;           /* (2) */
    bool acts = (v_n > 0) | ((c->e_t > -1) & (c->mu > 0) & (v_t > 0));   /* else no jam from grazing */
    double free = (stiff > 0) & acts ? most : 0;
    bool strong = free * lift > bounce, weak = free * lift < v_n;
    double more = 2 * (v_n - free * lift), part = (strong ? bounce : more) / (strong ? lift : K->nn);
    double size = strong ? part : free, extra = weak ? part : 0; /* (3), (4) */
    int branch = (Q.cone ? VELOCITY_MU_B : VELOCITY_RT_B) + (strong ? -1 : weak ? 1 : 0);
    verdict result = {impulse(size * Q.n + extra, tvec_scale(size * Q.q, tau)),
                      (v_n == 0) & (strong | !(free > 0)) ? NO_IMPACT : branch};
    return result;
}

/* ---- law II: chatterjee-momentum ---- */

/* (q, a + lift), cut back to the cone where it lies outside. */
LANES_INLINE verdict cut_back(double mu, double a, tvec q, double lift, int inside)
{
    bool outside = is_outside_cone(mu, a, q, lift);
    carom_cvec cut = cut_to_cone(mu, a, q, lift);
    bool whole = !outside, slides = (q.t1 != 0) | (q.t2 != 0), acts = (a > 0) | (whole & slides);
    verdict result = {{outside ? cut.t1 : q.t1, outside ? cut.t2 : q.t2, outside ? cut.n : a + lift},
                      acts ? inside + outside : NO_IMPACT};
    return result;
}

LANES_INLINE verdict chatterjee_momentum_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    double inverse = 1 / K->nn, D_n = rebound(problem, c->e), a = D_n * inverse; /* (1 + e) P1_n */
    tvec q = tvec_scale(1 + c->e_t, stopping_part(problem, s));                  /* (2) */
    if (s->deficient)
        q = tvec_scale(energy_share(problem, s, D_n, q), q);
    double lift = -tvec_dot(coupling(K), q) * inverse;     /* kappa (P2 - P1)_n */
    return cut_back(c->mu, a, q, lift, MOMENTUM_INTERIOR); /* (1), (3) */
}

/* ---- law III: chatterjee-rebound ---- */

/* x M y times the divisor of s times K_nn. Eliminating the normal splits it in two terms that keep their digits. */
LANES_INLINE double mass_product(const carom_csym *K, const schur *s, carom_cvec x, carom_cvec y)
{
    tvec rx = schur_reduce_scaled(K, x), ry = schur_reduce_scaled(K, y);
    if (s->deficient)
        return x.n * y.n + tvec_dot(rx, schur_pseudo_solve_scaled(K, s, ry));
    return schur_divisor(s) * x.n * y.n + schur_product(s, rx, ry);
}

/* (by u_t, by u_n) scaled: tau v_t = -u_t. */
LANES_INLINE carom_cvec scaled(carom_cvec u, double by_t, double by_n)
{
    return carom_cvec_make(by_t * u.t1, by_t * u.t2, by_n * u.n);
}

LANES_INLINE verdict chatterjee_rebound_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    carom_cvec u = problem->u;
    carom_cvec free = scaled(u, -(1 + c->e_t), -(1 + c->e));                 /* (1) */
    double gain = mass_product(K, s, free, scaled(u, 1 - c->e_t, 1 - c->e)); /* (2), (3) */
    double motion = mass_product(K, s, u, u);
    bool gains = gain > 0, shrinks = gains & (motion > 0);
    double g = shrinks ? gain / motion : 0, gamma = sqrt(1 + g), delta = g / (1 + gamma), by = 1 / gamma; /* (4) */
    carom_cvec D = scaled(u, -(1 + c->e_t + delta) * by, -(1 + c->e + delta) * by);
    double inverse = 1 / K->nn, a = free.n * inverse;
    tvec q = tangential(psd_solve_with(K, s, D)); /* (5) */
    if (s->deficient)
        q = tvec_scale(energy_share(problem, s, D.n, q), q);
    carom_cvec C = scaled(u, (1 - c->e_t + delta) * by, (1 - c->e + delta) * by), x = psd_solve_with(K, s, C);
    double work = tvec_dot(q, tangential(C)) + (D.n - tvec_dot(coupling(K), q)) * inverse * C.n; /* P C */
    double size = carom_cvec_dot(x, C), slack = shrinks & (size > 0) ? work / size : 0;
    q = tvec_make(q.t1 - slack * x.t1, q.t2 - slack * x.t2); /* (6) */
    double excess = (D.n - free.n) * inverse, lift = excess - tvec_dot(coupling(K), q) * inverse;
    return cut_back(c->mu, a, q, lift, shrinks ? REBOUND_SCALED_INTERIOR : REBOUND_INTERIOR);
}

#endif

/* Chatterjee's three algebraic laws (thesis 6.5) and what they share.
 *
 * Each law is a kernel in its own file; chatterjee-mix takes all three. All know the same coefficients and start from
 * the same complement of K. Laws II and III both walk from the frictionless impulse (0, a), a = (1 + e) v_n / K_nn,
 * along a segment, and stop at the friction cone. */
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

/* Laws I, II and III; s is the complement of problem->K. */
verdict chatterjee_velocity_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c);
verdict chatterjee_momentum_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c);
verdict chatterjee_rebound_kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c);

/* A gain of energy above this share of its terms is trimmed: well inside what the ledger would flag. */
#define TRIM_TOL (8 * EPS)

/* The share x of the tangential impulse q that may stay when the normal velocity changes by D_n, so that no energy is
 * gained. The laws see to that; but an ill-conditioned or singular K magnifies their rounding. r = u_t - k u_n / K_nn:
 *
 *     2 K_nn dE = N + 2 R x + Q x^2,   N = D_n (2 u_n + D_n) <= 0,   R = K_nn q . r,   Q = K_nn q B q    */
static inline double energy_share(const carom_problem *problem, const schur *s, double D_n, tvec q)
{
    const carom_csym *K = &problem->K;
    tvec r = schur_reduce_scaled(K, problem->u);
    double N = D_n * (2 * problem->u.n + D_n), R = tvec_dot(q, r), Q = complement_form(s, q);
    double noise = TRIM_TOL * (fabs(q.t1 * r.t1) + fabs(q.t2 * r.t2) + fabs(D_n * problem->u.n));
    if (!(N + 2 * R + Q > noise))
        return 1;
    double root = sqrt(R * R - Q * N);
    return clamp(R > 0 ? -N / (R + root) : (root - R) / Q, 0, 1);
}

#endif

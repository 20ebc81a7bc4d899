/* Modes that partial derivatives couple.
 *
 * Axes of equal frequencies have no derivative (a sphere has two), so where numbers carry partial derivatives
 * (core/num.h) the axes v_i carry none, and A of (11) has off-diagonal entries without a value: cross[k] = v_i . A v_j,
 * i and j the modes other than k. To first order a function of A gains, between i and j,
 *
 *     cross (F(w_i) - F(w_j)) / (lambda_i - lambda_j),   w = lambda t^2                                          (12)
 *
 * whose quotient is a sum of h_n = w_i^n + w_i^(n-1) w_j + ... + w_j^n, for equal frequencies, too. */
#ifndef CAROM_LAWS_COMPLIANT_COUPLED_H
#define CAROM_LAWS_COMPLIANT_COUPLED_H

#include "laws/springs/springs.h"

enum { COUPLED_TERMS = 12 }; /* of series in w <= 0.64 */

/* The quotients (12) of C, S, Q and lambda S, for each pair. */
typedef struct coupled {
    real C[MODES], S[MODES], Q[MODES], G[MODES];
} coupled;

static inline int coupled_first(int k)
{
    return k == 0 ? 1 : 0;
}

static inline int coupled_second(int k)
{
    return k == 2 ? 1 : 2;
}

static inline coupled coupled_over(const mode_set *m, real t)
{
    coupled by;
    for (int k = 0; k < MODES; k++) {
        int i = coupled_first(k), j = coupled_second(k);
        real w = j < m->count ? real_of(m->omega2[i]) * t * t : 0, x = j < m->count ? real_of(m->omega2[j]) * t * t : 0;
        real h = 1, power = 1, share = 1, C = 0, S = 0, Q = 0, G = 0; /* share = (-1)^n / (2n)! */
        for (int n = 0; n < COUPLED_TERMS; n++) {
            G += h * share / (2 * n + 1);
            share /= -(2.0 * n + 1) * (2 * n + 2);
            C += h * share;
            S += h * share / (2 * n + 3);
            Q += h * share / ((2.0 * n + 3) * (2 * n + 4));
            power *= x;
            h = h * w + power;
        }
        by.C[k] = t * t * C;
        by.S[k] = t * t * t * S;
        by.Q[k] = t * t * t * t * Q;
        by.G[k] = t * G;
    }
    return by;
}

#endif

/* Complete elliptic integrals of the parameter m, 0 <= m < 1, in the combinations that lose no digits at m = 0:
 *
 *     K = B + D,   E = B + (1 - m) D,   B = (E - (1 - m) K) / m,   D = (K - E) / m,   C = (D - B) / m
 *
 * By the arithmetic-geometric mean: with a, c of its steps, S = sum of 2^n (c_n / m)^2 over n >= 1,
 *
 *     K = pi / (2 a),   D = K (1 + m S) / 2,   B = K (1 - m S) / 2,   C = K S.                                     */
#ifndef CAROM_CORE_ELLIPTIC_H
#define CAROM_CORE_ELLIPTIC_H

#include "core/num.h"

typedef struct elliptic {
    double B, D, C, E;
} elliptic;

enum { ELLIPTIC_STEPS = 12 };    /* of the mean; 9 are enough for every m below */
#define ELLIPTIC_LEAST   0x1p-54 /* of 1 - m: the rounding of m; D, which grows as its logarithm, costs B few digits */
#define ELLIPTIC_SETTLED (EPS / 8) /* of S: what further steps add to it */

static inline elliptic elliptic_at(double m)
{
    const double rest = max(1 - m, ELLIPTIC_LEAST);
    double b = sqrt(rest), a = 0.5 * (1 + b), share = 1 / (4 * a); /* c_1 / m */
    double S = 0, weight = 2;
    b = sqrt(b);
    for (int i = 0; i < ELLIPTIC_STEPS; i++) {
        const double term = weight * square(share), mean = 0.5 * (a + b);
        S += term;
        if (term <= ELLIPTIC_SETTLED * S && a - b <= EPS * a)
            break;
        share = m * square(share) / (4 * mean);
        b = sqrt(a * b);
        a = mean;
        weight *= 2;
    }
    const double half = 0.25 * 3.141592653589793 / a;
    const elliptic x = {half * (1 - m * S), half * (1 + m * S), 2 * half * S,
                        half * (1 - m * S) + rest * half * (1 + m * S)};
    return x;
}

#endif

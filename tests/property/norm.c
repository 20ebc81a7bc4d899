#include "norm.h"

#include <float.h>
#include <math.h>

#include "carom/carom.h"

enum { TERMS = 64, MEANS = 12, GOLDEN_STEPS = 96 };

#define PI     3.14159265358979323846264338327950288L
#define LAMBDA (3 * PI / 16) /* of the ellipse */
#define FAR    2.0L          /* v / W: from here on the series in W / v has a term of 1e-19 within TERMS */
#define GOLDEN 0.61803398874989484820458683436563812L

/* Complete elliptic integrals E and (1 - m) K of the parameter m, from 1 - m, by the arithmetic-geometric mean. */
static void elliptic(long double rest, long double *E, long double *rest_K)
{
    long double a = 1, b = sqrtl(rest), sum = (1 - rest) / 2, weight = 1;
    *E = 1;
    *rest_K = 0;
    if (rest == 0)
        return;
    for (int i = 0; i < MEANS && a - b > LDBL_EPSILON * a; i++) {
        const long double mean = (a + b) / 2, half = (a - b) / 2;
        sum += weight * half * half;
        weight *= 2;
        b = sqrtl(a * b);
        a = mean;
    }
    const long double K = PI / (a + b);
    *E = K * (1 - sum);
    *rest_K = rest * K;
}

/* Phi / W at s = v / W <= FAR: the closed forms of s F + M. */
static long double near_hertz(long double s)
{
    const long double s2 = s * s, inner = s - s2 * s / 4, moment = 1 - s2 + 3 * s2 * s2 / 8;
    if (s <= 1)
        return 3 * PI / 8 * s * inner + 3 * PI / 16 * moment;
    const long double theta = asinl(1 / s), root = sqrtl((s - 1) * (s + 1));
    return 0.75L * (s * inner * theta + (s2 + 2) * root / 4) + 0.375L * (moment * theta + 0.375L * (2 - s2) * root);
}

static long double near_uniform(long double s)
{
    const long double s2 = s * s;
    long double E, rest_K;
    elliptic(s <= 1 ? (1 - s) * (1 + s) : (1 - 1 / s) * (1 + 1 / s), &E, &rest_K);
    if (s <= 1)
        return 4 / (3 * PI) * ((1 + s2) * E - rest_K) + 4 / (9 * PI) * ((4 - 2 * s2) * E - rest_K);
    return 4 / (3 * PI) * s * ((s2 + 1) * E - s2 * rest_K) +
           4 / (9 * PI) * (2 * s * (2 - s2) * E + s * (2 * s2 - 3) * rest_K);
}

static long double near_ring(long double s)
{
    long double E, rest_K;
    elliptic(s <= 1 ? (1 - s) * (1 + s) : (1 - 1 / s) * (1 + 1 / s), &E, &rest_K);
    return s <= 1 ? 2 / PI * (2 * E - rest_K) : 2 / PI * s * (2 * E - rest_K);
}

/* Phi / v: the sum of ((-1/2)_j / j!)^2 beta_j (W / v)^2j. */
static long double far_series(int pressure, long double q)
{
    long double term = 1, beta = 1, sum = 1;
    for (int j = 0; j < TERMS && term > LDBL_EPSILON / 4; j++) {
        const long double ratio = (j - 0.5L) / (j + 1);
        term *= ratio * ratio * q * q;
        beta *= pressure == CAROM_OPTION_PRESSURE_RING      ? 1
                : pressure == CAROM_OPTION_PRESSURE_UNIFORM ? (j + 1.0L) / (j + 2)
                                                            : (j + 1) / (j + 2.5L);
        sum += term * beta;
    }
    return sum;
}

long double norm_of_slip(int pressure, long double v, long double W)
{
    if (pressure == CAROM_OPTION_PRESSURE_ELLIPSE)
        return hypotl(v, LAMBDA * W);
    if (v >= FAR * W)
        return v > 0 ? v * far_series(pressure, W / v) : 0;
    const long double s = v / W;
    return W * (pressure == CAROM_OPTION_PRESSURE_RING      ? near_ring(s)
                : pressure == CAROM_OPTION_PRESSURE_UNIFORM ? near_uniform(s)
                                                            : near_hertz(s));
}

/* The power of (f, m) over Phi, in a direction of slips. */
static long double power(int pressure, long double f, long double m, long double angle)
{
    const long double v = sinl(angle), W = cosl(angle);
    return (f * v + m * W) / norm_of_slip(pressure, v, W);
}

/* The largest ratio of power and Phi; it has one maximum over the angle, as Phi is convex. */
long double norm_dual(int pressure, long double f, long double m)
{
    if (pressure == CAROM_OPTION_PRESSURE_ELLIPSE || m == 0)
        return hypotl(f, m / LAMBDA);
    long double low = 0, high = PI / 2, a = high * (1 - GOLDEN), b = high * GOLDEN;
    long double at_a = power(pressure, f, m, a), at_b = power(pressure, f, m, b);
    for (int i = 0; i < GOLDEN_STEPS; i++) {
        if (at_a < at_b) {
            low = a, a = b, at_a = at_b;
            b = low + GOLDEN * (high - low);
            at_b = power(pressure, f, m, b);
        } else {
            high = b, b = a, at_b = at_a;
            a = high - GOLDEN * (high - low);
            at_a = power(pressure, f, m, a);
        }
    }
    return fmaxl(fmaxl(at_a, at_b), f); /* f: the limit of the angle of slip alone */
}

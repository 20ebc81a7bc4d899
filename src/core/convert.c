#include "carom/convert.h"

#include <math.h>

#include "carom/elementary.h"
#include "core/elementary_parts.h"
#include "core/roots.h"

#define SERIES_NEAR 0.1     /* |1 - zeta| below which arccos(zeta)/sqrt(1 - zeta^2) is summed */
enum { SERIES_TERMS = 14 }; /* the ratio of its terms is (1 - zeta)/2 at most */

/* phi(zeta) = arccos(zeta)/sqrt(1 - zeta^2), analytic at 1, and its derivative. */
static double half_phase(double zeta, double *slope)
{
    const double d = 1 - zeta;
    if (fabs(d) < SERIES_NEAR) {
        double term = 1, sum = 1, rate = 0;
        for (int k = 1; k <= SERIES_TERMS; k++) {
            double grown = term * k / (2 * k + 1.0); /* 2^k k!^2 / (2k + 1)! */
            rate += k * grown;
            term = grown * d;
            sum += term;
        }
        *slope = -rate;
        return sum;
    }
    double phi = zeta < 1 ? carom_acos(zeta) / sqrt(d * (1 + zeta)) : carom_acosh(zeta) / sqrt((zeta - 1) * (zeta + 1));
    *slope = (zeta * phi - 1) / (d * (1 + zeta));
    return phi;
}

double carom_spring_dashpot_phase(double zeta)
{
    double slope;
    return zeta >= 0 ? 2 * half_phase(zeta, &slope) : NAN;
}

double carom_e_from_zeta(double zeta)
{
    return carom_exp(-zeta * carom_spring_dashpot_phase(zeta));
}

/* sinh(y/2) times a factor that goes from 2/pi at y = 0 to 1 at infinity, fitted: 1 % off at most. */
static double zeta_guess(double y, double root_e)
{
    const double a = 0.25823, b = 0.10493, c = 0.21334, at_zero = 0.6366197723675814;
    return 0.5 * (1 / root_e - root_e) * (at_zero + y * (a + y * b)) / (1 + y * (c + y * b));
}

double carom_zeta_from_e(double e)
{
    if (!(e > 0 && e <= 1))
        return NAN;
    const double wanted = -carom_log(e); /* 2 zeta phi(zeta), which increases */
    double zeta = zeta_guess(wanted, sqrt(e));
    bracket b = bracket_make(0, INFINITY);
    for (int i = 0; i < ROOT_STEPS && e < 1; i++) {
        double slope, phi = half_phase(zeta, &slope);
        double next = bracket_next(&b, zeta, 2 * zeta * phi - wanted, 2 * (phi + zeta * slope));
        bool settled = bracket_settled(&b, zeta, next);
        zeta = next;
        if (settled)
            break;
    }
    return zeta;
}

double carom_e_from_zeta_fit(double zeta)
{
    return zeta >= 0 ? 1 / (1 + 2.5 * zeta + 4 * zeta * zeta) : NAN;
}

/* ---- hunt-crossley ---- */

#define HC_NEAR 0.5 /* A below which logarithms are summed, for (t - ln(1+t))/t^2 cancels */
enum { HC_TERMS = 56 };

/* (t - ln(1 + t))/t^2 = 1/2 - t/3 + t^2/4 - ..., |t| <= 1/2 */
static double log_rest(double t)
{
    double sum = 0;
    for (int k = HC_TERMS; k >= 0; k--)
        sum = 1.0 / (k + 2) - t * sum;
    return sum;
}

/* e^2 H(-A e) = H(A), whose left side has the slope e / (1 - A e). */
static double weak_hunt_crossley(double A)
{
    const double wanted = log_rest(A);
    double e = 1 / (carom_exp(-0.4 * A) + A);
    for (int i = 0; i < ROOT_STEPS; i++) {
        double step = (e * e * log_rest(-A * e) - wanted) * (1 - A * e) / e;
        e -= step;
        if (fabs(step) <= ROOT_TOL * e)
            break;
    }
    return e < 1 ? e : 1;
}

/* q = -ln(1 - A e):  q + e^-q - 1 = A - ln(1 + A). */
static double strong_hunt_crossley(double A)
{
    const double wanted = A - carom_log1p(A);
    double q = wanted + 1;
    for (int i = 0; i < ROOT_STEPS; i++) {
        double step = (q + carom_expm1(-q) - wanted) / -carom_expm1(-q);
        q -= step;
        if (fabs(step) <= ROOT_TOL * q)
            break;
    }
    return -carom_expm1(-q) / A;
}

double carom_e_from_hunt_crossley(double A)
{
    return !(A >= 0) ? NAN : A == 0 ? 1 : A < HC_NEAR ? weak_hunt_crossley(A) : strong_hunt_crossley(A);
}

/* de/dA = (1 + e)(1 - e - A e) / (A e (1 + A)), which is -2/3 at A = 0. */
static double hunt_crossley_slope(double A, double e)
{
    return A < 1e-3 ? -2.0 / 3 : (1 + e) * (1 - e - A * e) / (A * e * (1 + A));
}

double carom_hunt_crossley_from_e(double e)
{
    if (!(e > 0 && e <= 1))
        return NAN;
    double A = 1.5 * (1 - e) / e;
    bracket b = bracket_make(0, INFINITY);
    for (int i = 0; i < ROOT_STEPS && e < 1; i++) {
        double there = carom_e_from_hunt_crossley(A);
        double next = bracket_next(&b, A, e - there, -hunt_crossley_slope(A, there));
        bool settled = bracket_settled(&b, A, next);
        A = next;
        if (settled)
            break;
    }
    return e == 1 ? 0 : A;
}

double carom_e_from_hunt_crossley_fit(double A)
{
    return A >= 0 ? 1 / (carom_exp(-0.4 * A) + A) : NAN;
}

/* ---- powers ---- */

double carom_power_compression(double k, double exponent, double mass, double v)
{
    if (!(k > 0 && exponent >= 1 && mass > 0 && v >= 0))
        return NAN;
    return carom_pow((exponent + 1) * mass * v * v / (2 * k), 1 / (exponent + 1));
}

/* Gamma(n + 1) / Gamma(n + 1/2) for n > 0: with w = n + 1/4 its series in 1/w^2 at w + FAR, and the recurrence
 * (w + 1/4) / (w + 3/4) of the ratio back to w, in doubled digits. */
static double gamma_ratio(double n)
{
    enum { FAR = 24 };
    dd ratio = {1, 0};
    for (int k = 0; k < FAR; k++) {
        dd above = two_sum(k + 1, n); /* 1 - (1/2) / above */
        double q = 0.5 / above.hi;
        dd back = product(q, above.hi), factor = two_sum(1, -q);
        factor.lo -= ((0.5 - back.hi) - back.lo - q * above.lo) / above.hi;
        dd next = product(ratio.hi, factor.hi);
        ratio = quick_sum(next.hi, next.lo + (ratio.hi * factor.lo + ratio.lo * factor.hi));
    }
    const double w = n + FAR + 0.25, z = 1 / (w * w);
    const double series = z * (1.0 / 64 - z * (19.0 / 8192 - z * (631.0 / 524288 - z * (174317.0 / 134217728))));
    return ratio.hi * (sqrt(w) * (1 + series));
}

double carom_power_time_factor(double exponent)
{
    const double pi = 3.14159265358979323846, n = 1 / (exponent + 1);
    return exponent >= 1 ? 2 * sqrt(pi) * gamma_ratio(n) : NAN;
}

/* Series and quadrature: what the laws with a path evaluate their smooth stretches with. */
#ifndef CAROM_CORE_SERIES_H
#define CAROM_CORE_SERIES_H

#include <math.h>

/* sum of a[i] x^i, i = 0 ... n. */
static inline double horner(const double *a, int n, double x)
{
    double s = a[n];
    for (int i = n - 1; i >= 0; i--)
        s = s * x + a[i];
    return s;
}

/* The integral of the same from 0 to x. */
static inline double horner_integral(const double *a, int n, double x)
{
    double s = a[n] / (n + 1);
    for (int i = n - 1; i >= 0; i--)
        s = s * x + a[i] / (i + 1);
    return s * x;
}

/* Phi(l, t): the integral of exp(l s) for s from 0 to t; entire in l. */
static inline double exp_integral(double l, double t)
{
    double x = l * t;
    return fabs(x) < 1e-17 ? t : expm1(x) / l; /* below, expm1(x) = x to every bit */
}

/* The integral of exp(l1 s) Phi(l0, s) for s from 0 to t: the divided difference of Phi(., t) between l1 and l0 + l1. */
static inline double exp_integral_2(double l0, double l1, double t)
{
    double x0 = l0 * t, x1 = l1 * t;
    if (fabs(x0) < 1 && fabs(x1) < 1) { /* sum over k of D_k t^(k+1)/(k+1)!, D_k = sum of (l0+l1)^i l1^(k-1-i) */
        double difference = 1, power = 1, factor = 0.5 * t * t, sum = factor;
        for (int k = 2; k <= 24; k++) {
            power *= x0 + x1;
            difference = x1 * difference + power;
            factor /= k + 1;
            sum += difference * factor;
        }
        return sum;
    }
    if (fabs(x0) >= fabs(x1))
        return (exp_integral(l0 + l1, t) - exp_integral(l1, t)) / l0;
    return (exp(x1) * exp_integral(l0, t) - exp_integral(l0 + l1, t)) / l1;
}

/* Gauss-Legendre with eight points on [0, 1]: error about (3.6 rho)^-16 when the integrand is analytic up to rho times
 * the length of the interval away. */
enum { GAUSS_POINTS = 8 };

static const double gauss_x[GAUSS_POINTS] = {
    0.01985507175123188416, 0.10166676129318663020, 0.23723379504183550709, 0.40828267875217509753,
    0.59171732124782490247, 0.76276620495816449291, 0.89833323870681336980, 0.98014492824876811584};
static const double gauss_w[GAUSS_POINTS] = {
    0.05061426814518812958, 0.11119051722668723527, 0.15685332293894364367, 0.18134189168918099148,
    0.18134189168918099148, 0.15685332293894364367, 0.11119051722668723527, 0.05061426814518812958};

#endif

/* Series and quadrature: what the laws with a path evaluate their smooth stretches with. */
#ifndef CAROM_CORE_SERIES_H
#define CAROM_CORE_SERIES_H

#include <math.h>

#define EXP_LINEAR 1e-17 /* |x| below which expm1(x) and log1p(x) are x to every bit */

/* sum of a[i] x^i, i = 0 ... n. */
static inline double horner(const double *a, int n, double x)
{
    double s = a[n];
    for (int i = n - 1; i >= 0; i--)
        s = s * x + a[i];
    return s;
}

/* Phi(l, t): the integral of exp(l s) for s from 0 to t; entire in l. */
static inline double exp_integral(double l, double t)
{
    double x = l * t;
    return fabs(x) < EXP_LINEAR ? t : expm1(x) / l;
}

/* The integral of exp(l1 s) Phi(l0, s) for s from 0 to t: the divided difference of Phi(., t) between l1 and l0 + l1.
 */
static inline double exp_integral_2(double l0, double l1, double t)
{
    double x0 = l0 * t, x1 = l1 * t;
    if (fabs(x0) < 1 &&
        fabs(x1) < 1) { /* 24! covers 2^24: sum over k of D_k t^(k+1)/(k+1)!, D_k = sum of (l0+l1)^i l1^(k-1-i) */
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

/* Gauss-Legendre on [0, 1] with six and with ten points. */
enum { GAUSS_FEW = 6, GAUSS_MANY = 10 };

static const double gauss_few_x[GAUSS_FEW] = {0.0337652428984239860938, 0.169395306766867743169,
                                              0.380690406958401545685,  0.619309593041598454315,
                                              0.830604693233132256831,  0.966234757101576013906};
static const double gauss_few_w[GAUSS_FEW] = {0.0856622461895851725201, 0.180380786524069303785,
                                              0.233956967286345523695,  0.233956967286345523695,
                                              0.180380786524069303785,  0.0856622461895851725201};
static const double gauss_many_x[GAUSS_MANY] = {
    0.013046735741414139961, 0.067468316655507744634, 0.160295215850487796883, 0.2833023029353764046,
    0.425562830509184394558, 0.574437169490815605442, 0.7166976970646235954,   0.839704784149512203117,
    0.932531683344492255366, 0.986953264258585860039};
static const double gauss_many_w[GAUSS_MANY] = {
    0.0333356721543440687968, 0.0747256745752902965729, 0.109543181257991021998, 0.134633359654998177546,
    0.147762112357376435087,  0.147762112357376435087,  0.134633359654998177546, 0.109543181257991021998,
    0.0747256745752902965729, 0.0333356721543440687968};

/* The integrals of a b and of a a from 0 to t, for polynomials of degree n, from the values at count points. Inlined
 * with a constant count, so that compilers keep the points in vector registers. */
static inline void gauss_products(const double *a, const double *b, int n, double t, const double *x, const double *w,
                                  int count, double *ab, double *aa)
{
    double p[GAUSS_MANY], q[GAUSS_MANY], y[GAUSS_MANY];
    for (int i = 0; i < count; i++) {
        y[i] = t * x[i];
        p[i] = a[n];
        q[i] = b[n];
    }
    for (int k = n - 1; k >= 0; k--) {
        double ak = a[k], bk = b[k];
        for (int i = 0; i < count; i++) {
            p[i] = p[i] * y[i] + ak;
            q[i] = q[i] * y[i] + bk;
        }
    }
    double sum = 0, own = 0;
    for (int i = 0; i < count; i++) {
        double weighted = w[i] * p[i];
        sum += weighted * q[i];
        own += weighted * p[i];
    }
    *ab = t * sum;
    *aa = t * own;
}

#endif

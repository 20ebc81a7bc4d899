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
    if (fabs(x0) < 1 && fabs(x1) < 1) { /* sum over k of D_k t^(k+1)/(k+1)!, D_k = sum of (l0+l1)^i l1^(k-1-i) */
        static const double inverse[] = {1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                                         1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13,
                                         1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19,
                                         1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25};
        double difference = 1, power = 1, factor = 0.5 * t * t, sum = factor, most = fabs(x0 + x1) + fabs(x1);
        double left = factor;                                      /* no term from here on is larger */
        for (int k = 2; k <= 24 && left > EXP_LINEAR * sum; k++) { /* 24! covers 2^24 */
            power *= x0 + x1;
            difference = x1 * difference + power;
            factor *= inverse[k - 1];
            left *= most * inverse[k - 1];
            sum += difference * factor;
        }
        return sum;
    }
    if (fabs(x0) >= fabs(x1))
        return (exp_integral(l0 + l1, t) - exp_integral(l1, t)) / l0;
    return (exp(x1) * exp_integral(l0, t) - exp_integral(l0 + l1, t)) / l1;
}

/* Two numbers in one vector register, for the compilers that know this (gcc, clang): what their loops would be turned
 * into, without having to hope for it. Every machine gives the same bits. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline pair pair_of(double x)
{
    pair p = {x, x};
    return p;
}

/* Gauss-Legendre on [0, 1]: points and weights, in pairs. */
enum { GAUSS_MOST = 5 };

typedef struct gauss_rule {
    int pairs;
    pair x[GAUSS_MOST], w[GAUSS_MOST];
} gauss_rule;

static const gauss_rule gauss_6 = {3,
                                   {{0.0337652428984239860938, 0.169395306766867743169},
                                    {0.380690406958401545685, 0.619309593041598454315},
                                    {0.830604693233132256831, 0.966234757101576013906}},
                                   {{0.0856622461895851725201, 0.180380786524069303785},
                                    {0.233956967286345523695, 0.233956967286345523695},
                                    {0.180380786524069303785, 0.0856622461895851725201}}};
static const gauss_rule gauss_8 = {4,
                                   {{0.0198550717512318841582, 0.101666761293186630204},
                                    {0.237233795041835507091, 0.40828267875217509753},
                                    {0.59171732124782490247, 0.762766204958164492909},
                                    {0.898333238706813369796, 0.980144928248768115842}},
                                   {{0.0506142681451881295763, 0.111190517226687235272},
                                    {0.156853322938943643669, 0.181341891689180991483},
                                    {0.181341891689180991483, 0.156853322938943643669},
                                    {0.111190517226687235272, 0.0506142681451881295763}}};
static const gauss_rule gauss_10 = {5,
                                    {{0.013046735741414139961, 0.067468316655507744634},
                                     {0.160295215850487796883, 0.2833023029353764046},
                                     {0.425562830509184394558, 0.574437169490815605442},
                                     {0.7166976970646235954, 0.839704784149512203117},
                                     {0.932531683344492255366, 0.986953264258585860039}},
                                    {{0.0333356721543440687968, 0.0747256745752902965729},
                                     {0.109543181257991021998, 0.134633359654998177546},
                                     {0.147762112357376435087, 0.147762112357376435087},
                                     {0.134633359654998177546, 0.109543181257991021998},
                                     {0.0747256745752902965729, 0.0333356721543440687968}}};

/* Two polynomials of one degree: a[n] are their coefficients of the power n. */
typedef struct poly_pair {
    const pair *a;
    int stride, degree;
} poly_pair;

/* The integrals of their product and of the square of the first, from 0 to t. Inlined with a rule known to the
 * compiler, which then keeps the points in registers. */
static inline void gauss_products(const poly_pair *f, double t, const gauss_rule *g, double *ab, double *aa)
{
    const pair *a = f->a + f->degree * f->stride;
    pair p[GAUSS_MOST], q[GAUSS_MOST], y[GAUSS_MOST], sum = {0}, own = {0};
    for (int i = 0; i < g->pairs; i++) {
        y[i] = t * g->x[i];
        p[i] = pair_of((*a)[0]);
        q[i] = pair_of((*a)[1]);
    }
    for (int n = f->degree; n > 0; n--) {
        a -= f->stride;
        pair first = pair_of((*a)[0]), second = pair_of((*a)[1]);
        for (int i = 0; i < g->pairs; i++) {
            p[i] = p[i] * y[i] + first;
            q[i] = q[i] * y[i] + second;
        }
    }
    for (int i = 0; i < g->pairs; i++) {
        pair weighted = g->w[i] * p[i];
        sum += weighted * q[i];
        own += weighted * p[i];
    }
    *ab = t * (sum[0] + sum[1]);
    *aa = t * (own[0] + own[1]);
}

#endif

/* Series and exponentials: what the laws with a path evaluate their smooth stretches with. */
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

#endif

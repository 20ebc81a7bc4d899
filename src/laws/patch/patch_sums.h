/* Products of series, order by order. */
#ifndef CAROM_LAWS_PATCH_SUMS_H
#define CAROM_LAWS_PATCH_SUMS_H

#include "laws/patch/patch_path.h"

enum { LANES = 32, LANES_AT_ONCE = 8 };

/* Products of two series, order by order: the coefficient n of a b is a_0 b_n + a_n b_0 and an inner sum of what is
 * known before. Each product has a lane; the sums of all lanes go side by side, but for the terms with coefficients of
 * the order before, which they need not wait for. */
typedef struct series_sums {
    _Alignas(ROW_ALIGNMENT) double left[SERIES_ORDER][LANES];
    double right[SERIES_ORDER][LANES], inner[LANES];
    double over[LANES]; /* of quotients and roots: one over what they divide by */
    int n;
} series_sums;

#if CARRIES_PARTIALS
static inline void sum_inner(series_sums *s, const int lanes)
{
    for (int i = 0; i < lanes; i++) {
        s->inner[i] = 0;
        for (int j = 2; j < s->n - 1; j++)
            s->inner[i] += s->left[j][i] * s->right[s->n - j][i];
    }
}
#else
typedef double lanes_at_once __attribute__((vector_size(LANES_AT_ONCE * sizeof(double)), may_alias));

static inline void sum_inner(series_sums *s, const int lanes)
{
    lanes_at_once sum[LANES / LANES_AT_ONCE] = {{0}};
    const int groups = (lanes + LANES_AT_ONCE - 1) / LANES_AT_ONCE;
    for (int j = 2; j < s->n - 1; j++) {
        const lanes_at_once *left = (const lanes_at_once *)s->left[j],
                            *right = (const lanes_at_once *)s->right[s->n - j];
        for (int i = 0; i < groups; i++)
            sum[i] += left[i] * right[i];
    }
    for (int i = 0; i < groups; i++)
        ((lanes_at_once *)s->inner)[i] = sum[i];
}
#endif

/* The sum of a_j b_(n - j), 0 < j < n. */
static inline double inner_of(const series_sums *s, int lane)
{
    const int last = s->n - 1;
    if (last < 2)
        return last == 1 ? s->left[1][lane] * s->right[1][lane] : 0;
    return s->inner[lane] + (s->left[1][lane] * s->right[last][lane] + s->left[last][lane] * s->right[1][lane]);
}

static inline void keep(series_sums *s, int lane, double a, double b)
{
    s->left[s->n][lane] = a;
    s->right[s->n][lane] = b;
}

/* a b */
static inline double times(series_sums *s, int lane, double a, double b)
{
    keep(s, lane, a, b);
    return s->n == 0 ? a * b : inner_of(s, lane) + (s->left[0][lane] * b + a * s->right[0][lane]);
}

/* a / b */
static inline double over(series_sums *s, int lane, double a, double b)
{
    if (s->n == 0)
        s->over[lane] = 1 / b;
    const double y = s->n == 0 ? a / b : (a - inner_of(s, lane) - s->left[0][lane] * b) * s->over[lane];
    keep(s, lane, y, b);
    return y;
}

static inline double root(series_sums *s, int lane, double a)
{
    const double y = s->n == 0 ? sqrt(a) : (a - inner_of(s, lane)) * s->over[lane];
    if (s->n == 0)
        s->over[lane] = 0.5 / y;
    keep(s, lane, y, y);
    return y;
}

/* a b where b_0 = 0, before a_n is known. */
static inline double leads(const series_sums *s, int lane, double b)
{
    return inner_of(s, lane) + s->left[0][lane] * b;
}

#endif

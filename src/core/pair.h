/* Two numbers that go through the same arithmetic: one vector instruction for both, on every machine that has them. */
#ifndef CAROM_CORE_PAIR_H
#define CAROM_CORE_PAIR_H

#include <math.h>
#include <stdbool.h>

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/fused.h"

typedef double pair __attribute__((vector_size(2 * sizeof(double))));
typedef long long pair_mask __attribute__((vector_size(2 * sizeof(long long)))); /* what comparisons give: -1 or 0 */

static inline pair pair_of(double x)
{
    pair p = {x, x};
    return p;
}

static inline pair pair_root(pair x)
{
#ifdef __SSE2__
    return (pair)_mm_sqrt_pd((__m128d)x);
#else
    pair root = {sqrt(x[0]), sqrt(x[1])};
    return root;
#endif
}

static inline pair pair_fused(pair a, pair b, pair c)
{
#ifdef __FMA__
    return (pair)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
#else
    pair x = {fused(a[0], b[0], c[0]), fused(a[1], b[1], c[1])};
    return x;
#endif
}

/* exact_difference, of each. */
static inline pair exact_difference_pair(double a, pair b, double c, pair d)
{
    pair cd = c * d;
    return pair_fused(pair_of(a), b, -cd) + pair_fused(pair_of(-c), d, cd);
}

/* yes ? a : b, in each place. */
static inline pair pair_pick(pair_mask yes, pair a, pair b)
{
    return (pair)((yes & (pair_mask)a) | (~yes & (pair_mask)b));
}

/* The same words for one number: what is written as a macro of `number` is about one or about two. */
typedef bool double_mask;

static inline double double_of(double x)
{
    return x;
}

static inline double double_fused(double a, double b, double c)
{
    return fused(a, b, c);
}

static inline double double_root(double x)
{
    return sqrt(x);
}

static inline double double_pick(double_mask yes, double a, double b)
{
    return yes ? a : b;
}

#endif

/* Four numbers that go through the same arithmetic: one vector instruction for all where the instruction set has such
 * registers, two where it has not, and the same bits either way. */
#ifndef CAROM_CORE_QUAD_H
#define CAROM_CORE_QUAD_H

#include <string.h>

#include "core/pair.h"

#ifdef __AVX__

typedef double quad __attribute__((vector_size(4 * sizeof(double))));

#define QUAD(a, b, c, d) ((quad){a, b, c, d})

static inline double quad_at(const quad *x, int i)
{
    return (*x)[i];
}

static inline quad quad_of(double x)
{
    return QUAD(x, x, x, x);
}

static inline quad quad_plus(quad a, quad b)
{
    return a + b;
}

static inline quad quad_times(quad a, quad b)
{
    return a * b;
}

#else

typedef struct quad { /* at the same places as the other */
    _Alignas(4 * sizeof(double)) pair low;
    pair high;
} quad;

#define QUAD(a, b, c, d) ((quad){{a, b}, {c, d}})

static inline double quad_at(const quad *x, int i)
{
    return i < 2 ? x->low[i] : x->high[i - 2];
}

static inline quad quad_of(double x)
{
    return QUAD(x, x, x, x);
}

static inline quad quad_plus(quad a, quad b)
{
    quad x = {a.low + b.low, a.high + b.high};
    return x;
}

static inline quad quad_times(quad a, quad b)
{
    quad x = {a.low * b.low, a.high * b.high};
    return x;
}

#endif

static inline quad quad_load(const double *x)
{
    quad y;
    memcpy(&y, x, sizeof y);
    return y;
}

static inline double quad_sum(quad x)
{
    return (quad_at(&x, 0) + quad_at(&x, 1)) + (quad_at(&x, 2) + quad_at(&x, 3));
}

/* a b + c */
static inline quad quad_step(quad a, quad b, quad c)
{
    return quad_plus(quad_times(a, b), c);
}

#endif

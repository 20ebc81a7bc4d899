/* Values at the points of core/radau.h: an array of POINTS numbers.
 *
 * One thread holds the values at all points. Where a team of threads works on one impact, each holds the value at one
 * point; such a build brings its own version of this file and of the sums in core/collocation.h (POINTS_HEADER). Sums
 * have one order, so that the bits do not depend on who holds what. */
#ifndef CAROM_CORE_POINTS_H
#define CAROM_CORE_POINTS_H

#include "core/radau.h"

#ifdef POINTS_HEADER
#include POINTS_HEADER
#else

enum { POINTS = RADAU };

/* The entry of a table that belongs to the i-th of these points. */
static inline real entry_at(const real *table, int i)
{
    return table[i];
}

/* The value at point i of all. */
static inline real value_at(const real *x, int i)
{
    return x[i];
}

/* The first of all points at which this is not zero, or RADAU. */
static inline int first_of(const int *mine)
{
    int first = RADAU;
#pragma omp simd reduction(min : first)
    for (int i = 0; i < RADAU; i++) {
        const int here = mine[i] ? i : RADAU;
        first = here < first ? here : first;
    }
    return first;
}

/* Does it hold for the points of all threads; the largest of what they found. */
static inline bool all_agree(bool mine)
{
    return mine;
}

static inline real most_of(real mine)
{
    return mine;
}
#endif

#endif

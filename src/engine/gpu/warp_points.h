/* core/points.h for a warp that shares an impact: thread l holds the value at point l. The threads have the same
 * numbers everywhere else and take the same branches. Threads beyond the last point repeat the points before them. */
#ifndef CAROM_ENGINE_GPU_WARP_POINTS_H
#define CAROM_ENGINE_GPU_WARP_POINTS_H

#include <string.h>

#include "core/radau.h"

enum { POINTS = 1, WARP = 32, PARTS = 8 }; /* PARTS: the partial sums of core/collocation.h */

static inline int thread_of_warp(void)
{
    return __nvvm_read_ptx_sreg_tid_x() % WARP;
}

static inline int point_of_thread(void)
{
    const int thread = thread_of_warp();
    return thread < RADAU ? thread : thread - (WARP - RADAU);
}

/* x of another thread. */
static inline real from_thread(real x, int thread)
{
    int half[2];
    memcpy(half, &x, sizeof x);
    half[0] = __nvvm_shfl_sync_idx_i32(-1, half[0], thread, WARP - 1);
    half[1] = __nvvm_shfl_sync_idx_i32(-1, half[1], thread, WARP - 1);
    memcpy(&x, half, sizeof x);
    return x;
}

static inline real entry_at(const real *table, int i)
{
    return table[point_of_thread() + i];
}

static inline real value_at(const real *x, int i)
{
    return from_thread(x[0], i);
}

/* Threads beyond the last point repeat earlier ones: none of them is the first. */
static inline int first_of(const int *mine)
{
    const int where = __nvvm_vote_ballot_sync(-1, *mine != 0);
    return where ? __builtin_ctz((unsigned)where) : RADAU;
}

static inline bool all_agree(bool mine)
{
    return __nvvm_vote_all_sync(-1, mine);
}

static inline real most_of(real mine)
{
    for (int apart = 1; apart < WARP; apart *= 2)
        mine = max(mine, from_thread(mine, thread_of_warp() ^ apart));
    return mine;
}

/* The partial sums and the tree of core/collocation.h: a + b is b + a. */
static inline real sum_of(real product)
{
    const int part = thread_of_warp() % PARTS;
    real sum = 0;
    for (int i = 0; i < RADAU; i += PARTS)
        sum += from_thread(product, part + i);
    for (int apart = 1; apart < PARTS; apart *= 2)
        sum += from_thread(sum, part ^ apart);
    return sum;
}

static inline real radau_dot(const real *x, const real *y)
{
    return sum_of(*x * *y);
}

static inline real radau_table_dot(const real *table, const real *y)
{
    return sum_of(entry_at(table, 0) * *y);
}

static inline void radau_sums(const real (*table)[RADAU], const real *f, real *restrict sum)
{
    const real mine = *f, *column = &table[0][point_of_thread()];
    real even = 0, odd = 0;
#pragma unroll 4
    for (int j = 0; j < RADAU; j += 2) {
        even += column[j * RADAU] * from_thread(mine, j);
        odd += column[(j + 1) * RADAU] * from_thread(mine, j + 1);
    }
    *sum = even + odd;
}

#endif

/* core/points.h for a team of threads that share an impact: thread l of a team of T holds the values at the points l,
 * l + T, l + 2 T, ... The threads of a team have the same numbers everywhere else and take the same branches; the teams
 * of a warp go their own ways. */
#ifndef CAROM_ENGINE_GPU_TEAM_POINTS_H
#define CAROM_ENGINE_GPU_TEAM_POINTS_H

#include <string.h>

#include "core/radau.h"
#include "engine/gpu/gpu_job.h"

enum { POINTS = RADAU / GPU_TEAM };
enum { PARTIAL_SUMS = 8, PARTS = PARTIAL_SUMS / GPU_TEAM }; /* of radau_dot; those of a thread */

static inline int thread_of_team(void)
{
    return __nvvm_read_ptx_sreg_tid_x() % GPU_TEAM;
}

/* The threads of this team, as bits of the warp. */
static inline int team_mask(void)
{
    return (int)(((1u << GPU_TEAM) - 1) << (__nvvm_read_ptx_sreg_tid_x() % 32 / GPU_TEAM * GPU_TEAM));
}

/* x of another thread of the team. */
static inline real from_thread(real x, int thread)
{
    enum { WITHIN_TEAM = (32 - GPU_TEAM) << 8 | 31 };
    int half[2];
    if (GPU_TEAM == 1)
        return x;
    memcpy(half, &x, sizeof x);
    half[0] = __nvvm_shfl_sync_idx_i32(team_mask(), half[0], thread, WITHIN_TEAM);
    half[1] = __nvvm_shfl_sync_idx_i32(team_mask(), half[1], thread, WITHIN_TEAM);
    memcpy(&x, half, sizeof x);
    return x;
}

static inline real entry_at(const real *table, int i)
{
    return table[thread_of_team() + GPU_TEAM * i];
}

/* Selects, so that x can stay in registers. */
static inline real value_at(const real *x, int i)
{
    real value = x[0];
    for (int k = 1; k < POINTS; k++)
        value = k == i / GPU_TEAM ? x[k] : value;
    return from_thread(value, i % GPU_TEAM);
}

static inline bool all_agree(bool mine)
{
    return GPU_TEAM == 1 ? mine : __nvvm_vote_all_sync(team_mask(), mine);
}

static inline real most_of(real mine)
{
    for (int apart = 1; apart < GPU_TEAM; apart *= 2)
        mine = max(mine, from_thread(mine, thread_of_team() ^ apart));
    return mine;
}

/* The partial sums and the tree of core/collocation.h: a + b is b + a. */
static inline real sum_of(const real *product)
{
    real sum[PARTS];
    for (int q = 0; q < PARTS; q++)
        sum[q] = ((0 + product[q]) + product[q + PARTS]) + product[q + 2 * PARTS];
    for (int apart = 1; apart < GPU_TEAM; apart *= 2)
        for (int q = 0; q < PARTS; q++)
            sum[q] += from_thread(sum[q], thread_of_team() ^ apart);
    for (int width = PARTS / 2; width > 0; width /= 2)
        for (int q = 0; q < width; q++)
            sum[q] = sum[2 * q] + sum[2 * q + 1];
    return sum[0];
}

static inline real radau_dot(const real *x, const real *y)
{
    real product[POINTS];
    for (int i = 0; i < POINTS; i++)
        product[i] = x[i] * y[i];
    return sum_of(product);
}

static inline real radau_table_dot(const real *table, const real *y)
{
    real product[POINTS];
    for (int i = 0; i < POINTS; i++)
        product[i] = entry_at(table, i) * y[i];
    return sum_of(product);
}

static inline void radau_sums(const real (*table)[RADAU], const real *f, real *restrict sum)
{
    real even[POINTS], odd[POINTS];
    for (int i = 0; i < POINTS; i++)
        even[i] = odd[i] = 0;
#pragma unroll
    for (int j = 0; j < RADAU; j += 2) {
        const real one = from_thread(f[j / GPU_TEAM], j % GPU_TEAM);
        const real two = from_thread(f[(j + 1) / GPU_TEAM], (j + 1) % GPU_TEAM);
#pragma unroll
        for (int i = 0; i < POINTS; i++) {
            even[i] += entry_at(table[j], i) * one;
            odd[i] += entry_at(table[j + 1], i) * two;
        }
    }
    for (int i = 0; i < POINTS; i++)
        sum[i] = even[i] + odd[i];
}

#endif

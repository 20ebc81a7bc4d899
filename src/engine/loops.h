/* Loops over the rows of a tile. They are free of branches and vectorise under `#pragma omp simd`. */
#ifndef CAROM_ENGINE_LOOPS_H
#define CAROM_ENGINE_LOOPS_H

#include <stdint.h>
#include <string.h>

#include "core/coeffs_check.h"
#include "engine/row.h"
#include "engine/stream.h"
#include "engine/tile.h"

enum { STREAM_NONE = 0, STREAM_IMPULSE = V1, STREAM_ALL = RESULTS };

/* Results of a line, in registers until they are stored. */
typedef struct result_line {
    _Alignas(64) double at[RESULTS][LINE];
} result_line;

/* Row i, the k-th of its line. The kernel sees every row. */
INLINE void solve_row(tile *x, const tile_rows *in, int i, int k, row_law law, result_line *out)
{
    const row_answer r = row_solve(tile_problem(in, i), tile_coeffs(in, i), law);
    out->at[P1][k] = r.p.t1;
    out->at[P2][k] = r.p.t2;
    out->at[PN][k] = r.p.n;
    out->at[V1][k] = r.u_after.t1;
    out->at[V2][k] = r.u_after.t2;
    out->at[VN][k] = r.u_after.n;
    x->left[i] = r.left + x->bad_coeffs[i];
}

/* So many rows ahead, whether the array goes on there or not. */
INLINE const void *ahead(const double *row)
{
    return (const void *)((uintptr_t)row + AHEAD * sizeof *row);
}

INLINE void prefetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

/* Fetch a line ahead of every input and of the results that are not streamed. */
INLINE void prefetch_line(const tile *x, const tile_rows *in, int i, int streams)
{
    const double *const arrays[] = {in->K11, in->K12, in->K22, in->K1n, in->K2n, in->Knn, in->u1, in->u2, in->un};
    for (int k = 0; k < 9; k++)
        prefetch(ahead(arrays[k] + i));
    for (int k = streams; k < RESULTS; k++)
        prefetch(ahead(x->out[k] + i));
}

INLINE void store_line(const tile *x, const result_line *results, int i, int streams)
{
    for (int k = 0; k < streams; k++)
        for (int j = 0; j < LINE; j += STREAM_WIDTH)
            stream_store(x->out[k] + i + j, results->at[k] + j);
    for (int k = streams; k < RESULTS; k++)
        memcpy(x->out[k] + i, results->at[k], sizeof results->at[k]);
}

static inline bool any_left(const tile *x)
{
    long long any = 0;
    for (int i = 0; i < x->count; i++)
        any |= x->left[i] != DONE;
    return any;
}

/* So many of the results go to memory by streaming stores. */
INLINE void loop_over(tile *x, row_law law, int streams)
{
    const tile_rows in = x->in;
    for (int i = 0; i < x->count; i += LINE) {
        result_line results;
        if (x->prefetch)
            prefetch_line(x, &in, i, x->stream ? streams : 0);
#pragma omp simd
        for (int k = 0; k < LINE; k++)
            solve_row(x, &in, i + k, k, law, &results);
        if (x->stream)
            store_line(x, &results, i, streams);
        else
            store_line(x, &results, i, 0);
    }
    x->any_left = any_left(x);
}

/* The two loops of a law: law_planar_rows and law_spatial_rows. */
#define LAW_LOOPS(law, spatial_kind, streams)                                                                          \
    FLATTEN static void law##_planar_rows(tile *x)                                                                     \
    {                                                                                                                  \
        loop_over(x, (row_law){law, CAROM_KIND_PLANAR, gives_rebound(&carom_law_##law)}, streams);                     \
    }                                                                                                                  \
    FLATTEN static void law##_spatial_rows(tile *x)                                                                    \
    {                                                                                                                  \
        loop_over(x, (row_law){law, CAROM_KIND_##spatial_kind, gives_rebound(&carom_law_##law)}, streams);             \
    }

INLINE bool gives_rebound(const carom_law *law)
{
    return law->traits & CAROM_TRAIT_GIVES_REBOUND;
}

/* ---- what all laws share ---- */

/* What depends on two coefficients, or on the law. */
static inline void relations_row(tile *x, const tile_rows *in, int i)
{
    const carom_coeffs c = tile_coeffs(in, i);
    x->bad_coeffs[i] = coeffs_fit(&c) & (x->signed_e | (c.e >= 0)) ? 0 : LEFTOVER;
}

static inline void ranges_of(tile *x, const double *value, int which)
{
#pragma omp simd
    for (int i = 0; i < x->count; i++)
        x->bad_coeffs[i] = coeff_in_range(value[i], which) ? x->bad_coeffs[i] : LEFTOVER;
}

FLATTEN static void tile_ranges(tile *x)
{
    const tile_rows in = x->in;
#pragma omp simd
    for (int i = 0; i < x->count; i++)
        relations_row(x, &in, i);
    const double *const *arrays = (const double *const *)&in.c; /* in the order of the manifest */
    for (int k = 0; k < CAROM_COEFF_COUNT; k++)
        ranges_of(x, arrays[k], k);
}

static inline void ledger_row(tile *x, const tile_rows *in, int i)
{
    const carom_problem pb = tile_problem(in, i);
    const carom_cvec p = {x->out[P1][i], x->out[P2][i], x->out[PN][i]},
                     v = {x->out[V1][i], x->out[V2][i], x->out[VN][i]};
    const ledger l = row_ledger(&pb, in->c.mu[i], p, v);
    x->before[i] = l.energy.before;
    x->after[i] = l.energy.after;
    x->change[i] = l.energy.change;
    x->normal[i] = l.energy.normal;
    x->friction[i] = l.energy.friction;
    x->newton[i] = l.restitution.newton;
    x->poisson[i] = l.restitution.poisson;
    x->stronge[i] = l.restitution.stronge;
    x->ivanov[i] = l.restitution.ivanov;
    x->cone[i] = l.margins.cone;
    x->friction_ratio[i] = l.friction_ratio;
    x->solutions[i] = 1;
    x->phases[i] = x->work_compression[i] = x->work_decompression[i] = 0;
    x->flags[i] = (int)l.flags;
    x->defined[i] = (int)l.restitution.defined;
}

FLATTEN static void tile_ledger(tile *x)
{
    const tile_rows in = x->in;
#pragma omp simd
    for (int i = 0; i < x->count; i++)
        ledger_row(x, &in, i);
}

/* Copy an array of the tile to memory, around the caches. */
static void tile_stream(double *to, const double *from, int count)
{
    int i = 0;
    for (; i + STREAM_WIDTH <= count; i += STREAM_WIDTH)
        stream_store(to + i, from + i);
    for (; i < count; i++)
        to[i] = from[i];
}

#endif

/* Loops over the rows of a tile. They are free of branches and vectorise under `#pragma omp simd`. */
#ifndef CAROM_ENGINE_LOOPS_H
#define CAROM_ENGINE_LOOPS_H

#include <stdint.h>
#include <string.h>

#include "contact/impact.h"
#include "core/coeffs_check.h"
#include "engine/ledger.h"
#include "engine/stream.h"
#include "engine/tile.h"

enum { STREAM_NONE = 0, STREAM_IMPULSE = V1, STREAM_ALL = RESULTS };

/* Results of a line, in registers until they are stored. */
typedef struct result_line {
    _Alignas(64) double at[RESULTS][LINE];
} result_line;

/* What the loop of a law is made from; all of it is known when the loop is compiled. */
typedef struct loop_law {
    carom_law_kernel *kernel;
    carom_kind kind;
    bool gives_rebound;
    int streams; /* results that go to memory by streaming stores */
} loop_law;

/* A loop vectorises only if the whole row is inlined into it. */
#if defined(__GNUC__)
#define INLINE  static inline __attribute__((always_inline))
#define FLATTEN __attribute__((flatten))
#else
#define INLINE static inline
#define FLATTEN
#endif

INLINE double select(bool condition, double value, double otherwise)
{
    return (condition ? value : otherwise) + 0.0; /* -0 becomes 0, as in single calls */
}

/* Row i, the k-th of its line. The kernel sees every row; the answer counts where the row is ordinary. */
INLINE void solve_row(tile *x, const tile_rows *in, int i, int k, loop_law law, result_line *out)
{
    const carom_problem pb = tile_problem(in, i);
    carom_coeffs c = tile_coeffs(in, i);
    const minors m = minors_of(&pb.K);
    carom_impact impact;
    impact_set(&impact, &pb, &m, law.kind);
    c.mu = min(c.mu, MU_MAX);
    c.mu_s = min(c.mu_s, MU_MAX);
    const carom_impulse r = law.kernel(&impact, &c);
    const carom_cvec v = law.gives_rebound ? r.u_after : carom_cvec_add(pb.u, carom_csym_apply(pb.K, r.p));

    carom_problem approaching = pb; /* a separating row is as ordinary as its mirror image */
    approaching.u.n = -fabs(pb.u.n);
    bool ordinary =
        law.kind == CAROM_KIND_PLANAR ? is_ordinary_planar(&approaching, &m) : is_ordinary_spatial(&approaching, &m);
    bool covered = (law.kind != CAROM_KIND_SPHERE) | csym_is_sphere(&pb.K);
    bool approaches = pb.u.n < 0, answered = covered & (fabs(r.p.t1 + r.p.t2 + r.p.n) <= SAFE_MAX);
    out->at[P1][k] = select(approaches, r.p.t1, 0);
    out->at[P2][k] = select(approaches, r.p.t2, 0);
    out->at[PN][k] = select(approaches, r.p.n, 0);
    out->at[V1][k] = select(approaches, v.t1, pb.u.t1);
    out->at[V2][k] = select(approaches, v.t2, pb.u.t2);
    out->at[VN][k] = select(approaches, v.n, pb.u.n);
    const double left = ordinary & (answered | !approaches) ? DONE : LEFTOVER;
    x->left[i] = left + (approaches ? 0 : SEPARATES) + x->bad_coeffs[i];
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

INLINE void loop_over(tile *x, loop_law law)
{
    const tile_rows in = x->in;
    for (int i = 0; i < x->count; i += LINE) {
        result_line results;
        if (x->prefetch)
            prefetch_line(x, &in, i, x->stream ? law.streams : 0);
#pragma omp simd
        for (int k = 0; k < LINE; k++)
            solve_row(x, &in, i + k, k, law, &results);
        if (x->stream)
            store_line(x, &results, i, law.streams);
        else
            store_line(x, &results, i, 0);
    }
    x->any_left = any_left(x);
}

/* The two loops of a law: law_planar_rows and law_spatial_rows. */
#define LAW_LOOPS(law, spatial_kind, streams)                                                                          \
    FLATTEN static void law##_planar_rows(tile *x)                                                                     \
    {                                                                                                                  \
        loop_over(x, (loop_law){law, CAROM_KIND_PLANAR, gives_rebound(&carom_law_##law), streams});                    \
    }                                                                                                                  \
    FLATTEN static void law##_spatial_rows(tile *x)                                                                    \
    {                                                                                                                  \
        loop_over(x, (loop_law){law, CAROM_KIND_##spatial_kind, gives_rebound(&carom_law_##law), streams});            \
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
    const minors m = minors_of(&pb.K);
    const carom_cvec p = {x->out[P1][i], x->out[P2][i], x->out[PN][i]},
                     v = {x->out[V1][i], x->out[V2][i], x->out[VN][i]};
    const ledger_entry entry = {pb, p, v, 0.5 * minors_form(&pb.K, &m, pb.u), min(in->c.mu[i], MU_MAX)};
    const ledger l = ledger_of(&entry);
    bool separates = pb.u.n > 0; /* then only the energy before is worth saying */
    x->before[i] = l.energy.before;
    x->after[i] = separates ? l.energy.before : l.energy.after;
    x->change[i] = separates ? 0 : l.energy.change;
    x->normal[i] = separates ? 0 : l.energy.normal;
    x->friction[i] = separates ? 0 : l.energy.friction;
    x->newton[i] = l.restitution.newton;
    x->poisson[i] = l.restitution.poisson;
    x->stronge[i] = l.restitution.stronge;
    x->ivanov[i] = l.restitution.ivanov;
    x->cone[i] = separates ? 0 : l.margins.cone;
    x->friction_ratio[i] = l.friction_ratio;
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

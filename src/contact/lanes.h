/* Lanes: a handful of impacts side by side, for vector registers.
 *
 * A batch is cut into tiles of LANES impacts whose temporaries stay in the first-level cache, or with a ledger
 * close to it. One loop over a tile checks the rows, runs the kernel of the law and finishes the outcome; another
 * makes the ledger (src/engine/tile.c). The first takes LANES_LINE rows at a time, a cache line of every array: with
 * each it asks memory for a line further on and sends off the results, so that arithmetic and traffic overlap. A tile
 * whose rows all have both tangential directions goes through a shorter form of the same loop. The results of a line
 * have a place of their own, from which they are copied: compilers see through that, and keep them in registers.
 * They are branch-free and vectorise under `#pragma omp simd`. Their files are compiled once per instruction set, with
 * LANES_ISA naming it; nothing in their sources differs, so neither do their results. (For all but the baseline a law
 * is compiled twice: its loop, and what does one impact alone, contact/alone.h, which wants other flags.)
 *
 * A kernel is a function of one impact,
 *
 *     static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c);
 *
 * which the law's solve calls too. Rows that it does not cover are solved one by one. */
#ifndef CAROM_CORE_LANES_H
#define CAROM_CORE_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/batch.h"
#include "carom/law.h"
#include "contact/problem_check.h"
#include "core/around.h"

/* Without the build's help a file is its own baseline variant. */
#ifndef LANES_ISA
#define LANES_ISA      baseline
#define LANES_BASELINE 1
#endif

#define LANES_JOIN(name, isa)  name##_##isa
#define LANES_PASTE(name, isa) LANES_JOIN(name, isa)
#define LANES_VARIANT(name)    LANES_PASTE(name, LANES_ISA) /* kernel -> kernel_avx2 */

/* What a loop must hold whole, or it does not vectorise; not every variant of a file uses all of it. */
#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline, unused))
#else
#define LANES_INLINE static inline
#endif

enum { LANES = 128 };
enum { LANES_LINE = 8 };   /* doubles per cache line */
enum { LANES_AHEAD = 64 }; /* rows from what is computed to what memory is asked for */

enum { ROW_APART = 1, ROW_HARD = 2 }; /* separating; not for the vector loops */

typedef double lane[LANES];

/* The rows of the caller that a tile reads. */
typedef struct lanes_rows {
    const double *K11, *K12, *K22, *K1n, *K2n, *Knn, *u1, *u2, *un;
    carom_batch_coeffs c; /* every array is there */
} lanes_rows;

/* The results of a row: impulse, and velocity after. */
enum { P1, P2, PN, V1, V2, VN, LANES_RESULTS };

typedef struct lanes_line {
    _Alignas(64) double at[LANES_RESULTS][LANES_LINE];
} lanes_line;

/* How much a law computes, as the number of results that its loop sends to memory around the caches if these are too
 * small for them. Around them there is least traffic, but a core waits for its own few buffers, which lines on their
 * way to memory hold longest: the more there is to compute, the fewer are sent. The others are ordinary stores to lines
 * that were asked for in time. */
enum { LIGHT = LANES_RESULTS, MEDIUM = V1, HEAVY = 0 };

typedef struct lanes {
    int count; /* impacts here: whole lines, at most LANES */
    lanes_rows in;
    double *at[LANES_RESULTS]; /* where results are written: a tile of our own, or rows of the caller */
    bool fetches;              /* what lies ahead will come from memory, too */
    bool around;   /* and results may go there around the caches: rows begin with a line, nobody reads them */
    bool signed_e; /* the law takes e < 0 */
    bool any_odd;
    bool whole;            /* the tile before had no row in which a direction is absent */
    _Alignas(64) lane odd; /* 0, ROW_APART or ROW_HARD */
    lane barred;           /* ROW_HARD where a row has a coefficient out of range, else 0 */
#define CAROM_LEDGER(name, member, meaning) lane name;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    lane flags, defined;
} lanes;

typedef void lanes_loop(lanes *x);

/* A loop in each instruction set; null where the build has none. */
typedef struct lanes_variants {
    lanes_loop *at[CAROM_ISA_COUNT];
} lanes_variants;

/* One impact: true when the outcome is there. False: a less common case, and nothing is said. See contact/alone.h. */
typedef bool lanes_alone(const carom_problem *problem, const carom_rule *rule, carom_outcome *out);

typedef struct lanes_alones {
    lanes_alone *at[CAROM_ISA_COUNT];
} lanes_alones;

/* What a law has beyond solve: loops, if it has a kernel, and one impact. */
struct carom_law_batch {
    lanes_variants kernel;
    lanes_alones alone;
};

#ifdef LANES_HAVE_AVX2
#define LANES_AVX2(name) [CAROM_ISA_AVX2] = name##_avx2,
#else
#define LANES_AVX2(name)
#endif
#ifdef LANES_HAVE_AVX512
#define LANES_AVX512(name) [CAROM_ISA_AVX512] = name##_avx512,
#else
#define LANES_AVX512(name)
#endif

#define LANES_DECLARE(name) lanes_loop name##_baseline, name##_avx2, name##_avx512;
#define LANES_VARIANTS(name)                                                                                           \
    {                                                                                                                  \
        {                                                                                                              \
            [CAROM_ISA_BASELINE] = name##_baseline, LANES_AVX2(name) LANES_AVX512(name)                                \
        }                                                                                                              \
    }

/* Row i as the values the scalar code works on. Arrays are read through a copy of the pointers: hoisted out of the
 * loop, as the vectorisers want it. */
static inline carom_problem lanes_problem(const lanes_rows *in, int i)
{
    carom_problem pb = {{in->K11[i], in->K12[i], in->K22[i], in->K1n[i], in->K2n[i], in->Knn[i]},
                        {in->u1[i], in->u2[i], in->un[i]}};
    return pb;
}

static inline carom_coeffs lanes_coeffs(const lanes_rows *in, int i)
{
    carom_coeffs c;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) c.name = in->c.name[i];
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return c;
}

/* The loop over a tile of a function of one row. (Its locals must be its own: those declared in the body of a simd loop
 * become arrays, and the loop no longer vectorises.) */
#define LANES_LOOP(name, row)                                                                                          \
    LANES_DECLARE(name)                                                                                                \
    void LANES_VARIANT(name)(lanes * x)                                                                                \
    {                                                                                                                  \
        const lanes_rows in = x->in;                                                                                   \
        const int count = x->count;                                                                                    \
        _Pragma("omp simd") for (int i = 0; i < count; i++) row(x, &in, i);                                            \
    }

/* So many rows ahead, whether the array goes on there or not. */
LANES_INLINE const void *lanes_ahead(const double *row)
{
    return (const void *)((uintptr_t)row + LANES_AHEAD * sizeof *row);
}

/* Ask memory for a line ahead, of every input and of the results that are not sent around the caches.
 * (Always inlined: to gcc a function that only prefetches does nothing.) */
LANES_INLINE void lanes_fetch(const lanes *x, const lanes_rows *in, int row, int sent)
{
    const double *const arrays[] = {in->K11, in->K12, in->K22, in->K1n, in->K2n, in->Knn, in->u1, in->u2, in->un};
    for (int k = 0; k < 9; k++)
        __builtin_prefetch(lanes_ahead(arrays[k] + row));
    for (int k = sent; k < LANES_RESULTS; k++)
        __builtin_prefetch(lanes_ahead(x->at[k] + row), 1);
}

/* Write the results of a line: the first ones around the caches. */
LANES_INLINE void lanes_put(const lanes *x, const lanes_line *line, int row, int sent)
{
    for (int k = 0; k < sent; k++)
        for (int i = 0; i < LANES_LINE; i += AROUND_WIDE)
            around_store(x->at[k] + row + i, line->at[k] + i);
    for (int k = sent; k < LANES_RESULTS; k++)
        for (int i = 0; i < LANES_LINE; i += AROUND_WIDE)
            around_copy(x->at[k] + row + i, line->at[k] + i);
}

static inline bool lanes_any_odd(const lanes *x)
{
    long long any = 0;
    for (int i = 0; i < x->count; i++)
        any |= x->odd[i] != 0;
    return any;
}

/* In the line from this row on. */
static inline bool lanes_any_from(const lanes *x, int row, double least)
{
    long long any = 0;
    for (int i = row; i < row + LANES_LINE; i++)
        any |= x->odd[i] >= least;
    return any;
}

/* No direction is absent in any row. */
static inline bool lanes_are_whole(const lanes *x)
{
    const double *K11 = x->in.K11, *K22 = x->in.K22;
    long long any = 0;
    for (int i = 0; i < x->count; i++)
        any |= !((K11[i] >= COMFORT_LEAST) & (K22[i] >= COMFORT_LEAST));
    return !any;
}

/* A tile is taken to be like the one before. True when this one was taken to be whole and is not. */
static inline bool lanes_disappoint(lanes *x)
{
    const bool was = x->whole;
    if (x->any_odd | !was)
        x->whole = lanes_are_whole(x);
    return was & !x->whole;
}

/* The loop of a law, line by line: for whole tiles, or for all. */
#define LANES_LINES(name, row, whole, fetches, sent)                                                                   \
    static void name(lanes *x)                                                                                         \
    {                                                                                                                  \
        const lanes_rows in = x->in;                                                                                   \
        for (int j = 0, count = x->count; j < count; j += LANES_LINE) {                                                \
            lanes_line line;                                                                                           \
            if (fetches)                                                                                               \
                lanes_fetch(x, &in, j, sent);                                                                          \
            _Pragma("omp simd") for (int i = 0; i < LANES_LINE; i++) row(x, &in, j, i, whole, &line);                  \
            lanes_put(x, &line, j, sent);                                                                              \
        }                                                                                                              \
    }

/* Lines with rows that are hard for `row` are done again by `other`, if that is another one. */
#ifdef LANES_ALONE_ONLY
#define LANES_LAW_LOOP(name, row, other, weight)
#else
#define LANES_LAW_LOOP(name, row, other, weight)                                                                       \
    LANES_LINES(name##_far, row, true, true, weight)                                                                   \
    LANES_LINES(name##_near, row, true, x->fetches, 0)                                                                 \
    LANES_LINES(name##_any, row, false, x->fetches, 0)                                                                 \
    static void name##_again(lanes *x)                                                                                 \
    {                                                                                                                  \
        const lanes_rows in = x->in;                                                                                   \
        for (int j = 0; j < x->count; j += LANES_LINE) {                                                               \
            lanes_line line;                                                                                           \
            if (!lanes_any_from(x, j, ROW_HARD))                                                                       \
                continue;                                                                                              \
            _Pragma("omp simd") for (int i = 0; i < LANES_LINE; i++) other(x, &in, j, i, false, &line);                \
            lanes_put(x, &line, j, 0);                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    LANES_DECLARE(name)                                                                                                \
    void LANES_VARIANT(name)(lanes * x)                                                                                \
    {                                                                                                                  \
        if (x->whole)                                                                                                  \
            x->around ? name##_far(x) : name##_near(x);                                                                \
        else                                                                                                           \
            name##_any(x);                                                                                             \
        x->any_odd = lanes_any_odd(x);                                                                                 \
        if (lanes_disappoint(x))                                                                                       \
            name##_any(x), x->any_odd = lanes_any_odd(x);                                                              \
        if (&row != &other && x->any_odd)                                                                              \
            name##_again(x);                                                                                           \
    }
#endif

/* Of a regular problem, which moves. */
static inline bool lanes_apart(carom_cvec u)
{
    return u.n > 0;
}

/* No infinity and no NaN, at a glance. */
static inline bool lanes_comfortable(carom_cvec p)
{
    return fabs(p.t1 + p.t2 + p.n) <= COMFORT_MOST;
}

static inline double lanes_unless(bool skip, double value, double otherwise)
{
    return skip ? otherwise : value + 0.0; /* -0 becomes 0, as in carom_solve */
}

/* What a loop has found out about a row: u, p, v, and whether its problem and then its answer are as the loops like it.
 * (Two answers, for of one long condition gcc would keep all numbers to the end.) */
typedef struct lanes_found {
    carom_cvec u, p, v;
    bool regular, answered;
} lanes_found;

/* Write row k of a line: p, v and whether it is odd. */
static inline void lanes_write(lanes *x, lanes_line *line, int row, int k, const lanes_found *found)
{
    const carom_cvec u = found->u, p = found->p, v = found->v;
    const double was = x->barred[row + k];
    bool apart = lanes_apart(u);
    line->at[P1][k] = lanes_unless(apart, p.t1, 0);
    line->at[P2][k] = lanes_unless(apart, p.t2, 0);
    line->at[PN][k] = lanes_unless(apart, p.n, 0);
    line->at[V1][k] = lanes_unless(apart, v.t1, u.t1);
    line->at[V2][k] = lanes_unless(apart, v.t2, u.t2);
    line->at[VN][k] = lanes_unless(apart, v.n, u.n);
    const double odd = was + (apart ? ROW_APART : 0), so_far = found->regular ? odd : ROW_HARD;
    x->odd[row + k] = found->answered ? so_far : ROW_HARD;
}

/* A row of a law, from its kernel and from which problems this covers. */
#define LANES_ROW(name, kernel, covers)                                                                                \
    LANES_INLINE void name(lanes *x, const lanes_rows *in, int row, int k, bool whole, lanes_line *line)               \
    {                                                                                                                  \
        const carom_problem pb = lanes_problem(in, row + k);                                                           \
        const carom_coeffs c = lanes_coeffs(in, row + k);                                                              \
        schur s = schur_minors(&pb.K); /* not deficient, or not regular */                                             \
        s.whole = whole;                                                                                               \
        const verdict v = kernel(&pb, &s, &c);                                                                         \
        bool covered = (covers(&pb, &s, &c) | lanes_apart(pb.u)) & (pb.u.n != 0);                                      \
        const lanes_found found = {pb.u, v.p, carom_cvec_add(pb.u, carom_csym_apply(pb.K, v.p)),                       \
                                   problem_is_regular(&pb, &s), covered & lanes_comfortable(v.p)};                     \
        lanes_write(x, line, row, k, &found);                                                                          \
    }

/* The loop of a law from its kernel and its weight; and from two kernels, of which the first is quick and covers most.
 */
#define LANES_KERNEL(name, kernel, covers, weight)                                                                     \
    LANES_ROW(name##_row, kernel, covers)                                                                              \
    LANES_LAW_LOOP(name, name##_row, name##_row, weight)

#define LANES_TWO_KERNELS(name, quick, covers, kernel, covers_more, weight)                                            \
    LANES_ROW(name##_quick_row, quick, covers)                                                                         \
    LANES_ROW(name##_row, kernel, covers_more)                                                                         \
    LANES_LAW_LOOP(name, name##_quick_row, name##_row, weight)

#endif

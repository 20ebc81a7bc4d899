/* Lanes: a handful of impacts side by side, for vector registers.
 *
 * A batch is cut into tiles of LANES impacts whose temporaries stay in the first-level cache. One loop over a tile
 * checks the rows, runs the kernel of the law and finishes the outcome; another makes the ledger (src/batch/tile.c).
 * The first takes LANES_LINE rows at a time, a cache line of every array: with each it asks memory for a line of the
 * next tile and sends off the results, so that arithmetic and traffic overlap. A tile whose rows all have both
 * tangential directions goes through a shorter form of the same loop.
 * They are branch-free and vectorise under `#pragma omp simd`. Their files are compiled once per instruction set, with
 * LANES_ISA naming it; nothing in their sources differs, so neither do their results. (For all but the baseline a law
 * is compiled twice: its loop, and what does one impact alone, core/alone.h, which wants other flags.)
 *
 * A kernel is a function of one impact,
 *
 *     static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c);
 *
 * which the law's solve calls too. Rows that it does not cover are solved one by one. */
#ifndef CAROM_CORE_LANES_H
#define CAROM_CORE_LANES_H

#include <stdbool.h>

#include "carom/batch.h"
#include "carom/law.h"
#include "core/around.h"
#include "core/problem_check.h"

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

enum { LANES = 64 };
enum { LANES_LINE = 8 }; /* doubles per cache line */

enum { ROW_APART = 1, ROW_HARD = 2 }; /* separating; not for the vector loops */

typedef double lane[LANES];

/* The rows of the caller that a tile reads. */
typedef struct lanes_rows {
    const double *K11, *K12, *K22, *K1n, *K2n, *Knn, *u1, *u2, *un;
    carom_batch_coeffs c; /* every array is there */
} lanes_rows;

/* The results of a row: impulse, and velocity after. */
enum { P1, P2, PN, V1, V2, VN, LANES_RESULTS, LANES_IMPULSES = V1 };

typedef struct lanes {
    int count; /* impacts here: whole lines, at most LANES */
    lanes_rows in;
    double *at[LANES_RESULTS];     /* where results are written: a tile of our own, or rows of the caller */
    double *around[LANES_RESULTS]; /* rows of the caller that results go to around the caches; null: none do */
    int ahead;                     /* rows from here to those to ask memory for */
    bool signed_e;                 /* the law takes e < 0 */
    bool any_odd;
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

/* One impact: true when the outcome is there. False: a less common case, and nothing is said. See core/alone.h. */
typedef bool lanes_alone(const carom_problem *problem, const carom_rule *rule, carom_outcome *out);

typedef struct lanes_alones {
    lanes_alone *at[CAROM_ISA_COUNT];
} lanes_alones;

/* What a law has beyond solve: loops, if it has a kernel, and one impact. */
struct carom_law_batch {
    lanes_variants kernel;
    lanes_alones alone;
    bool heavy; /* its arithmetic takes longer than moving its numbers from memory and back */
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

/* Ask memory for a line of every input and result. (Always inlined: to gcc a function that only prefetches does
 * nothing; and asked by nobody whether it pays, for then the compiler does not spread it over the arithmetic.) */
LANES_INLINE void lanes_fetch(const lanes *x, const lanes_rows *in, int row)
{
    const double *const arrays[] = {in->K11, in->K12, in->K22, in->K1n, in->K2n, in->Knn, in->u1, in->u2, in->un};
    for (int k = 0; k < 9; k++)
        __builtin_prefetch(arrays[k] + row);
    for (int k = 0; k < LANES_RESULTS; k++)
        __builtin_prefetch(x->at[k] + row, 1);
}

/* Send off a line of the impulses. */
LANES_INLINE void lanes_send(const lanes *x, int row)
{
    if (!x->around[P1])
        return;
    for (int k = 0; k < LANES_IMPULSES; k++)
        for (int i = row; i < row + LANES_LINE; i += AROUND_WIDE)
            around_store(x->around[k] + i, x->at[k] + i);
}

static inline bool lanes_any_odd(const lanes *x)
{
    long long any = 0;
    for (int i = 0; i < x->count; i++)
        any |= x->odd[i] != 0;
    return any;
}

static inline bool lanes_any_hard(const lanes *x, int row)
{
    long long any = 0;
    for (int i = row; i < row + LANES_LINE; i++)
        any |= x->odd[i] >= ROW_HARD;
    return any;
}

/* No direction is absent in any row. */
static inline bool lanes_whole(const lanes *x)
{
    const double *K11 = x->in.K11, *K22 = x->in.K22;
    long long any = 0;
    for (int i = 0; i < x->count; i++)
        any |= !((K11[i] >= COMFORT_LEAST) & (K22[i] >= COMFORT_LEAST));
    return !any;
}

/* The loop of a law: the same line by line; its form for whole tiles and the one for all. */
#define LANES_LINES(row, whole)                                                                                        \
    for (int j = 0; j < count; j += LANES_LINE) {                                                                      \
        lanes_fetch(x, &in, x->ahead + j);                                                                             \
        _Pragma("omp simd") for (int i = j; i < j + LANES_LINE; i++) row(x, &in, i, whole);                            \
        lanes_send(x, j);                                                                                              \
    }

/* Lines with rows that are hard for `row` are done again by `other`, if that is another one. */
#ifdef LANES_ALONE_ONLY
#define LANES_LAW_LOOP(name, row, other)
#else
#define LANES_LAW_LOOP(name, row, other)                                                                               \
    LANES_DECLARE(name)                                                                                                \
    void LANES_VARIANT(name)(lanes * x)                                                                                \
    {                                                                                                                  \
        const lanes_rows in = x->in;                                                                                   \
        const int count = x->count;                                                                                    \
        if (lanes_whole(x))                                                                                            \
            LANES_LINES(row, true)                                                                                     \
        else                                                                                                           \
            LANES_LINES(row, false)                                                                                    \
        x->any_odd = lanes_any_odd(x);                                                                                 \
        for (int j = 0; &row != &other && x->any_odd && j < count; j += LANES_LINE) {                                  \
            if (!lanes_any_hard(x, j))                                                                                 \
                continue;                                                                                              \
            _Pragma("omp simd") for (int i = j; i < j + LANES_LINE; i++) other(x, &in, i, false);                      \
            lanes_send(x, j);                                                                                          \
        }                                                                                                              \
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

/* Write a row: p, v and whether it is odd. */
static inline void lanes_write(lanes *x, int i, const carom_problem *pb, carom_cvec p, carom_cvec v, bool fine)
{
    const carom_cvec u = pb->u;
    const double was = x->barred[i];
    bool apart = lanes_apart(u);
    x->at[P1][i] = lanes_unless(apart, p.t1, 0);
    x->at[P2][i] = lanes_unless(apart, p.t2, 0);
    x->at[PN][i] = lanes_unless(apart, p.n, 0);
    x->at[V1][i] = lanes_unless(apart, v.t1, u.t1);
    x->at[V2][i] = lanes_unless(apart, v.t2, u.t2);
    x->at[VN][i] = lanes_unless(apart, v.n, u.n);
    const double odd = was + (apart ? ROW_APART : 0);
    x->odd[i] = fine ? odd : ROW_HARD;
}

/* A row of a law, from its kernel and from which problems this covers. */
#define LANES_ROW(name, kernel, covers)                                                                                \
    LANES_INLINE void name(lanes *x, const lanes_rows *in, int i, bool whole)                                          \
    {                                                                                                                  \
        const carom_problem pb = lanes_problem(in, i);                                                                 \
        const carom_coeffs c = lanes_coeffs(in, i);                                                                    \
        schur s = schur_minors(&pb.K); /* not deficient, or not regular */                                             \
        s.whole = whole;                                                                                               \
        const verdict v = kernel(&pb, &s, &c);                                                                         \
        bool covered = (covers(&pb, &s, &c) | lanes_apart(pb.u)) & (pb.u.n != 0);                                      \
        bool fine = problem_is_regular(&pb, &s) & covered & lanes_comfortable(v.p);                                    \
        lanes_write(x, i, &pb, v.p, carom_cvec_add(pb.u, carom_csym_apply(pb.K, v.p)), fine);                          \
    }

/* The loop of a law from its kernel; and from two of them, of which the first is quick and covers most. */
#define LANES_KERNEL(name, kernel, covers)                                                                             \
    LANES_ROW(name##_row, kernel, covers)                                                                              \
    LANES_LAW_LOOP(name, name##_row, name##_row)

#define LANES_TWO_KERNELS(name, quick, covers, kernel, covers_more)                                                    \
    LANES_ROW(name##_quick_row, quick, covers)                                                                         \
    LANES_ROW(name##_row, kernel, covers_more)                                                                         \
    LANES_LAW_LOOP(name, name##_quick_row, name##_row)

#endif

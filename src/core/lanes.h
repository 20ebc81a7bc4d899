/* Lanes: a handful of impacts side by side, for vector registers.
 *
 * A batch is cut into tiles of LANES impacts whose temporaries stay in the first-level cache. Three loops go over each
 * tile: check (src/batch/tile.c), the kernel of the law, finish. All are branch-free and vectorise under
 * `#pragma omp simd`. Their files are compiled once per instruction set, with LANES_ISA naming it; nothing in their
 * sources differs, so neither do their results.
 *
 * A kernel is a function of one impact,
 *
 *     static inline verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c);
 *
 * which the law's solve calls too. A row it does not cover it calls hard: such rows are solved one by one. */
#ifndef CAROM_CORE_LANES_H
#define CAROM_CORE_LANES_H

#include <stdbool.h>

#include "carom/batch.h"
#include "carom/law.h"
#include "core/psd.h"

/* Without the build's help a file is its own baseline variant. */
#ifndef LANES_ISA
#define LANES_ISA      baseline
#define LANES_BASELINE 1
#endif

#define LANES_JOIN(name, isa)  name##_##isa
#define LANES_PASTE(name, isa) LANES_JOIN(name, isa)
#define LANES_VARIANT(name)    LANES_PASTE(name, LANES_ISA) /* kernel -> kernel_avx2 */

enum { LANES = 64 };

typedef double lane[LANES];

/* The rows of the caller that a tile reads. */
typedef struct lanes_rows {
    const double *K11, *K12, *K22, *K1n, *K2n, *Knn, *u1, *u2, *un;
    carom_batch_coeffs c; /* every array is there */
} lanes_rows;

typedef struct lanes {
    int count; /* impacts here, at most LANES */
    lanes_rows in;
    bool signed_e;                        /* the law takes e < 0 */
    _Alignas(64) lane n11, n12, n22, det; /* the complement of K */
    lane hard;                            /* 1: not for the vector loops */
    lane apart;                           /* 1: separating */
    lane p1, p2, pn, v1, v2, vn;          /* impulse, and velocity after */
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

struct carom_law_batch {
    lanes_variants kernel;
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

static inline schur lanes_schur(const lanes *x, const lanes_rows *in, int i)
{
    schur s = {x->n11[i], x->n12[i], x->n22[i], x->det[i], in->Knn[i], false};
    return s;
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

/* The loop of a law, from its kernel. */
#define LANES_KERNEL(name, kernel)                                                                                     \
    static inline void name##_row(lanes *x, const lanes_rows *in, int i)                                               \
    {                                                                                                                  \
        const carom_problem pb = lanes_problem(in, i);                                                                 \
        const schur s = lanes_schur(x, in, i);                                                                         \
        const carom_coeffs c = lanes_coeffs(in, i);                                                                    \
        const verdict v = kernel(&pb, &s, &c);                                                                         \
        x->p1[i] = v.p.t1;                                                                                             \
        x->p2[i] = v.p.t2;                                                                                             \
        x->pn[i] = v.p.n;                                                                                              \
        x->hard[i] = v.branch < 0 ? 1 : x->hard[i];                                                                    \
    }                                                                                                                  \
    LANES_LOOP(name, name##_row)

#endif

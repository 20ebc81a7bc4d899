/* Solving with K, which is symmetric positive semi-definite and often singular.
 *
 * K is never inverted. Eliminating the normal first leaves the 2x2 Schur complement
 *
 *     B = K_TT - k k^T / K_nn          (thesis: the inverse of M_TT)
 *
 * whose entries and determinant are formed as exact differences of products, so that they carry the digits the input
 * has. An absent direction (zero row: planar problems) has a zero row in B. A rank lost otherwise is taken care of by
 * the pseudo-inverse. */
#ifndef CAROM_CORE_PSD_H
#define CAROM_CORE_PSD_H

#include <stdbool.h>

#include "carom/vec.h"
#include "core/num.h"

/* A pivot below RANK_TOL of its diagonal entry counts as zero: rounding in the assembly of K alone makes a few eps. */
#define RANK_TOL (32 * EPS)

/* A vector in the tangent plane. */
typedef struct tvec {
    double t1, t2;
} tvec;

/* The Schur complement of K_nn in K. */
typedef struct schur {
    double b11, b12, b22, det;
    bool deficient; /* rank lost, and not by a zero row */
} schur;

static inline tvec tangential(carom_cvec v)
{
    tvec t = {v.t1, v.t2};
    return t;
}

static inline tvec coupling(const carom_csym *K)
{
    tvec k = {K->t1n, K->t2n};
    return k;
}

static inline double tvec_dot(tvec a, tvec b)
{
    return a.t1 * b.t1 + a.t2 * b.t2;
}

static inline double tvec_length(tvec a)
{
    return sqrt(a.t1 * a.t1 + a.t2 * a.t2);
}

static inline schur schur_of(const carom_csym *K)
{
    schur s;
    s.b11 = diff_of_products(K->nn, K->t11, K->t1n, K->t1n) / K->nn;
    s.b12 = diff_of_products(K->nn, K->t12, K->t1n, K->t2n) / K->nn;
    s.b22 = diff_of_products(K->nn, K->t22, K->t2n, K->t2n) / K->nn;
    s.det = diff_of_products(s.b11, s.b22, s.b12, s.b12);
    bool lost1 = K->t11 > 0 && s.b11 <= RANK_TOL * K->t11;
    bool lost2 = K->t22 > 0 && s.b22 <= RANK_TOL * K->t22;
    bool lost12 = K->t11 > 0 && K->t22 > 0 && s.det <= RANK_TOL * s.b11 * s.b22;
    s.deficient = lost1 || lost2 || lost12;
    return s;
}

/* B q = r for a complement that is not deficient; a zero row gives a zero entry. */
static inline tvec schur_solve(const schur *s, tvec r)
{
    tvec q = {0, 0};
    if (s->b11 > 0 && s->b22 > 0) {
        q.t1 = diff_of_products(s->b22, r.t1, s->b12, r.t2) / s->det;
        q.t2 = diff_of_products(s->b11, r.t2, s->b12, r.t1) / s->det;
    } else if (s->b11 > 0) {
        q.t1 = r.t1 / s->b11;
    } else if (s->b22 > 0) {
        q.t2 = r.t2 / s->b22;
    }
    return q;
}

/* v_T - k v_n / K_nn: what is left of v once a normal impulse has taken its normal part. */
static inline tvec schur_reduce(const carom_csym *K, carom_cvec v)
{
    tvec r = {diff_of_products(K->nn, v.t1, K->t1n, v.n) / K->nn, diff_of_products(K->nn, v.t2, K->t2n, v.n) / K->nn};
    return r;
}

/* Eigenvalues (ascending) and orthonormal eigenvectors of a symmetric matrix. */
void csym_eigen(const carom_csym *A, double value[3], carom_cvec vector[3]);

/* x = K^+ v: the solution of K x = v, the shortest one when K is singular. */
carom_cvec psd_solve(const carom_csym *K, carom_cvec v);

/* The same when the complement of K is already known. */
carom_cvec psd_solve_with(const carom_csym *K, const schur *s, carom_cvec v);

#endif

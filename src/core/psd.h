/* Solving with K, which is symmetric positive semi-definite and often singular.
 *
 * K is never inverted. Eliminating the normal first leaves the 2x2 Schur complement
 *
 *     B = K_TT - k k^T / K_nn          (thesis: the inverse of M_TT)
 *
 * whose entries and determinant are differences of products that carry the digits the input has, however much these
 * cancel. An absent direction (zero row: planar problems) has a zero row in B. A rank lost otherwise is taken care of
 * by the pseudo-inverse. */
#ifndef CAROM_CORE_PSD_H
#define CAROM_CORE_PSD_H

#include <stdbool.h>

#include "carom/vec.h"
#include "core/num.h"
#include "core/pair.h"

/* A pivot below RANK_TOL of its diagonal entry counts as zero: rounding in the assembly of K alone makes a few eps. */
#define RANK_TOL (32 * EPS)

/* A vector in the tangent plane. */
typedef struct tvec {
    double t1, t2;
} tvec;

/* Two of them. */
typedef struct tvec_pair {
    pair t1, t2;
} tvec_pair;

/* The Schur complement of K_nn in K, times K_nn: 2x2 minors of K, no division. */
typedef struct schur {
    double n11, n12, n22, det; /* K_nn B and its determinant */
    double nn;                 /* K_nn */
    bool deficient;            /* rank lost, and not by a zero row */
    bool regular;              /* known to have its rank, in a problem of ordinary numbers */
    bool whole;                /* K_t11 and K_t22 are known to be ordinary numbers: no direction is absent */
} schur;

/* A pivot below -PSD_TOL of its diagonal entry: K is not positive semi-definite, and no rounding explains it. */
#define PSD_TOL 1e-12

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

#define SPHERE_TOL (4 * EPS) /* entries of K that rounding in rotated axes may leave */

/* K = diag(m, m, k) to rounding: slip cannot turn, whatever its direction. */
static inline bool csym_is_sphere(const carom_csym *K)
{
    double bound = SPHERE_TOL * K->t11, bound_n = bound * (SPHERE_TOL * K->nn);
    return (fabs(K->t12) <= bound) & (fabs(K->t11 - K->t22) <= bound) & (square(K->t1n) <= bound_n) &
           (square(K->t2n) <= bound_n);
}

/* The minors alone; deficient, regular and whole are not said yet. */
static inline schur schur_minors(const carom_csym *K)
{
    schur s;
    s.n11 = minor_of(K->nn, K->t11, K->t1n);
    s.n22 = minor_of(K->nn, K->t22, K->t2n);
    s.n12 = exact_difference(K->nn, K->t12, K->t1n, K->t2n);
    s.det = minor_of(s.n11, s.n22, s.n12);
    s.nn = K->nn;
    s.deficient = s.regular = s.whole = false;
    return s;
}

/* The minor a b - c^2 is more than rounding may leave of its products: where it is small, these are both c^2. */
static inline bool minor_has_rank(double minor, double c)
{
    return minor > RANK_TOL * square(c);
}

static inline bool schur_loses_rank(const carom_csym *K, const schur *s)
{
    bool first = minor_has_rank(s->n11, K->t1n), second = minor_has_rank(s->n22, K->t2n);
    bool both = minor_has_rank(s->det, s->n12);
    return ((K->t11 > 0) & !first) | ((K->t22 > 0) & !second) | ((K->t11 > 0) & (K->t22 > 0) & !both);
}

static inline schur schur_of(const carom_csym *K)
{
    schur s = schur_minors(K);
    s.deficient = schur_loses_rank(K, &s);
    return s;
}

/* The determinant of what is there of K_nn B: zero rows left out. */
static inline double schur_divisor(const schur *s)
{
    bool first = s->n11 > 0, second = s->n22 > 0, both = s->whole || (first & second);
    return both ? s->det : first ? s->n11 : second ? s->n22 : 1;
}

/* K_nn B q = r times that determinant: adj(K_nn B) r, and where one row is zero r itself. Of one r, or of two. */
#define SCHUR_ADJUGATE(name, vector, number, difference)                                                               \
    static inline vector name(const schur *s, vector r)                                                                \
    {                                                                                                                  \
        const number zero = {0};                                                                                       \
        vector top = {difference(s->n22, r.t1, s->n12, r.t2), difference(s->n11, r.t2, s->n12, r.t1)};                 \
        bool first = s->n11 > 0, second = s->n22 > 0, both = s->whole || (first & second);                             \
        vector x = {both ? top.t1 : first ? r.t1 : zero, both ? top.t2 : second ? r.t2 : zero};                        \
        return x;                                                                                                      \
    }
SCHUR_ADJUGATE(schur_adjugate, tvec, double, exact_difference)
SCHUR_ADJUGATE(schur_adjugate_pair, tvec_pair, pair, exact_difference_pair)

/* K_nn B q = r for a complement that is not deficient; a zero row gives a zero entry. */
static inline tvec schur_solve_scaled(const schur *s, tvec r)
{
    const tvec top = schur_adjugate(s, r);
    double share = 1 / schur_divisor(s);
    tvec q = {share * top.t1, share * top.t2};
    return q;
}

/* B q = r, likewise. */
static inline tvec schur_solve(const schur *s, tvec r)
{
    tvec scaled = {s->nn * r.t1, s->nn * r.t2};
    return schur_solve_scaled(s, scaled);
}

/* K_nn B q. */
static inline tvec schur_apply_scaled(const schur *s, tvec q)
{
    tvec r = {s->n11 * q.t1 + s->n12 * q.t2, s->n12 * q.t1 + s->n22 * q.t2};
    return r;
}

/* (K_nn B)^+ r, also of a deficient complement, which has rank one (B = tr B w w^T) or none. */
static inline tvec schur_pseudo_solve_scaled(const carom_csym *K, const schur *s, tvec r)
{
    if (!s->deficient)
        return schur_solve_scaled(s, r);
    tvec q = {0, 0};
    double trace = s->n11 + s->n22;
    if (trace > RANK_TOL * K->nn * (K->t11 + K->t22)) {
        q.t1 = (s->n11 * r.t1 + s->n12 * r.t2) / square(trace);
        q.t2 = (s->n12 * r.t1 + s->n22 * r.t2) / square(trace);
    }
    return q;
}

/* K_nn v_T - k v_n: K_nn times what is left of v once a normal impulse has taken its normal part. Rounding moves it no
 * more than a rounding of v would. */
static inline tvec schur_reduce_scaled(const carom_csym *K, carom_cvec v)
{
    tvec r = {K->nn * v.t1 - K->t1n * v.n, K->nn * v.t2 - K->t2n * v.n};
    return r;
}

/* v K^+ v where products of K_nn and the determinant keep their digits, as in a regular problem. */
static inline double schur_form(const carom_csym *K, const schur *s, carom_cvec v)
{
    tvec r = schur_reduce_scaled(K, v);
    double below = schur_divisor(s);
    return (square(v.n) * below + tvec_dot(r, schur_adjugate(s, r))) / (below * K->nn);
}

/* v K^+ v */
double psd_form(const carom_csym *K, const schur *s, carom_cvec v);

/* True when K, whose complement is s, is positive semi-definite to rounding. K_nn > 0. */
static inline bool schur_is_psd(const carom_csym *K, const schur *s)
{
    double first = PSD_TOL * K->nn * K->t11, second = PSD_TOL * K->nn * K->t22;
    return (s->n11 >= -first) & (s->n22 >= -second) & (s->det >= -first * K->nn * K->t22);
}

/* Eigenvalues (ascending) and orthonormal eigenvectors of a symmetric matrix. */
void csym_eigen(const carom_csym *A, double value[3], carom_cvec vector[3]);

/* x = K^+ v: the solution of K x = v, the shortest one when K is singular. If v is not in the range of a singular K,
 * the normal component is solved and the tangential residual is least: what an impulse must do comes first. */
carom_cvec psd_solve(const carom_csym *K, carom_cvec v);

carom_cvec psd_solve_deficient(const carom_csym *K, const schur *s, carom_cvec v);

/* The same when the complement of K is already known. */
static inline carom_cvec psd_solve_with(const carom_csym *K, const schur *s, carom_cvec v)
{
    if (s->deficient)
        return psd_solve_deficient(K, s, v);
    tvec q = schur_solve_scaled(s, schur_reduce_scaled(K, v));
    return carom_cvec_make(q.t1, q.t2, (v.n - tvec_dot(coupling(K), q)) / K->nn);
}

#endif

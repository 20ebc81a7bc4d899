/* Solving with K, which is symmetric positive semi-definite and often singular.
 *
 * A regular K is solved by eliminating the normal first, which leaves the 2x2 Schur complement
 *
 *     B = K_TT - k k^T / K_nn          (thesis: the inverse of M_TT)
 *
 * in the form of its minors, no division: N = K_nn B. These are differences of products that keep the digits of the
 * input however much they cancel. A singular K is solved by its eigenvectors.
 *
 * Rank is judged on the whole of K at once: both tangents in one unit, because rounding mixes them when they are
 * turned, the normal in its own. A K of few freedoms has the same rank in all tangents, and a contact that is stiff
 * along its normal has one all the same. */
#ifndef CAROM_CORE_PSD_H
#define CAROM_CORE_PSD_H

#include <stdbool.h>

#include "carom/vec.h"
#include "core/num.h"

/* An eigenvalue of K, in such units, below RANK_TOL of the largest counts as zero: rounding in the assembly of K alone
 * makes a few eps. */
#define RANK_TOL (32 * EPS)

/* An eigenvalue below -PSD_TOL of the largest, in such units: K is not positive semi-definite, and no rounding explains
 * it. */
#define PSD_TOL 1e-12

/* A vector this close to the range of a singular K, against its own length, belongs to it: u and K carry rounding. */
#define RANGE_TOL 1e-10

/* A vector in the tangent plane. */
typedef struct tvec {
    double t1, t2;
} tvec;

static inline tvec tvec_make(double t1, double t2)
{
    tvec t = {t1, t2};
    return t;
}

static inline tvec tvec_scale(double s, tvec a)
{
    return tvec_make(s * a.t1, s * a.t2);
}

static inline double tvec_dot(tvec a, tvec b)
{
    return a.t1 * b.t1 + a.t2 * b.t2;
}

static inline double tvec_length(tvec a)
{
    return sqrt(a.t1 * a.t1 + a.t2 * a.t2);
}

static inline tvec tangential(carom_cvec v)
{
    return tvec_make(v.t1, v.t2);
}

static inline tvec coupling(const carom_csym *K)
{
    return tvec_make(K->t1n, K->t2n);
}

static inline double csym_trace(const carom_csym *K)
{
    return K->t11 + K->t22 + K->nn;
}

static inline carom_csym csym_scale(double s, const carom_csym *K)
{
    carom_csym J = {s * K->t11, s * K->t12, s * K->t22, s * K->t1n, s * K->t2n, s * K->nn};
    return J;
}

#define SPHERE_TOL (4 * EPS) /* entries of K that rounding in rotated axes may leave */

/* K = diag(m, m, k) to rounding: slip cannot turn, whatever its direction. */
static inline bool csym_is_sphere(const carom_csym *K)
{
    double bound = SPHERE_TOL * K->t11, bound_n = bound * (SPHERE_TOL * K->nn);
    return (fabs(K->t12) <= bound) & (fabs(K->t11 - K->t22) <= bound) & (square(K->t1n) <= bound_n) &
           (square(K->t2n) <= bound_n);
}

/* ---- regular K ---- */

/* N = K_nn B and its determinant: 2x2 minors of K, and K_nn det K. */
typedef struct minors {
    double n11, n12, n22, det;
} minors;

static inline minors minors_of(const carom_csym *K)
{
    minors m;
    m.n11 = minor_of(K->nn, K->t11, K->t1n);
    m.n22 = minor_of(K->nn, K->t22, K->t2n);
    m.n12 = difference_of_products(K->nn, K->t12, K->t1n, K->t2n);
    m.det = minor_of(m.n11, m.n22, m.n12);
    return m;
}

/* Sufficient for full rank, without eigenvalues, in the units of K itself. The sum of the principal 2x2 minors shows
 * whether two eigenvalues are there; det K over that sum lies between a third of the smallest eigenvalue and the
 * smallest. Both are judged against the trace, which costs at most a factor of two against the units above. */
static inline bool has_full_rank(const carom_csym *K, const minors *m, double tol)
{
    double trace = csym_trace(K), principal = m->n11 + m->n22 + (K->t11 * K->t22 - square(K->t12));
    return (principal > tol * square(trace)) & (m->det > tol * trace * principal * K->nn) & (m->n11 > 0) & (m->n22 > 0);
}

/* The same in the plane of t1 and n. */
static inline bool has_planar_rank(const carom_csym *K, const minors *m, double tol)
{
    return m->n11 > tol * square(K->t11 + K->nn);
}

/* N q = r of a regular K; in a planar one q.t2 is zero. */
static inline tvec minors_solve(const minors *m, tvec r)
{
    bool planar = m->n22 == 0;
    double t1 = planar ? r.t1 : difference_of_products(m->n22, r.t1, m->n12, r.t2);
    double t2 = planar ? 0 : difference_of_products(m->n11, r.t2, m->n12, r.t1);
    return tvec_scale(1 / (planar ? m->n11 : m->det), tvec_make(t1, t2));
}

/* K_nn v_t - k v_n: K_nn times what is left of v once a normal impulse has taken its normal part. */
static inline tvec without_normal(const carom_csym *K, carom_cvec v)
{
    return tvec_make(K->nn * v.t1 - K->t1n * v.n, K->nn * v.t2 - K->t2n * v.n);
}

/* K^-1 v, likewise. */
static inline carom_cvec minors_solve_K(const carom_csym *K, const minors *m, carom_cvec v)
{
    tvec q = minors_solve(m, without_normal(K, v));
    return carom_cvec_make(q.t1, q.t2, (v.n - tvec_dot(coupling(K), q)) / K->nn);
}

/* v K^-1 v, likewise, as a sum of squares. */
static inline double minors_form(const carom_csym *K, const minors *m, carom_cvec v)
{
    tvec r = without_normal(K, v);
    return (square(v.n) + tvec_dot(r, minors_solve(m, r))) / K->nn;
}

/* ---- any K ---- */

/* Eigenvalues (ascending) and orthonormal eigenvectors of a symmetric matrix. */
void csym_eigen(const carom_csym *A, double value[3], carom_cvec vector[3]);

/* The same of a K whose normal is stretched until it moves like the tangents, with its rank. The first 3 - rank axes
 * are orthonormal directions in which K itself does not move; their values are rounding. */
typedef struct spectrum {
    double value[3];
    carom_cvec axis[3];
    double stretch; /* of the normal */
    int rank;
} spectrum;

spectrum spectrum_of(const carom_csym *K);

/* A direction in which a singular K does not move has this mass, in units of the smallest one: beyond all others, and a
 * finite number. Where an answer depends on it, there is none. */
#define IMMOVABLE 0x1p120

/* (K + eps Z)^-1 v for a vanishing eps, where Z projects onto the null space, in the units of the spectrum: K^+ v, and
 * a component beyond all bounds where v leaves the range. */
carom_cvec spectrum_solve(const spectrum *s, carom_cvec v);

/* K^+ v and v K^+ v: null directions are left out. */
carom_cvec psd_solve(const carom_csym *K, carom_cvec v);
double psd_form(const carom_csym *K, carom_cvec v);

/* True when the rank of K is less than the number of its rows that are not zero. */
bool psd_is_deficient(const carom_csym *K);

#endif

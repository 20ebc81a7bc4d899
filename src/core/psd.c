#include "core/psd.h"

/* A right side this close to the range of a singular K, against its size, belongs to it: u and K carry rounding. */
#define RANGE_TOL 1e-10

enum { JACOBI_SWEEPS = 16 }; /* 3x3 needs about five; quadratic convergence makes this a bound, not a budget */

/* One Jacobi rotation that zeroes a[p][q]; r is the third index. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0)
        return;
    int r = 3 - p - q;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0;
    double arp = a[r][p], arq = a[r][q];
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int i = 0; i < 3; i++) {
        double vip = v[i][p], viq = v[i][q];
        v[i][p] = c * vip - s * viq;
        v[i][q] = s * vip + c * viq;
    }
}

static bool is_diagonal(double a[3][3])
{
    return a[0][1] == 0 && a[0][2] == 0 && a[1][2] == 0;
}

/* Off-diagonal entries that no longer change their diagonal are rounding. */
static void drop_rounding(double a[3][3])
{
    for (int p = 0; p < 2; p++)
        for (int q = p + 1; q < 3; q++)
            if (fabs(a[p][q]) <= EPS / 4 * sqrt(fabs(a[p][p] * a[q][q])))
                a[p][q] = a[q][p] = 0;
}

void csym_eigen(const carom_csym *A, double value[3], carom_cvec vector[3])
{
    double a[3][3] = {{A->t11, A->t12, A->t1n}, {A->t12, A->t22, A->t2n}, {A->t1n, A->t2n, A->nn}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < JACOBI_SWEEPS && !is_diagonal(a); sweep++) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
        drop_rounding(a);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[order[j]][order[j]] > a[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int i = 0; i < 3; i++) {
        int k = order[i];
        value[i] = a[k][k];
        vector[i] = carom_cvec_make(v[0][k], v[1][k], v[2][k]);
    }
}

/* The pseudo-inverse: directions in which K does not move are left out. */
static carom_cvec pseudo_solve(const carom_csym *K, carom_cvec v)
{
    double value[3];
    carom_cvec vector[3], x = {0, 0, 0};
    csym_eigen(K, value, vector);
    for (int i = 0; i < 3; i++)
        if (value[i] > RANK_TOL * value[2])
            x = carom_cvec_add(x, carom_cvec_scale(carom_cvec_dot(vector[i], v) / value[i], vector[i]));
    return x;
}

carom_cvec psd_solve_deficient(const carom_csym *K, const schur *s, carom_cvec v)
{
    tvec q = schur_pseudo_solve_scaled(K, s, schur_reduce_scaled(K, v));
    carom_cvec x = {q.t1, q.t2, (v.n - tvec_dot(coupling(K), q)) / K->nn};
    carom_cvec reached = carom_csym_apply(*K, x), missed = carom_cvec_sub(v, reached);
    bool in_range = larger(fabs(missed.t1), fabs(missed.t2)) <= RANGE_TOL * (fabs(v.t1) + fabs(v.t2) + fabs(v.n));
    return in_range ? pseudo_solve(K, reached) : x;
}

carom_cvec psd_solve(const carom_csym *K, carom_cvec v)
{
    schur s = schur_of(K);
    return psd_solve_with(K, &s, v);
}

/* K_nn times the determinant of a K whose largest entry is about one: from here on products with both keep digits;
 * below, one is divided by after the other. */
#define FORM_LEAST 1e-60

static double form_of(const carom_csym *K, carom_cvec v)
{
    const schur s = schur_of(K);
    tvec r = schur_reduce_scaled(K, v);
    if (s.deficient)
        return larger(0, carom_cvec_dot(v, psd_solve_with(K, &s, v)));
    if (K->nn * schur_divisor(&s) >= FORM_LEAST)
        return schur_form(K, &s, v);
    return (square(v.n) + tvec_dot(r, schur_adjugate(&s, r)) / schur_divisor(&s)) / K->nn;
}

/* In units of K and v, powers of two: a form has products of six numbers in it. */
double psd_form(const carom_csym *K, const schur *s, carom_cvec v)
{
    if (s->regular)
        return schur_form(K, s, v);
    double k = power_of_two_near(K->t11 + K->t22 + K->nn),
           size = power_of_two_near(fabs(v.t1) + fabs(v.t2) + fabs(v.n));
    const carom_csym J = {K->t11 / k, K->t12 / k, K->t22 / k, K->t1n / k, K->t2n / k, K->nn / k};
    return form_of(&J, carom_cvec_make(v.t1 / size, v.t2 / size, v.n / size)) * (size / k) * size;
}

#include "core/psd.h"
#include "carom/elementary.h"

enum { JACOBI_SWEEPS = 16 }; /* 3x3 needs about five; quadratic convergence makes this a bound, not a budget */

/* One Jacobi rotation that zeroes a[p][q]; r is the third index. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0)
        return;
    int r = 3 - p - q;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + carom_hypot(theta, 1));
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

/* From velocities into the units of the spectrum, and from its impulses back: the same factors. */
static carom_cvec stretched(const spectrum *s, carom_cvec v)
{
    return carom_cvec_make(v.t1, v.t2, s->stretch * v.n);
}

static carom_cvec without(carom_cvec v, carom_cvec axis)
{
    return carom_cvec_sub(v, carom_cvec_scale(carom_cvec_dot(axis, v), axis));
}

spectrum spectrum_of(const carom_csym *K)
{
    spectrum s;
    double k_t = K->t11 + K->t22, n = k_t > 0 && K->nn > 0 ? sqrt(k_t / K->nn) : 1;
    const carom_csym even = {K->t11, K->t12, K->t22, n * K->t1n, n * K->t2n, n * K->nn * n};
    csym_eigen(&even, s.value, s.axis);
    s.stretch = n;
    s.rank = 0;
    for (int i = 0; i < 3; i++) {
        bool moves = s.value[i] > RANK_TOL * s.value[2];
        s.rank += moves;
        carom_cvec z = stretched(&s, s.axis[i]);
        z = i == 1 && s.rank == 0 ? without(z, s.axis[0]) : z;
        s.axis[i] = moves ? s.axis[i] : carom_cvec_scale(1 / sqrt(carom_cvec_dot(z, z)), z);
    }
    return s;
}

/* sum of (w_i . v) / lambda_i w_i over what moves, as short as it can be, with this mass along null directions. */
static carom_cvec solve_along(const spectrum *s, carom_cvec v, double immovable)
{
    const int nulls = 3 - s->rank;
    const double bound = RANGE_TOL * sqrt(carom_cvec_dot(v, v));
    carom_cvec x = {0, 0, 0}, beyond = x;
    for (int i = 0; i < nulls; i++) {
        double part = carom_cvec_dot(s->axis[i], v), mass = immovable / s->value[2];
        beyond = carom_cvec_add(beyond, carom_cvec_scale(fabs(part) <= bound ? 0 : part * mass, s->axis[i]));
        v = without(v, s->axis[i]);
    }
    for (int i = nulls; i < 3; i++) {
        double part = carom_cvec_dot(s->axis[i], stretched(s, v)) / s->value[i];
        x = carom_cvec_add(x, carom_cvec_scale(part, stretched(s, s->axis[i])));
    }
    for (int i = 0; i < nulls; i++)
        x = without(x, s->axis[i]);
    return carom_cvec_add(x, beyond);
}

carom_cvec spectrum_solve(const spectrum *s, carom_cvec v)
{
    return solve_along(s, v, IMMOVABLE);
}

bool psd_is_deficient(const carom_csym *K)
{
    return spectrum_of(K).rank < (K->t11 > 0) + (K->t22 > 0) + (K->nn > 0);
}

/* In units of K and v, powers of two: a solution has products of many numbers in it. */
typedef struct in_units {
    carom_csym K;
    carom_cvec v;
    double k, size;
} in_units;

static in_units to_units(const carom_csym *K, carom_cvec v)
{
    in_units x;
    x.k = power_of_two_near(csym_trace(K));
    x.size = power_of_two_near(fabs(v.t1) + fabs(v.t2) + fabs(v.n));
    x.K = csym_scale(1 / x.k, K);
    x.v = carom_cvec_make(v.t1 / x.size, v.t2 / x.size, v.n / x.size);
    return x;
}

/* Minors solve a K of full rank, and one in the plane of t1. */
static bool is_regular(const carom_csym *K)
{
    bool planar = K->t11 > 0 && K->t22 == 0 && K->nn > 0;
    int rank = spectrum_of(K).rank;
    return rank == 3 || (planar && rank == 2);
}

carom_cvec psd_solve(const carom_csym *K, carom_cvec v)
{
    const in_units x = to_units(K, v);
    const minors m = minors_of(&x.K);
    carom_cvec q;
    if (is_regular(&x.K)) {
        q = minors_solve_K(&x.K, &m, x.v);
    } else {
        const spectrum s = spectrum_of(&x.K);
        q = solve_along(&s, x.v, 0);
    }
    return carom_cvec_scale(x.size / x.k, q);
}

double psd_form(const carom_csym *K, carom_cvec v)
{
    const in_units x = to_units(K, v);
    const minors m = minors_of(&x.K);
    double form;
    if (is_regular(&x.K)) {
        form = minors_form(&x.K, &m, x.v);
    } else {
        const spectrum s = spectrum_of(&x.K);
        form = max(0, carom_cvec_dot(x.v, solve_along(&s, x.v, 0)));
    }
    return form * (x.size / x.k) * x.size;
}

#include "carom/generalized.h"

#include <math.h>
#include <stdbool.h>

#include "carom/assert.h"
#include "core/cholesky.h"
#include "core/dense.h"
#include "core/num.h"

/* A pivot is the inertia t M t of a motion t. M is not positive definite when that is no more than what rounding leaves
 * of its terms. Only pivots that are small against their diagonal are looked at. */
#define PIVOT_TOL   (64 * EPS)
#define SMALL_PIVOT 1e-4

static double *factor_of(const carom_generalized *m)
{
    return m->work;
}

/* Row i < 3 of Y = L^-1 J^T, so that K = Y^T Y; row 3 is for apply. */
static double *solved_row(const carom_generalized *m, int i)
{
    return m->work + (size_t)m->n * (size_t)m->n + (size_t)i * (size_t)m->n;
}

/* Is the inertia of the motion t = (-L11^-T l, 1), whose pivot is in row i, rounding? t has room for i entries. */
static bool is_massless(int n, const double *M, const double *L, int i, double *t)
{
    for (int k = 0; k < i; k++)
        t[k] = -L[i * n + k];
    for (int k = i - 1; k >= 0; k--) {
        t[k] /= L[k * n + k];
        for (int j = 0; j < k; j++)
            t[j] -= L[k * n + j] * t[k];
    }
    double inertia = M[i * n + i], terms = fabs(inertia);
    for (int k = 0; k < i; k++) {
        double row = 0, size = 0;
        for (int j = 0; j < k; j++) {
            row += M[k * n + j] * t[j];
            size += fabs(M[k * n + j] * t[j]);
        }
        inertia += t[k] * (2 * row + M[k * n + k] * t[k] + 2 * M[i * n + k]);
        terms += fabs(t[k]) * (2 * size + fabs(M[k * n + k] * t[k]) + 2 * fabs(M[i * n + k]));
    }
    return !(inertia > PIVOT_TOL * terms);
}

/* M = L L^T by rows; false when a pivot is lost. spare has room for n numbers. */
static bool factor(int n, const double *M, double *L, double *spare)
{
    for (int i = 0; i < n; i++) {
        double pivot = cholesky_row(n, i, M, L);
        if (!(pivot > SMALL_PIVOT * M[i * n + i]) && is_massless(n, M, L, i, spare))
            return false;
        if (!(pivot > 0))
            return false;
        L[i * n + i] = sqrt(pivot);
    }
    return true;
}

carom_status carom_generalized_reduce(const carom_generalized *m, carom_problem *problem)
{
    static const carom_problem nothing = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    CAROM_ASSERT(m && problem);
    *problem = nothing;
    int n = m->n, dim = m->dim;
    if (n < 1 || (dim != 2 && dim != 3))
        return CAROM_STATUS_BAD_SIZE;
    size_t size = (size_t)n;
    if (!dense_finite(m->M, size * size) || !dense_finite(m->J, size * (size_t)dim) || !dense_finite(m->qdot, size))
        return CAROM_STATUS_NOT_FINITE;
    if (!dense_symmetric(n, m->M) || !factor(n, m->M, factor_of(m), solved_row(m, 3)))
        return CAROM_STATUS_BAD_MASS_MATRIX;
    double K[9], u[3];
    for (int i = 0; i < dim; i++) {
        cholesky_forward(n, factor_of(m), m->J + i * n, solved_row(m, i));
        u[i] = cholesky_dot(n, m->J + i * n, m->qdot);
        for (int j = 0; j <= i; j++)
            K[i * dim + j] = K[j * dim + i] = cholesky_dot(n, solved_row(m, i), solved_row(m, j));
    }
    return carom_problem_from_K(dim, K, u, problem);
}

void carom_generalized_apply(const carom_generalized *m, carom_cvec p, double *qdot_after)
{
    CAROM_ASSERT(m && qdot_after);
    int n = m->n;
    const double *L = factor_of(m);
    double weight[3] = {p.t1, m->dim == 3 ? p.t2 : p.n, p.n};
    double *change = solved_row(m, 3); /* L^T change = Y p, solved from the last row up */
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < m->dim; i++)
            sum += weight[i] * solved_row(m, i)[k];
        change[k] = sum;
    }
    cholesky_backward(n, L, change);
    for (int k = 0; k < n; k++)
        qdot_after[k] = m->qdot[k] + change[k];
}

double carom_generalized_energy(const carom_generalized *m, const double *qdot)
{
    double sum = 0;
    for (int i = 0; i < m->n; i++)
        sum += qdot[i] * cholesky_dot(m->n, m->M + i * m->n, qdot);
    return 0.5 * sum;
}

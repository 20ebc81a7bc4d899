#include "sim/rest/least_norm.h"

#include <string.h>

#include "core/num.h"

#define RANK_TOL  1e-10 /* of the longest row: shorter rows repeat others */
#define PIVOT_TIE 1e-12 /* rows whose lengths differ by less are equal, and the first comes first */

void eliminate(double A[RIDE_ROWS][RIDE_ROWS], double *x, int n)
{
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(A[i][p]) > fabs(A[best][p]))
                best = i;
        for (int j = 0; j < n; j++) {
            double swap = A[p][j];
            A[p][j] = A[best][j], A[best][j] = swap;
        }
        double swap = x[p];
        x[p] = x[best], x[best] = swap;
        if (A[p][p] == 0)
            continue;
        for (int i = p + 1; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p; j < n; j++)
                A[i][j] -= f * A[p][j];
            x[i] -= f * x[p];
        }
    }
    for (int p = n - 1; p >= 0; p--) {
        for (int j = p + 1; j < n; j++)
            x[p] -= A[p][j] * x[j];
        x[p] = A[p][p] != 0 ? x[p] / A[p][p] : 0;
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Take the part along the unit row q, whose right side is c, out of a row. */
static void take_out(double *row, double *right, const double *q, double c, int n)
{
    double along = dot(row, q, n);
    for (int j = 0; j < n; j++)
        row[j] -= along * q[j];
    *right -= along * c;
}

static void note_row(row_basis *basis, int row, const double *q, int n)
{
    basis->pivot[basis->rank] = row;
    memcpy(basis->q[basis->rank++], q, (size_t)n * sizeof *q);
}

/* Rows are made orthogonal one after the other, the longest that is left first; what is left of a row that repeats
 * others is rounding, and is dropped. Orthogonal rows give the smallest solution. */
void solve_rows(double A[RIDE_ROWS][RIDE_ROWS], const double *b, double *x, int n, row_basis *basis)
{
    double M[RIDE_ROWS][RIDE_ROWS], c[RIDE_ROWS], longest = 0;
    int from[RIDE_ROWS];
    if (basis)
        basis->rank = 0;
    for (int i = 0; i < n; i++) {
        memcpy(M[i], A[i], (size_t)n * sizeof **M);
        c[i] = b[i];
        x[i] = 0;
        from[i] = i;
        longest = max(longest, dot(M[i], M[i], n));
    }
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (dot(M[i], M[i], n) > dot(M[best], M[best], n) * (1 + PIVOT_TIE))
                best = i;
        double length = sqrt(dot(M[best], M[best], n)), q[RIDE_ROWS], right = c[best];
        if (!(length > RANK_TOL * sqrt(longest)))
            return;
        memcpy(q, M[best], (size_t)n * sizeof *q);
        memcpy(M[best], M[p], (size_t)n * sizeof *q);
        c[best] = c[p];
        for (int j = 0; j < n; j++)
            q[j] /= length;
        right /= length;
        if (basis)
            note_row(basis, from[best], q, n);
        from[best] = from[p];
        for (int j = 0; j < n; j++)
            x[j] += right * q[j];
        for (int twice = 0; twice < 2; twice++)
            for (int i = p + 1; i < n; i++)
                take_out(M[i], &c[i], q, right, n);
    }
}

/* A row at a pivot is a sum of the rows of the basis up to its own. */
void solve_again(double A[RIDE_ROWS][RIDE_ROWS], const row_basis *basis, const double *b, double *x, int n)
{
    for (int j = 0; j < n; j++)
        x[j] = 0;
    for (int k = 0; k < basis->rank; k++) {
        const double *row = A[basis->pivot[k]], *q = basis->q[k];
        double y = (b[basis->pivot[k]] - dot(row, x, n)) / dot(row, q, n);
        for (int j = 0; j < n; j++)
            x[j] += y * q[j];
    }
}

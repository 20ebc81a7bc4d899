#include "sim/ride_solve.h"

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

/* Rows are made orthogonal one after the other, the longest that is left first; what is left of a row that repeats
 * others is rounding, and is dropped. Orthogonal rows give the smallest solution. */
void solve_rows(double A[RIDE_ROWS][RIDE_ROWS], const double *b, double *x, int n)
{
    double M[RIDE_ROWS][RIDE_ROWS], c[RIDE_ROWS], longest = 0;
    for (int i = 0; i < n; i++) {
        memcpy(M[i], A[i], (size_t)n * sizeof **M);
        c[i] = b[i];
        x[i] = 0;
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
        memcpy(q, M[best], sizeof q);
        memcpy(M[best], M[p], sizeof q);
        c[best] = c[p];
        for (int j = 0; j < n; j++)
            q[j] /= length;
        right /= length;
        for (int j = 0; j < n; j++)
            x[j] += right * q[j];
        for (int twice = 0; twice < 2; twice++)
            for (int i = p + 1; i < n; i++)
                take_out(M[i], &c[i], q, right, n);
    }
}

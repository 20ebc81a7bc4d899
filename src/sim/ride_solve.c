#include "sim/ride_solve.h"

#include "core/num.h"

enum { REFINEMENTS = 6 };
#define REGULAR 1e-7 /* of the largest diagonal entry: added to a matrix that may be singular, and refined away */

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

void solve_rows(double A[RIDE_ROWS][RIDE_ROWS], const double *b, double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = max(largest, fabs(A[i][i]));
        x[i] = 0;
    }
    for (int step = 0; step < REFINEMENTS; step++) {
        double M[RIDE_ROWS][RIDE_ROWS], d[RIDE_ROWS];
        for (int i = 0; i < n; i++) {
            d[i] = b[i];
            for (int j = 0; j < n; j++) {
                d[i] -= A[i][j] * x[j];
                M[i][j] = A[i][j] + (i == j ? REGULAR * largest : 0);
            }
        }
        eliminate(M, d, n);
        for (int i = 0; i < n; i++)
            x[i] += d[i];
    }
}

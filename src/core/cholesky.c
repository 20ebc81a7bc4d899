#include "core/cholesky.h"

#include <math.h>

double cholesky_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

double cholesky_row(int n, int i, const double *A, double *L)
{
    double *row = L + i * n, diagonal = A[i * n + i];
    for (int j = 0; j < i; j++)
        row[j] = (A[i * n + j] - cholesky_dot(j, row, L + j * n)) / L[j * n + j];
    return diagonal - cholesky_dot(i, row, row);
}

bool cholesky_factor(int n, const double *A, double tol, double *L)
{
    for (int i = 0; i < n; i++) {
        double diagonal = A[i * n + i], pivot = cholesky_row(n, i, A, L);
        if (!(pivot > tol * diagonal && pivot > 0))
            return false;
        L[i * n + i] = sqrt(pivot);
    }
    return true;
}

void cholesky_forward(int n, const double *L, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = (x[i] - cholesky_dot(i, L + i * n, y)) / L[i * n + i];
}

void cholesky_backward(int n, const double *L, double *y)
{
    for (int k = n - 1; k >= 0; k--) {
        y[k] /= L[k * n + k];
        for (int j = 0; j < k; j++)
            y[j] -= L[k * n + j] * y[k];
    }
}

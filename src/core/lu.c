#include "core/lu.h"

#include <math.h>

static void swap_rows(int n, double *A, int i, int j)
{
    for (int k = 0; k < n; k++) {
        double x = A[i * n + k];
        A[i * n + k] = A[j * n + k];
        A[j * n + k] = x;
    }
}

static int largest_below(int n, const double *A, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabs(A[i * n + k]) > fabs(A[best * n + k]))
            best = i;
    return best;
}

double lu_factor(int n, double *A, int *pivot)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < n; k++) {
        pivot[k] = largest_below(n, A, k);
        if (pivot[k] != k)
            swap_rows(n, A, k, pivot[k]);
        double head = A[k * n + k], size = fabs(head);
        least = size < least ? size : least;
        most = size > most ? size : most;
        if (!(size > 0))
            return 0;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / head;
            A[i * n + k] = factor;
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return n > 0 ? least / most : 1;
}

void lu_solve(int n, const double *A, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) { /* rows were swapped whole, so all swaps come first */
        double x = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = x;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] -= A[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

static void swap_both(int n, double *A, int i, int j)
{
    swap_rows(n, A, i, j);
    for (int k = 0; k < n; k++) {
        double x = A[k * n + i];
        A[k * n + i] = A[k * n + j];
        A[k * n + j] = x;
    }
}

bool psd_rank(int n, double *A, double tol, int *rank)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, A[i * n + i]);
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = A[i * n + i] > A[best * n + best] ? i : best;
        *rank = k;
        if (!(A[best * n + best] > tol * largest)) {
            double left = 0; /* of a semi-definite matrix nothing is left */
            for (int i = k; i < n; i++)
                for (int j = k; j < n; j++)
                    left = fmax(left, fabs(A[i * n + j]));
            return left <= 2 * tol * largest;
        }
        swap_both(n, A, k, best);
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
        }
    }
    *rank = n;
    return true;
}

/* Symmetric positive definite matrices: A = L L^T, both n x n by rows, of which only the lower triangle of L is used.
 */
#ifndef CAROM_CORE_CHOLESKY_H
#define CAROM_CORE_CHOLESKY_H

#include <stdbool.h>

double cholesky_dot(int n, const double *a, const double *b);

/* The entries of row i of L left of the diagonal, from the rows above. Returns the pivot, of which L_ii is the root. */
double cholesky_row(int n, int i, const double *A, double *L);

/* All rows. False when a pivot is not above tol of its diagonal entry. A and L may be one matrix. */
bool cholesky_factor(int n, const double *A, double tol, double *L);

/* y = L^-1 x; x and y may be one vector. */
void cholesky_forward(int n, const double *L, const double *x, double *y);

/* y becomes L^-T y. */
void cholesky_backward(int n, const double *L, double *y);

#endif

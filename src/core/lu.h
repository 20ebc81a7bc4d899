/* Dense linear systems by rows: A = P L U with partial pivoting, and the rank of a
 * symmetric matrix. Positive definite ones: core/cholesky.h. */
#ifndef CAROM_CORE_LU_H
#define CAROM_CORE_LU_H

#include <stdbool.h>

/* Factor A (n x n by rows) in place. Returns the smallest pivot over the largest in size: zero for a singular A. */
double lu_factor(int n, double *A, int *pivot);

/* Solve A x = b with the factors; b becomes x. */
void lu_solve(int n, const double *A, const int *pivot, double *b);

/* Is the symmetric A (n x n by rows) positive semi-definite, to tol of its largest diagonal entry? By symmetric
 * pivoting; A is overwritten. *rank is the number of pivots above tol. */
bool psd_rank(int n, double *A, double tol, int *rank);

#endif

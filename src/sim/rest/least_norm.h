/* Linear equations of a body on closed contacts. */
#ifndef CAROM_SIM_RIDE_SOLVE_H
#define CAROM_SIM_RIDE_SOLVE_H

enum { RIDE_ROWS = 72 }; /* three for each contact */

/* Gaussian elimination with row pivots; A is destroyed, x holds the right side and then the solution. */
void eliminate(double A[RIDE_ROWS][RIDE_ROWS], double *x, int n);

/* The rows of a matrix made orthogonal, the first of which are its rows at pivot. */
typedef struct row_basis {
    int rank, pivot[RIDE_ROWS];
    double q[RIDE_ROWS][RIDE_ROWS];
} row_basis;

/* A x = b for a matrix that may be singular with b in its range: the smallest solution. basis: for further right sides,
 * or null. */
void solve_rows(double A[RIDE_ROWS][RIDE_ROWS], const double *b, double *x, int n, row_basis *basis);

/* The same for another right side. */
void solve_again(double A[RIDE_ROWS][RIDE_ROWS], const row_basis *basis, const double *b, double *x, int n);

#endif

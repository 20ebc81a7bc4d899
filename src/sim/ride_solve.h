/* Linear equations of a body on closed contacts. */
#ifndef CAROM_SIM_RIDE_SOLVE_H
#define CAROM_SIM_RIDE_SOLVE_H

enum { RIDE_ROWS = 24 }; /* three for each contact; one contact with the six accelerations has nine */

/* Gaussian elimination with row pivots; A is destroyed, x holds the right side and then the solution. */
void eliminate(double A[RIDE_ROWS][RIDE_ROWS], double *x, int n);

/* A x = b for a matrix that may be singular with b in its range: the smallest solution. */
void solve_rows(double A[RIDE_ROWS][RIDE_ROWS], const double *b, double *x, int n);

#endif

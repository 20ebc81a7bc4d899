/* Linear equations that may repeat each other: the smallest solution. */
#ifndef CAROM_SIM_LEAST_NORM_H
#define CAROM_SIM_LEAST_NORM_H

#include "sim/world/workspace.h"

/* Numbers row by row. */
typedef struct matrix {
    int rows, columns;
    double *at;
} matrix;

static inline double *row_of(const matrix *A, int i)
{
    return A->at + (size_t)i * (size_t)A->columns;
}

/* The rows of a matrix made orthogonal, the first of which are its rows at pivot. */
typedef struct row_basis {
    int rank, *pivot;
    matrix q;
} row_basis;

/* A x = b for a matrix that may be singular with b in its range: the smallest solution. The basis is for further right
 * sides; it is in the arena, where there is room of least_norm_room bytes. */
void solve_rows(arena *a, const matrix *A, const double *b, double *x, row_basis *basis);
size_t least_norm_room(int rows, int columns);

/* The same for another right side. */
void solve_again(const matrix *A, const row_basis *basis, const double *b, double *x);

/* Makes the columns of A orthogonal and of length one, from the first to the last; those that repeat others are left
 * out. Returns how many are left, as the first columns. */
int span_columns(matrix *A);

/* Gaussian elimination with row pivots; A is destroyed, x holds the right side and then the solution. */
void eliminate(matrix *A, double *x);

#endif

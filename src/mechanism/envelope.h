/* Cholesky factor of a symmetric matrix within its envelope: row i is stored from its first column to the diagonal. */
#ifndef CAROM_MECHANISM_ENVELOPE_H
#define CAROM_MECHANISM_ENVELOPE_H

#include "carom/joint.h"

static inline double *envelope_row(const carom_joint_row *row, double *L)
{
    return L + row->start - row->first; /* entry j is [j], first <= j <= i */
}

/* L = chol(A) in place; returns -1, or the row whose pivot was lost. */
int envelope_factor(int n, const carom_joint_row *rows, double *L);

/* The smallest pivot of the factor against its diagonal: 1 when no row depends on another, 0 when one is lost. */
double envelope_least_pivot(int n, const carom_joint_row *rows, double *L);

/* y <- L^-1 y, and y <- L^-T y */
void envelope_forward(int n, const carom_joint_row *rows, double *L, double *y);
void envelope_backward(int n, const carom_joint_row *rows, double *L, double *y);

#endif

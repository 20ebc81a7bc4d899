/* Cholesky factor of a symmetric matrix within its envelope: row i is stored from its first column to the diagonal. */
#ifndef CAROM_MECHANISM_ENVELOPE_H
#define CAROM_MECHANISM_ENVELOPE_H

#include "carom/joint.h"

static inline double *envelope_row(const carom_joint_row *row, double *L)
{
    return L + row->start - row->first; /* entry j is [j], first <= j <= i */
}

/* L = chol(A) in place, from row start on; returns -1, or the first row whose pivot is small against its diagonal. That
 * row is ready but for its diagonal entry, which still holds A. */
int carom_envelope_factor(int n, const carom_joint_row *rows, double *L, int start);

/* t = (-L11^-T l, 1): the combination of the rows up to i that row i adds nothing to, when its pivot is zero. */
void carom_envelope_combination(int i, const carom_joint_row *rows, double *L, double *t);

/* The smallest pivot of the factor against its diagonal: 1 when no row depends on another, 0 when one is lost. */
double carom_envelope_least_pivot(int n, const carom_joint_row *rows, double *L);

/* y <- L^-1 y, and y <- L^-T y */
void carom_envelope_forward(int n, const carom_joint_row *rows, double *L, double *y);
void carom_envelope_backward(int n, const carom_joint_row *rows, double *L, double *y);

#endif

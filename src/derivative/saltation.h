/* A jump of speeds at a contact, and how it changes with the coordinates: what saltation.c needs of its source. */
#ifndef CAROM_DERIVATIVE_SALTATION_H
#define CAROM_DERIVATIVE_SALTATION_H

#include "carom/saltation.h"
#include "carom/solve.h"

/* J_k = dJ/dq_k and X_k = dX/dq_k, X = M^-1 J^T, both dim x n by rows (X is kept as its transpose). */
typedef void jump_vary(const void *data, int k, double *J_k, double *X_k);

typedef struct jump {
    int n, dim;
    const double *J, *X;                 /* dim x n by rows */
    const double *qdot, *before, *after; /* speeds before; accelerations just before and just after */
    jump_vary *vary;
    const void *data;
    double *work; /* 9 n */
} jump;

/* Fill the matrix of a jump, or zero it and say why. */
carom_status saltation_of(const jump *s, const carom_problem *problem, const carom_rule *rule, double *Xi,
                          carom_saltation *out);

#endif

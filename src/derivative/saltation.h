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

/* Fill the matrix of a jump, or zero it and say why. derivative belongs to the impact. */
carom_status saltation_of(const jump *s, const carom_problem *problem, const carom_rule *rule, double *Xi,
                          carom_saltation *out, carom_derivative *derivative);

/* How the speeds after a jump change with coordinate or parameter k of vary, at the same speeds before: column k of A.
 */
void jump_column(const jump *s, const carom_derivative *derivative, carom_cvec p, int k, double *column);

/* x += X v */
void jump_add(const jump *s, carom_cvec v, double *x);

/* A surface where it touches, in the tangent plane: P m = Q s, when the contact moves by s over the body and the
 * outward normal turns by m, both relative to the body. Matrices are symmetric: t11, t12, t22.
 *
 *     smooth     P = 1, Q = curvature (or P = 1/curvature, Q = 1)      s and m follow from each other
 *     a corner   P = 0, Q = 1                                          the contact stays, the normal is free
 *     an edge    along a, across c: P = a a^T, Q = c c^T + curvature of the edge along the normal a a^T */
typedef struct surface {
    double P[3], Q[3];
} surface;

enum { PAIR_STATE = 2 * CAROM_BODIES_COORDINATES };

/* An impact of two free bodies. In a planar contact only t1 counts in the surfaces. */
typedef struct pair_impact {
    const carom_contact *contact;
    const carom_body *body[2];
    surface surface[2];
    carom_vec3 gravity;
    const carom_rule *rule;
} pair_impact;

/* What becomes of small changes, in the coordinates of carom_saltation_bodies. */
typedef struct pair_change {
    double Xi[PAIR_STATE * PAIR_STATE];
    double time[CAROM_BODIES_COORDINATES];                      /* of the impact, by coordinates */
    double coeffs[CAROM_COEFF_COUNT][CAROM_BODIES_COORDINATES]; /* speeds after, by coefficients */
    double masses[2][CAROM_BODIES_COORDINATES];                 /* speeds after, by the logarithm of each mass */
    double inertias[2][CAROM_BODIES_COORDINATES];               /* ... of each inertia, all moments alike */
    const char *border; /* of the law, nearest; null: the surfaces are refused */
    double distance;    /* to it, relative to the inputs */
    carom_saltation about;
} pair_change;

/* CAROM_STATUS_NO_DERIVATIVE as well where the surfaces have no single contact. */
carom_status saltation_pair(const pair_impact *impact, pair_change *change);

#endif

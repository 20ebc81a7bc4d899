/* Carom: derivatives of an impact whose contact has a patch or rolling resistance.
 *
 * How the impulse and the velocity after the impact change with the 4 or 6 numbers of u, with K and the coefficients:
 *
 *     carom_patch_derivative d;
 *     carom_status status = carom_patch_derivative_solve(&problem, &rule, &outcome, &d);
 *     d.p.u[2][3]     dm_n / du_n
 *
 * whittaker: what holds in its mode is differentiated (the implicit function theorem). Laws with a path: the
 * variational equation of the path is solved along it. Without patch and rho these are the derivatives of
 * carom/derivative.h, and spins are carried along. Theory: docs/theory/derivatives.md. */
#ifndef CAROM_PATCH_DERIVATIVE_H
#define CAROM_PATCH_DERIVATIVE_H

#include "carom/derivative.h"
#include "carom/export.h"
#include "carom/patch.h"

CAROM_BEGIN

enum { CAROM_PATCH_ENTRIES = 21 };

/* The derivatives of p or u_after, column by column: [input][component]. */
typedef struct carom_patch_jacobian {
    double u[CAROM_PATCH_SIZE][CAROM_PATCH_SIZE];
    double K[CAROM_PATCH_ENTRIES][CAROM_PATCH_SIZE]; /* by the upper triangle, column by column: 00, 01, 11, 02, ...; an
                                                      * entry off the diagonal moves both */
    double coeffs[CAROM_COEFF_SLOTS][CAROM_PATCH_SIZE];
} carom_patch_jacobian;

typedef struct carom_patch_derivative {
    carom_status status;
    int size;       /* of the problem: 4 or 6 numbers; 10 or 21 entries of K */
    bool nonsmooth; /* u_n = 0, or no slip before the impact: the derivative is that of one side, or of the branch */
    carom_patch_jacobian p, u_after;
} carom_patch_derivative;

/* Solve an impact and differentiate it. outcome (may be null) and status are as of carom_patch_solve;
 * CAROM_STATUS_NO_DERIVATIVE when the law has none, when two solutions meet, and when a path leaves the origin where it
 * began. The derivative is zero when the status is a refusal, and the identity for u_after by u when the contact
 * separates. At u_n = 0 it is the limit from u_n < 0. patch has a column where it is positive. */
CAROM_API CAROM_MUST_USE carom_status carom_patch_derivative_solve(const carom_patch_problem *problem,
                                                                   const carom_rule *rule, carom_outcome *outcome,
                                                                   carom_patch_derivative *derivative);

CAROM_END

#endif

/* Carom: an impact of a mechanism with mass matrix M(q), contact Jacobian J(q) and generalized speeds.
 *
 *     K = J M^-1 J^T,   u = J qdot,   qdot_after = qdot + M^-1 J^T p
 *
 * The caller owns all arrays, so n has no bound and nothing is allocated. */
#ifndef CAROM_GENERALIZED_H
#define CAROM_GENERALIZED_H

#include <stddef.h>

#include "carom/export.h"
#include "carom/problem.h"
#include "carom/status.h"

CAROM_BEGIN

/* Doubles of workspace for n generalized speeds: the Cholesky factor of M, the solved rows of J, one vector. */
#define CAROM_GENERALIZED_WORK(n) ((size_t)(n) * (size_t)(n) + 7 * (size_t)(n))

typedef struct carom_generalized {
    int n;              /* generalized speeds, >= 1 */
    int dim;            /* rows of J: 3 for (t1, t2, n), 2 for (t, n); 4 or 6 with a patch (carom/patch.h) */
    const double *M;    /* n x n by rows, symmetric positive definite; the lower triangle is read */
    const double *J;    /* dim x n by rows */
    const double *qdot; /* n */
    double *work;       /* CAROM_GENERALIZED_WORK(n); filled by reduce, read by apply */
} carom_generalized;

/* The mechanism becomes (K, u). CAROM_STATUS_BAD_SIZE, CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_MASS_MATRIX or
 * CAROM_STATUS_IMMOVABLE refuse it.
 */
CAROM_API CAROM_MUST_USE carom_status carom_generalized_reduce(const carom_generalized *mechanism,
                                                               carom_problem *problem);

/* qdot_after = qdot + M^-1 J^T p; needs the workspace as reduce left it. qdot_after may be qdot. p is the whole
 * impulse, or the impulse of an event (carom/path.h): then these are the speeds there. */
CAROM_API void carom_generalized_apply(const carom_generalized *mechanism, carom_cvec p, double *qdot_after);

/* Kinetic energy qdot M qdot / 2 at the speeds qdot. */
CAROM_API double carom_generalized_energy(const carom_generalized *mechanism, const double *qdot);

CAROM_END

#endif

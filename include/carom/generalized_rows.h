/* Carom: impacts of many mechanisms at once, each by its mass matrix M, contact Jacobian J and generalized speeds.
 *
 *     carom_generalized_reduce_rows(&mechanisms, &columns);    K and u of every row, as columns of a batch
 *     carom_batch_solve(&in, &rule, &out, NULL);               carom/batch.h, on these columns
 *     carom_generalized_apply_rows(&mechanisms, &impulses, qdot_after);
 *
 * Each row has the numbers of carom_generalized_reduce and carom_generalized_apply (carom/generalized.h), bit for bit.
 */
#ifndef CAROM_GENERALIZED_ROWS_H
#define CAROM_GENERALIZED_ROWS_H

#include <stddef.h>

#include "carom/export.h"
#include "carom/generalized.h"

CAROM_BEGIN

/* Row i has its mass matrix at M + i M_step, and so on; a step of zero is one array for all rows. */
typedef struct carom_generalized_rows {
    size_t count;
    int n, dim;                       /* of every mechanism, as in carom_generalized */
    const double *M, *J, *qdot;       /* n x n and dim x n by rows, and n */
    size_t M_step, J_step, qdot_step; /* in doubles */
    double *work;                     /* count * CAROM_GENERALIZED_WORK(n) doubles, for reduce and then apply */
} carom_generalized_rows;

/* What reduce writes, and what a batch reads; in the plane (dim is 2) the four arrays of t2 may be null. */
typedef struct carom_generalized_columns {
    double *K_t11, *K_t12, *K_t22, *K_t1n, *K_t2n, *K_nn;
    double *u_t1, *u_t2, *u_n;
    unsigned char *status; /* a carom_status per row */
} carom_generalized_columns;

/* The impulses of a batch; p_t2 is not read in the plane. status is what reduce wrote. */
typedef struct carom_generalized_impulses {
    const double *p_t1, *p_t2, *p_n;
    const unsigned char *status;
} carom_generalized_impulses;

/* Every mechanism becomes its K and u. A row that carom_generalized_reduce refuses has that status, and zeros, which a
 * batch refuses. Thread-safe, allocates nothing. */
CAROM_API void carom_generalized_reduce_rows(const carom_generalized_rows *mechanisms,
                                             const carom_generalized_columns *columns);

/* The speeds after: count rows of n. Refused rows keep theirs. qdot_after may be qdot. */
CAROM_API void carom_generalized_apply_rows(const carom_generalized_rows *mechanisms,
                                            const carom_generalized_impulses *impulses, double *qdot_after);

CAROM_END

#endif

/* Linear systems of contacts, which are singular where contacts are redundant. Then the solution is the limit of
 * (A + eps I) x = b for eps -> 0; without friction that is the x of least length. */
#ifndef CAROM_LAWS_TOGETHER_LINEAR_H
#define CAROM_LAWS_TOGETHER_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

#define LIMIT_EPS 1e-8 /* of the largest diagonal entry: the eps that stands for eps -> 0 */

typedef enum linear_end { LINEAR_REGULAR, LINEAR_LIMIT, LINEAR_INCONSISTENT } linear_end;

/* Bytes of work for n unknowns. */
size_t linear_work(size_t n);

/* Solve A x = b, A by rows; A and b stay as they are. */
linear_end linear_limit(int n, const double *A, const double *b, double *x, void *work);

/* Is the symmetric A singular to rounding? */
bool linear_is_singular(int n, const double *A, void *work);

#endif

/* The normal problem without friction: 0 <= x, 0 <= N x + q, x (N x + q) = 0, with N symmetric positive semi-definite.
 *
 * Its x minimises x N x / 2 + q x over x >= 0. N x is unique; where x is not, it is the limit of N + eps I. */
#ifndef CAROM_LAWS_TOGETHER_LCP_H
#define CAROM_LAWS_TOGETHER_LCP_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/status.h"

/* Bytes of work for n unknowns. */
size_t lcp_work(size_t n);

/* Solve; *redundant says that the system of the active contacts was singular. CAROM_STATUS_INADMISSIBLE: no solution.
 * CAROM_STATUS_ITERATION_LIMIT: the bound on pivots was reached. */
carom_status lcp_solve(int n, const double *N, const double *q, double *x, bool *redundant, void *work);

#endif

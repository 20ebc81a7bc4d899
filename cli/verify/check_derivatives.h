/* Comparing derivatives and saltation matrices with what a case expects. */
#ifndef CAROM_CLI_CHECK_DERIVATIVES_H
#define CAROM_CLI_CHECK_DERIVATIVES_H

#include "check.h"

/* max(1e-10, 64 error_bound) for laws with a path, max(1e-13, 64 error_bound) for the others. */
double check_derivative_tolerance(const carom_case *c, const json_t *expect);

/* Every matrix against its largest entry; coefficients also against the largest of p or u. */
void check_derivatives(const carom_case *c, const json_t *expect, const json_t *got, check *out);
void check_saltation(const json_t *expect, const json_t *got, check *out);

#endif

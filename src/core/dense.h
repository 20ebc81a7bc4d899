/* Plain arrays at the edges: what JSON, bindings and mechanisms hand over, by rows. */
#ifndef CAROM_CORE_DENSE_H
#define CAROM_CORE_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define SYMMETRY_TOL 1e-10 /* of the largest entry: more than any text format rounds */

/* Any NaN or infinity survives multiplication by zero. */
static inline bool dense_finite(const double *x, size_t count)
{
    double zero = 0;
    for (size_t i = 0; i < count; i++)
        zero += 0 * x[i];
    return zero == 0;
}

static inline bool dense_symmetric(int n, const double *A)
{
    double largest = 0, skew = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            largest = fmax(largest, fabs(A[i * n + j]));
            skew = fmax(skew, fabs(A[i * n + j] - A[j * n + i]));
        }
    return skew <= SYMMETRY_TOL * largest;
}

#endif

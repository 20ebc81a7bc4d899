/* Gauss' rule on 0 to 1, and the polynomials through its points. */
#ifndef CAROM_DERIVATIVE_PATCH_GAUSS_H
#define CAROM_DERIVATIVE_PATCH_GAUSS_H

#include <stdbool.h>

enum { GAUSS = 12 };

typedef struct gauss_rule {
    double x[GAUSS], w[GAUSS];                          /* on 0 to 1 */
    double integral[GAUSS][GAUSS], slope[GAUSS][GAUSS]; /* from 0 to a point; its inverse */
    double last[2][GAUSS];                              /* the last coefficients in Legendre's polynomials */
} gauss_rule;

bool carom_gauss_make(gauss_rule *r);

/* The larger of the last coefficients of the polynomial through values at the points: what it leaves out. */
double carom_gauss_last(const gauss_rule *r, const double *f);

#endif

/* The norm of a patch and its dual, from the integrals of docs/theory/patch.md (1), in long double: nothing here is
 * shared with the library. */
#ifndef CAROM_TESTS_PROPERTY_NORM_H
#define CAROM_TESTS_PROPERTY_NORM_H

/* Phi of a slip v >= 0 and a spin W = a |w|, for a pressure of carom/options.def. */
long double norm_of_slip(int pressure, long double v, long double W);

/* The least radius of a limit surface that holds a force f >= 0 and m / a >= 0. */
long double norm_dual(int pressure, long double f, long double m);

#endif

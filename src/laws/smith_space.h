/* Smith's law in space as one equation for the normal impulse N: phi(N) = K_nn N + k . p_t(N) - c = 0, equation (5) of
 * smith.c, where p_t(N) is the one solution of the tangential problem (4). */
#ifndef CAROM_LAWS_SMITH_SPACE_H
#define CAROM_LAWS_SMITH_SPACE_H

#include "carom/law.h"
#include "laws/whittaker.h"

/* The problem in principal axes of K_TT, velocities divided by |u_t|. */
typedef struct space {
    tvec u, k, kappa; /* |u| = 1 */
    double K_nn, c, mu;
} space;

/* A point of phi. */
typedef struct point {
    double N, r, phi, slope, turn; /* r = |z|, slope = dphi/dN, turn = dr/dN */
    bool settled;                  /* r converged */
    tvec w;
} point;

/* The roots of phi in the order of N. */
typedef struct found {
    int count;
    point at[CAROM_SOLUTIONS_KEPT];
    carom_status status;
} found;

/* The root, when it is known to be the only one. */
void smith_single(const space *sp, found *roots);

/* Every root up to most. */
void smith_search(const space *sp, double most, found *roots);

#endif

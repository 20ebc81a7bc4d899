/* Impulses at many contacts by sweeps (projected Gauss-Seidel). Each contact in turn gets the normal impulse that makes
 * its normal velocity reach an aim, and the friction that stops it, within Coulomb's cone. */
#ifndef CAROM_SIM_STEP_SWEEP_H
#define CAROM_SIM_STEP_SWEEP_H

#include "sim/touching.h"

/* One contact, with all that a sweep needs of it. */
typedef struct sweep_row {
    int a, b;                        /* slots of the bodies */
    carom_vec3 axis[3];              /* t1, t2, n */
    carom_vec3 turn_a[3], turn_b[3]; /* arm x axis */
    carom_vec3 spin_a[3], spin_b[3]; /* inverse inertias times these */
    double mass_a, mass_b;           /* inverse */
    double K_t, K_n, mu, aim;
    double p[3];
} sweep_row;

/* Velocities of a body. */
typedef struct sweep_body {
    carom_vec3 v, w;
} sweep_body;

sweep_row sweep_make(const carom_sim *sim, const touching *c);

/* Give the bodies the impulse of the row. */
void sweep_push(const sweep_row *r, sweep_body *bodies);

/* At most so many sweeps, until no velocity changes by more than still. */
typedef struct sweep_limit {
    int sweeps;
    double still;
} sweep_limit;

void sweep_rows(sweep_row *rows, size_t count, sweep_body *bodies, sweep_limit limit);

#endif

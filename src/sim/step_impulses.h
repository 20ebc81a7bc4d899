/* The impulses of a step: velocities that obey the contacts, and displacements that take out overlaps. */
#ifndef CAROM_SIM_STEP_IMPULSES_H
#define CAROM_SIM_STEP_IMPULSES_H

#include "sim/step_sweep.h"

enum { STEP_SWEEPS = 60, STEP_PUSH_SWEEPS = 12 };
#define STEP_PUSH_OUT 0.2 /* share of an overlap that one step removes */

/* Rows and velocities of a sweep, in the scratch of the simulation. */
typedef struct sweep_memory {
    sweep_row *rows;
    sweep_body *bodies;
    size_t count;
} sweep_memory;

bool sweep_take(carom_sim *sim, sweep_memory *m);

/* Where a contact must not go beyond in a step of length h: what is left of its gap, or the velocity of a bounce. */
double step_aim(const carom_sim *sim, const touching *c, double h);

/* Velocities of the step. */
void sweep_velocities(carom_sim *sim, const sweep_memory *m, double h);

/* Displacements that take out part of the overlaps, into m->bodies; velocities do not see them. False: there are none.
 */
bool sweep_overlaps(carom_sim *sim, const sweep_memory *m);

/* Angular momentum is kept over a step, and energy does not grow: w = I^-1 L with the inertia as it has turned. */
void turn_inertia(const carom_sim *sim, involved *x);

#endif

/* Impacts: all pairs that touch at one instant become contacts, contacts that share a movable body are solved together,
 * the others alone. */
#ifndef CAROM_SIM_COLLIDE_H
#define CAROM_SIM_COLLIDE_H

#include "sim/world/world.h"

/* Resolve the pairs of sim->batch at time t: velocities change, closed contacts open or close, and every body that took
 * part gets a new piece of motion. */
carom_status collide(carom_sim *sim, double t);

/* Remember that bodies i and j meet now. */
bool batch_add(carom_sim *sim, int i, int j);

/* Give body i a new piece of motion from time t on, with these velocities; it has touched nothing yet. */
void set_motion(carom_sim *sim, int i, double t, const carom_body *now);

/* The work of impulses of fixed bodies that move, at the touchings; the laws know relative velocities only. */
double driven_work(const carom_sim *sim);

/* Forget the impact that was resolved. */
void clear_impact(carom_sim *sim);

#endif

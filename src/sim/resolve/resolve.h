/* Impacts: all pairs that touch at one instant become contacts, contacts that share a movable body are solved together,
 * the others alone. */
#ifndef CAROM_SIM_RESOLVE_H
#define CAROM_SIM_RESOLVE_H

#include "sim/world/world.h"

/* Resolve the pairs of sim->batch at time t: velocities change, and every body that took part gets a new piece of
 * motion. The contacts stay listed until clear_impact(): after an error nothing is booked, and the impact is still to
 * come. */
carom_status resolve(carom_sim *sim, double t);

/* Remember that bodies i and j meet now. */
bool batch_add(carom_sim *sim, int i, int j);

/* The work of impulses of fixed bodies that move, at the touchings; the laws know relative velocities only. */
double driven_work(const carom_sim *sim);

/* Forget the impact that was resolved. */
void clear_impact(carom_sim *sim);

#endif

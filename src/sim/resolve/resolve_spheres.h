/* The impact of two spheres in free flight that touch nothing else: what collide() does in general, without lists. */
#ifndef CAROM_SIM_GAS_IMPACT_H
#define CAROM_SIM_GAS_IMPACT_H

#include "sim/world/world.h"

/* Resolve the only pair of sim->batch at time t, and give both bodies new motions and next events. False, and nothing
 * has changed: this impact needs collide(). */
bool gas_collide(carom_sim *sim, double t);

#endif

/* The impact of two spheres in free flight that touch nothing else: what resolve() does in general, without lists. */
#ifndef CAROM_SIM_RESOLVE_SPHERES_H
#define CAROM_SIM_RESOLVE_SPHERES_H

#include "sim/world/world.h"

/* Resolve the only pair of sim->batch at time t, and give both bodies new motions. False, and nothing has changed: this
 * impact needs lists. */
bool resolve_spheres(carom_sim *sim, double t);

#endif

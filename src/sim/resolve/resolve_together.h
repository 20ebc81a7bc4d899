/* A group of contacts, resolved by the law for several contacts of the scene. */
#ifndef CAROM_SIM_TOGETHER_IMPACT_H
#define CAROM_SIM_TOGETHER_IMPACT_H

#include "sim/world/world.h"

/* Solve the contacts of a group at time t, push its bodies, book the energy and tell the observer. */
carom_status solve_together(carom_sim *sim, int group, double t);

/* Normal velocities of the contacts of a group that are marked closed become zero (moreau with e = 0 and no friction);
 * the energy is booked as rest. */
carom_status stop_together(carom_sim *sim, int group);

#endif

/* The road from the contacts of a group to velocities: one hit that presses no other contact is solved by the law of
 * its pair, everything else by the law for several contacts of the scene. */
#ifndef CAROM_SIM_RESOLVE_GROUP_H
#define CAROM_SIM_RESOLVE_GROUP_H

#include "sim/world/world.h"

/* Solve the contacts of a group at time t, push its bodies, book the energy and tell the observer. */
carom_status resolve_group(carom_sim *sim, int group, double t);

#endif

/* The convex pieces of a body, in the memory of a simulation that is being created. */
#ifndef CAROM_SIM_MAKE_PIECES_H
#define CAROM_SIM_MAKE_PIECES_H

#include "sim/world/world.h"

carom_status make_pieces(carom_sim *sim, int i);

/* Where the centre of a solid is, in its frame; copies of one hull are weighed once. */
carom_status weigh_solid(carom_sim *sim, const carom_solid *solid, carom_vec3 *centre);

#endif

/* The convex pieces of a body, in the memory of a simulation that is being created. */
#ifndef CAROM_SIM_MAKE_PIECES_H
#define CAROM_SIM_MAKE_PIECES_H

#include "sim/world/world.h"

carom_status make_pieces(carom_sim *sim, int i);

#endif

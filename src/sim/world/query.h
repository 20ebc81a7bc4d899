/* What a caller can look at. */
#ifndef CAROM_SIM_QUERY_H
#define CAROM_SIM_QUERY_H

#include "sim/world/world.h"

/* Does a body neither move nor accelerate? */
bool is_resting(const carom_sim *sim, int i);

#endif

/* The list of masses: bodies with the same ones share them, so that the lists of large scenes stay short. */
#ifndef CAROM_SIM_MASSES_H
#define CAROM_SIM_MASSES_H

#include "sim/world/world.h"

/* The number of the masses of a body in the list, new if need be; -1 when memory ends. */
int masses_number(carom_sim *sim, carom_body body);

#endif

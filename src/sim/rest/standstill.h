/* When bodies on closed contacts stand still. */
#ifndef CAROM_SIM_STANDSTILL_H
#define CAROM_SIM_STANDSTILL_H

#include "sim/rest/ride.h"

/* Does the island stand still from the state y on, with modes chosen and rates f there? What a slide that is over had
 * left of energy is booked. */
bool stands_still(carom_sim *sim, ride *r, const double *y, double *f);

#endif

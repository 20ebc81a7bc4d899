/* A ball on one half-space, where accelerations are constant: it rolls, or slides along a line. */
#ifndef CAROM_SIM_ROLL_H
#define CAROM_SIM_ROLL_H

#include "sim/rest/ride.h"

/* Begin such a motion at time t with the modes that were chosen; false: the motion is not of this kind. */
bool roll_plainly(carom_sim *sim, const ride *r, double t);

#endif

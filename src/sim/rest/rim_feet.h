/* Round faces near the ground, which closed contacts do not cover. */
#ifndef CAROM_SIM_RIM_FEET_H
#define CAROM_SIM_RIM_FEET_H

#include "sim/rest/ride.h"

/* A rim that is nearly flat on the ground stands on its lowest point: it tips over that or, rolling faster and faster,
 * beside it. */
void lay_rims(carom_sim *sim, ride *r, const double *y);

/* Does a round face that stands on points of its rim tip beside them? f: the rates of the state. */
bool leaves_rims(const ride *r, const double *y, const double *f);

#endif

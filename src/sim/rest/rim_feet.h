/* Round faces near the ground, which closed contacts do not cover. */
#ifndef CAROM_SIM_RIM_FEET_H
#define CAROM_SIM_RIM_FEET_H

#include "sim/rest/ride.h"

/* Is a rim on the ground tilted by so little that it must be stepped? */
bool lies_nearly_flat(const ride *r, const double *y);

/* Does a round face that stands on points of its rim tip beside them? f: the rates of the state. */
bool leaves_rims(const ride *r, const double *y, const double *f);

#endif

/* An island of a step. */
#ifndef CAROM_SIM_STEP_GATHER_H
#define CAROM_SIM_STEP_GATHER_H

#include "sim/step/step_midpoint.h"

/* Everyone who may touch body first, or one of those, within a step from t on takes part, with the pairs of the
 * simulation; what their last pieces of motion have done is booked. Returns by how much these raised the energy beyond
 * what moving ground gave. */
double step_gather(carom_sim *sim, int first, double t);

#endif

/* What steps do to the digits of a body, estimated step by step. */
#ifndef CAROM_SIM_STEP_ERROR_H
#define CAROM_SIM_STEP_ERROR_H

#include "sim/world/world.h"

/* Body i makes a step of length h with this mean velocity and this acceleration. */
void step_estimate(carom_sim *sim, int i, double h, carom_vec3 mean, carom_vec3 a);

#endif

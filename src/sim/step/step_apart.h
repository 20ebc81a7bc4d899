/* Overlaps at the start of a step. */
#ifndef CAROM_SIM_STEP_APART_H
#define CAROM_SIM_STEP_APART_H

#include "sim/step/step_midpoint.h"

/* Pushes everyone who overlaps apart, as far as their motion pays for it, at the contacts that have been found. False
 * when memory ends. */
bool step_apart(carom_sim *sim, const step_plan *p);

#endif

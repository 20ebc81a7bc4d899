/* Where the contacts at the start of a step lead to, and how many sweeps look for the impulses. */
#ifndef CAROM_SIM_STEP_AIMS_H
#define CAROM_SIM_STEP_AIMS_H

#include "sim/resolve/contact_sweep.h"

enum { SWEEPS_MOST = 40, STEP_SWEEPS = 15, STEP_PUSH_SWEEPS = 12 };
#define BOUNCE        4.0 /* of what forces do in a step: slower approaches are no impacts */
#define STEP_PUSH_OUT 0.2 /* share of an overlap that one step removes */

/* Where a contact must not go beyond in a step of length h: what is left of its gap, or the velocity of a bounce. */
double step_aim(const carom_sim *sim, const touching *c, double h);

/* The same without a bounce. */
double step_close(const touching *c, double h);

#endif

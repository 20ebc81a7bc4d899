/* Stepped bodies that rest. A body is calm in a step when it is slow, and what touches it is calm, too. */
#ifndef CAROM_SIM_STEP_SLEEP_H
#define CAROM_SIM_STEP_SLEEP_H

#include "sim/step/step_midpoint.h"

/* Calm steps after which a body sleeps; one in which it does not move at all counts for many. */
enum { CALM_ENOUGH = 24, CALM_STILL = CALM_ENOUGH / 2 };

/* Is a body with this speed calm? */
bool is_calm(const carom_sim *sim, int i, double speed);

/* Count the calm steps of a body with this speed. */
void count_calm(carom_sim *sim, int i, double speed);

/* Who sleeps is calm, and so is everyone whom it presses. */
void share_calm(carom_sim *sim);

#endif

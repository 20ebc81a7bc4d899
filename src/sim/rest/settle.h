/* Closed contacts: how bounces end, and how bodies slide, roll and rest. docs/theory/motion.md, 5. */
#ifndef CAROM_SIM_REST_H
#define CAROM_SIM_REST_H

#include "sim/world/world.h"

/* After an impact, with the new motions begun: contacts whose bounces are over close, closed ones that separate open,
 * and bodies with closed contacts slide, roll or rest from now on. */
carom_status settle(carom_sim *sim, double t);

/* The piece of motion of body i ends at time t: slip has stopped, or a series is used up. */
carom_status end_piece(carom_sim *sim, int i, double t);

#endif

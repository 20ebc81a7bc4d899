/* Closed contacts: how bounces end, and how bodies slide, roll and rest. docs/theory/motion.md, 5. */
#ifndef CAROM_SIM_REST_H
#define CAROM_SIM_REST_H

#include "sim/world/world.h"

#define SLOW 1e-3 /* of the speed that forces give a body over its size: faster rebounds are looked at later */

/* After an impact, with the new motions begun: contacts whose bounces are over close, closed ones that separate open,
 * and bodies with closed contacts slide, roll or rest from now on. */
carom_status settle(carom_sim *sim, double t);

/* The piece of motion of body i ends at time t: slip has stopped, or a series is used up. */
carom_status end_piece(carom_sim *sim, int i, double t);

/* Body i is stepped from now on: its closed contacts are no longer followed. */
void drop_contacts(carom_sim *sim, int i);

#endif

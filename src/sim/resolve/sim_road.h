/* The road that a body takes: its motion is exact, from event to event, or it is stepped. docs/theory/motion.md, 6,
 * states when a body is stepped and what that costs in digits. */
#ifndef CAROM_SIM_SIM_ROAD_H
#define CAROM_SIM_SIM_ROAD_H

#include "sim/motion/motion.h"

/* Impacts of a body within one step that make it stepped; the second, in a row on one fixed body. */
enum { STEP_IMPACTS = 48, STEP_ROW = 4000 };

/* Impacts of a body at one instant. */
enum { INSTANT_MOST = 100 };

/* An island of more stepped bodies than this is a pile: its steps take a third of the time, and overlap. */
enum { STEP_PILE = 256 };

/* Body i is stepped as one of a pile from t on, or no longer. */
void step_join_pile(carom_sim *sim, int i, double t, bool pile);

/* From now on body i is stepped. */
void step_enter(carom_sim *sim, int i, double t);

/* Body i flies again, with these velocities. */
void step_leave(carom_sim *sim, int i, double t, const carom_body *now);

/* Body i had an impact with another one: true when it has had so many that it should be stepped. Bounces in a row on
 * one fixed body come to an end of their own, but a rim that clatters may take very many. */
bool step_is_due(carom_sim *sim, int i, int other, double t);

/* A stepped body that sleeps has been hit. */
void step_wake(carom_sim *sim, int i, double t);

/* Where a stepped body is, its orientation rid of rounding. */
snap step_place(const carom_sim *sim, int i, double t);

/* Give body i a new piece of motion from time t on, with these velocities. A stepped one goes on so until the next
 * step, which may be made at once. */
void set_motion(carom_sim *sim, int i, double t, const carom_body *now);

#endif

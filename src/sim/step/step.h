/* Moreau and Jean's stepping, for what the exact motion on closed contacts does not cover: bodies that rest on each
 * other, piles, edges. docs/theory/motion.md, 6, states when a body is stepped and what that costs in digits.
 *
 * Velocities change at steps of a fixed length only, by impulses at all contacts that would close before the next one;
 * between them bodies fall freely. The impulses make the mean velocities of the coming step obey the contacts, so that
 * a body at rest leaves each step with half of what gravity takes from it, and no energy is lost by standing.
 * Everything else is as before: impacts with bodies that are not stepped are events. */
#ifndef CAROM_SIM_STEP_H
#define CAROM_SIM_STEP_H

#include "sim/motion/motion.h"

/* Impacts of a body within one step that make it stepped; the second, in a row on one fixed body. */
enum { STEP_IMPACTS = 48, STEP_ROW = 4000 };

/* From now on body i is stepped. */
void step_enter(carom_sim *sim, int i, double t);

/* Body i had an impact with another one: true when it has had so many that it should be stepped. Bounces in a row on
 * one fixed body come to an end of their own, but a rim that clatters may take very many. */
bool step_is_due(carom_sim *sim, int i, int other, double t);

/* Where a stepped body is, its orientation rid of rounding. */
snap step_place(const carom_sim *sim, int i, double t);

/* All stepped bodies get the velocities of the step that begins at t. */
carom_status do_step(carom_sim *sim, double t);

/* A stepped body has been hit: it goes on with these velocities until the next step, which may be made at once. */
void step_push(carom_sim *sim, int i, double t, const carom_body *now);

/* An impact at many contacts for which the law found no answer within its bound: moreau's conditions by sweeps. */
void relax_group(carom_sim *sim, int group);

/* Body i flies again, with these velocities. */
void step_leave(carom_sim *sim, int i, double t, const carom_body *now);

/* A stepped body that sleeps has been hit. */
void step_wake(carom_sim *sim, int i, double t);

#endif

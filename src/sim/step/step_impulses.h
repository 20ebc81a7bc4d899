/* Steps of piles, and steps in which bodies held by joints take part, there with the K of the linkages: impulses at
 * the start of the step only, and displacements against overlaps. Velocities are constant but for gravity until the
 * next step; the impulses make the mean velocities of the step obey the contacts, so that a resting body keeps its
 * energy. */
#ifndef CAROM_SIM_STEP_IMPULSES_H
#define CAROM_SIM_STEP_IMPULSES_H

#include "sim/step/step_midpoint.h"

/* Do joints hold one of the bodies that take part? */
bool has_joints(const carom_sim *sim);

/* Is everyone who takes part a ball, or immovable? */
bool are_balls(const carom_sim *sim);

/* Close the joints of all stepped assemblies. */
carom_status close_joints(carom_sim *sim, double t);

/* Before the bodies begin their next piece of motion: angular velocities with the inertias as they have turned. */
void step_turn_inertias(carom_sim *sim);

/* The step of everyone who takes part, at the contacts that have been found. */
carom_status step_by_impulses(carom_sim *sim, const step_plan *p);

#endif

/* Moreau and Jean's stepping, for what the exact motion on closed contacts does not cover: bodies that rest on each
 * other, piles, edges. docs/theory/motion.md, 6, states when a body is stepped and what that costs in digits.
 *
 * Velocities change at steps of a fixed length only, by impulses at all contacts that would close before the next one;
 * between them bodies fall freely. The impulses make the mean velocities of the coming step obey the contacts, so that
 * a resting body keeps its energy.
 * Everything else is as before: impacts with bodies that are not stepped are events. */
#ifndef CAROM_SIM_STEP_H
#define CAROM_SIM_STEP_H

#include "sim/world/world.h"

/* All stepped bodies get the velocities of the step that begins at t. */
carom_status step(carom_sim *sim, double t);

#endif

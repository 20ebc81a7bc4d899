/* Steps, for what the exact motion on closed contacts does not cover: bodies that rest on each other, piles, edges.
 * docs/theory/motion.md, 6, states when a body is stepped, what a step is and what it costs in digits.
 *
 * Each island of stepped bodies has steps of its own: gather it (step_gather.h), find its contacts, push overlaps apart
 * (step_apart.h), and solve the step: with contact forces (step_midpoint.h), or by impulses alone where it is a pile or
 * has joints (step_impulses.h). Impacts with bodies that are not stepped are events, as before. */
#ifndef CAROM_SIM_STEP_H
#define CAROM_SIM_STEP_H

#include "sim/world/world.h"

/* All stepped bodies get the velocities of the step that begins at t. */
carom_status step(carom_sim *sim, double t);

#endif

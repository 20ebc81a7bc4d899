/* What is small, for the whole simulator. Five scales; every other number that decides is a multiple of one of them,
 * with its reason beside it, or a count of roundings (EPS). tests/sim/test_tolerance.c moves each scale by ten either
 * way. */
#ifndef CAROM_SIM_TOLERANCE_H
#define CAROM_SIM_TOLERANCE_H

#include "core/num.h"

#ifdef CAROM_SIM_MOVES_TOLERANCES /* that test */
extern double sim_tolerance[5];
#define ROUND_PLACE sim_tolerance[0]
#define ROUND_SPEED sim_tolerance[1]
#define SAME        sim_tolerance[2]
#define VISIBLE     sim_tolerance[3]
#define SMALL_SHARE sim_tolerance[4]
#else
/* Rounding of a place, of a direction, of a time: some thousand operations after it was exact. A share of the size. */
#define ROUND_PLACE 1e-12
/* Rounding of a velocity, and of the forces and accelerations that change it. A share of those that act. */
#define ROUND_SPEED 1e-12
/* Points, faces, directions, velocities that differ by less are the same one: rounding does not reach this far, and
 * nothing that a scene tells apart is this close. */
#define SAME        1e-9
/* What is worth a look: less cannot be seen in a motion, though it may matter a little later; more is there without
 * doubt. */
#define VISIBLE     1e-6
/* This share of a step, of the time scale of a body or of its size is small beside the whole, and large beside all
 * errors. */
#define SMALL_SHARE 1e-3
#endif

/* Multiples that several rooms share. */
#define TOUCH_TOL    (64 * EPS) /* of the sizes, and of the speeds: such gaps are closed, and such approaches none */
#define SAME_INSTANT (32 * EPS) /* of the time: rounding of the larger of two instants */
#define CARRIED_PLACE                                                                                                  \
    (10 * ROUND_PLACE)                 /* of the size: a place that a motion has carried to a border, or off a body    \
                                        */
#define PRESSED    (0.1 * SMALL_SHARE) /* of the accelerations: differences of places show that a contact presses */
#define THIN_ROD   (0.1 * SMALL_SHARE) /* of the largest moment of inertia: what a rod has about itself is rounding */
#define STEP_DEPTH (0.1 * VISIBLE)     /* of the size: an overlap that a step may leave */
#define SOLVED     (100 * ROUND_SPEED) /* of what acts: what equations of many contacts leave */

/* Of friction: more is infinite. */
#define NEVER_SLIPS 1e12

/* Bounds of loops that end long before. */
enum {
    HALVINGS = 200,   /* of an interval of time, to rounding */
    ITERATIONS = 60,  /* of a search that gains digits slowly: what has not settled by then does not */
    NEWTON_STEPS = 12 /* of one that doubles them */
};

#endif

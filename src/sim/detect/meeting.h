/* Two pieces of two bodies, and how they stand to each other at an instant. */
#ifndef CAROM_SIM_MEETING_H
#define CAROM_SIM_MEETING_H

#include "sim/motion/motion.h"
#include "sim/shape/nearest_axis.h"

typedef struct pieces_pair {
    const carom_sim *sim;
    int i, j;
    const piece *a, *b;
    double bound_a, bound_b;  /* turn_bound of the two */
    const carom_vec3 *points; /* of a, or null for those of the simulation */
    bool has_feet;            /* a is what is left of a piece whose feet stand on j */
} pieces_pair;

/* The two pieces at time t and their gap along the axis nearest to guess, or to none where it is zero; share says how
 * well the gap has to be known, as a share of itself. */
meeting meet(const pieces_pair *p, double t, carom_vec3 guess, double share);

/* How far the gap of the two, beginning at a meeting, stays positive for certain, at most cap: the gap along one axis
 * that is held, or carried by features of the two, is followed to its root. n: in, zero or how the axis of the meeting
 * turned lately; out, the axis there. */
double follow_axis(const pieces_pair *p, const meeting *m, double t, double cap, carom_vec3 *n);

#endif

/* Two pieces of two bodies, and how they stand to each other at an instant. */
#ifndef CAROM_SIM_MEETING_H
#define CAROM_SIM_MEETING_H

#include "sim/detect/impact_time.h"
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

/* Piece a of body i and piece b of body j. */
static inline pieces_pair pieces_pair_of(const carom_sim *sim, int i, int j, int a, int b)
{
    return (pieces_pair){.sim = sim, .i = i, .j = j, .a = piece_at(sim, i, a), .b = piece_at(sim, j, b)};
}

/* The two pieces at time t and their gap along the axis nearest to guess, or to none where it is zero; share says how
 * well the gap has to be known, as a share of itself. */
meeting meet(const pieces_pair *p, double t, carom_vec3 guess, double share);

/* Where corners touch, several axes separate the pieces. One along which they do not approach proves that they pass
 * each other: if they approach along the axis of the meeting, and there is such an axis, it becomes that. */
void pass_corner(meeting *m);

/* When the two pieces touch. */
double pieces_time(const pieces_pair *p, search *range);

/* When the whole piece a of body i, which stands with some feet on a face of j, touches an edge of that face; infinite:
 * not at all. The body may overhang the edges, and come down onto them between its feet: the search without the feet
 * cannot see this. */
double edges_time(const pieces_pair *full, search *range);

/* How far the gap of the two, beginning at a meeting, stays positive for certain, at most cap: the gap along one axis
 * that is held, or carried by features of the two, is followed to its root. n: in, zero or how the axis of the meeting
 * turned lately; out, the axis there. */
double follow_axis(const pieces_pair *p, const meeting *m, double t, double cap, carom_vec3 *n);

#endif

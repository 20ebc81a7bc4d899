/* Distance of two convex cores, with its proof.
 *
 * Gilbert, Johnson and Keerthi: the point nearest to the origin on the difference A - B of the two sets, by simplices
 * of support points. It stops when the duality gap closes: the length of the nearest point found is an upper bound of
 * the distance, the gap along its direction a lower one. */
#ifndef CAROM_SIM_DISTANCE_H
#define CAROM_SIM_DISTANCE_H

#include "sim/shape/piece.h"

typedef struct nearness {
    double distance; /* of the cores: a lower bound; zero when they overlap */
    carom_vec3 axis; /* unit, from B to A: the gap along it is that bound; zero when they overlap */
} nearness;

/* How far the bounds of the distance may differ: a share of the distance of the surfaces, or a length. */
typedef struct looseness {
    double share, length;
} looseness;

/* guess: a direction from B to A to begin with, or zero. */
nearness distance_of(const placed *a, const placed *b, carom_vec3 guess, looseness loose);

#endif

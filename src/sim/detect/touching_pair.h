/* Two movable bodies that stand on each other: until when nothing but their feet touches. */
#ifndef CAROM_SIM_TILT_H
#define CAROM_SIM_TILT_H

#include "sim/world/world.h"

/* Do their feet on flat faces span a plane? */
bool are_flush(const carom_sim *sim, int i, int j);

/* Does a foot of one stand on a flat face of the other? */
bool stand_flat(const carom_sim *sim, int i, int j);

/* The time from t on, up to end, when the next corner of the body with the feet comes down to the plane of the face
 * that they stand on: the edge towards it is then in that plane, and the corner, or the border of the face, touches.
 * While none has, the plane separates the two. Infinite: none; feet that hold faces of both in one plane let nothing
 * else touch. */
double tilt_time(const carom_sim *sim, int i, int j, double t, double end);

/* The one of two bodies that stands on a flat face of the other with a rim or an apex, so that another one may come
 * down; -1: none. */
int round_feet(const carom_sim *sim, int i, int j);

#endif

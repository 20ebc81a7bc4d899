/* Feet: the parts of a body that stand on a half-space, and what is left of its pieces without them. */
#ifndef CAROM_SIM_FOOT_H
#define CAROM_SIM_FOOT_H

#include "sim/world/world.h"

/* The foot of body i whose piece touches along n at a point of the world. False: no simple foot. */
typedef struct touch_place {
    int body, piece;
    carom_vec3 point, normal;
    double time;
} touch_place;

bool foot_of(const carom_sim *sim, const touch_place *at, piece *foot);

/* The side of a cylinder or a capsule along a line, as a foot: a ball at its middle, for what presses it in a stretch
 * around that. On a face it has two feet instead, one at each end. */
piece side_foot(const piece *p);
piece end_foot(const piece *p, bool upper);

/* Puts the foot of a body with corners on the corner that it is at. False: it is at none. */
bool foot_at_corner(const carom_sim *sim, int body, int piece_of_body, piece *foot);

/* Is the contact at a vertex of the body, and not where an edge of the ground cuts it? */
bool is_corner(const carom_sim *sim, const touch_place *at);

/* Are these the same foot? */
bool same_foot(const piece *a, const piece *b);

/* The points are in memory of the simulation, until the next one is made. */
typedef struct rest_of_piece {
    piece piece;
    carom_vec3 *points;
} rest_of_piece;

bool has_feet(const carom_sim *sim, pair_of_bodies pair, int k);

/* Piece k of body a, which has feet, without the feet that stand on b. False: nothing is left that could touch. */
bool without_feet(const carom_sim *sim, pair_of_bodies pair, int k, rest_of_piece *out);

#endif

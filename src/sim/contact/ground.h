/* What a body stands on: a half-space, a face, or, for a ball, an edge, a corner or a round body. */
#ifndef CAROM_SIM_GROUND_H
#define CAROM_SIM_GROUND_H

#include "sim/motion/motion.h"
#include "sim/shape/feature.h"

/* Is body b something to stand on where it is touched along n: a half-space, or a face of a body that neither moves
 * freely nor turns? */
bool is_ground(const carom_sim *sim, int b, carom_vec3 n);

/* Is it a fixed cylinder or disk, whose flat faces end at a rim? */
bool has_round_face(const carom_sim *sim, int b);

/* The face of a movable body b, as s has it, that is touched along n: its exact normal, and its level from where b is.
 * False: there is none. */
bool moving_face(const carom_sim *sim, int b, const snap *s, carom_vec3 *n, double *level);

/* Is b a movable body, which carries its ground along, or one at rest? */
bool can_carry(const carom_sim *sim, int b);

/* The ground of a ball that touches body b along n, world axes. False: b follows a path, or is nothing to roll on. */
bool round_ground(const carom_sim *sim, int b, carom_vec3 n, ground *out);

/* Does the side of body a, a cylinder or a capsule, lie along a line of the world that presses it evenly about its
 * middle? */
bool lies_along(const carom_sim *sim, int a, const ground *line);

/* The straight ground between two points, or the corner where they are one; without a radius it is sharp. */
ground ground_between(carom_vec3 p, carom_vec3 q, double radius);

/* The edge, or the corner, at which the face of b ends nearest to a point of it. False: b is a half-space, or follows a
 * path. */
bool border_ground(const carom_sim *sim, int b, carom_vec3 n, carom_vec3 point, ground *out);

/* The normal of the face of b that a ball has reached from its edge, where it touches along n. */
bool face_ground(const carom_sim *sim, int b, carom_vec3 n, carom_vec3 *normal);

/* The normal of the face that feature f is, towards n; false: it is none. */
bool face_normal(const carom_sim *sim, const feature *f, carom_vec3 n, carom_vec3 *normal);

typedef struct touch_point {
    carom_vec3 point, normal;
    snap ground; /* where the body of the ground is */
} touch_point;

/* How far a contact is from the end of its face, edge or corner: of a sharp edge also from the faces beside it. */
double inside_ground(const carom_sim *sim, int b, const ground *g, touch_point at);

/* A ground in the axes of the body that carries it. */
ground own_ground(const ground *g, const snap *s);

/* Does a contact of a body of this size that moves with velocity u over a face stay on it? On the border it does unless
 * it moves outwards. */
bool stays_inside(const carom_sim *sim, int b, touch_point at, carom_vec3 u, double size);

#endif

/* Contacts whose touching point moves over both bodies: two edges that cross, and a face on a corner.
 *
 * The foot of such a contact is an edge of body a, a segment with a margin, on an edge of b, a line; or the plane of a
 * face of a, on a corner of b, which does not move. A side of a cylinder is its axis with the radius as margin. */
#ifndef CAROM_SIM_CROSSING_H
#define CAROM_SIM_CROSSING_H

#include "sim/contact/foot.h"
#include "sim/motion/motion.h"

static inline bool is_crossing(const piece *foot)
{
    return foot->kind == CORE_SEGMENT || foot->kind == CORE_HALF_SPACE;
}

/* Feet may be the same and cross different edges. */
static inline bool same_crossing(const closed_contact *x, const closed_contact *y)
{
    return !is_crossing(&x->foot) || vec_distance(x->under.at, y->under.at) <= SAME * x->foot.reach;
}

/* The contact of a body that is touched at a place with body b, which is movable or rests. False: neither edges that
 * cross, nor a face of the first on a corner of b. under is in world axes. */
bool crossing_of(const carom_sim *sim, const touch_place *at, int b, closed_contact *out);

/* The crossings that begin where a corner of one body passes over an edge of the other, with velocity u of the first
 * against the second: with the edges of the corner that lead back. Returns how many; under is in the axes of b where
 * that is movable. */
enum { CORNER_EDGES = 4 };
int crossings_at_corner(const carom_sim *sim, const touch_place *at, int b, carom_vec3 u,
                        closed_contact out[CORNER_EDGES]);

/* Where the two bodies of such a contact are. */
typedef struct crossing_bodies {
    snap at_a, at_b;
} crossing_bodies;

/* How the contact stands: its normal from b to a and the touching point of the core of a from the middle of a, with
 * their rates; the place along the edge of a. */
typedef struct crossing {
    carom_vec3 n, n_rate, arm, arm_rate;
    double along;
} crossing;

/* towards: where the normal points to, about. under is in world axes. */
crossing crossing_at(const piece *foot, const ground *under, const crossing_bodies *x, carom_vec3 towards);

/* How far anything else of the two bodies is from the plane across the normal, which separates them until it arrives:
 * that is their next impact. */
double under_plane(const carom_sim *sim, const closed_contact *c, const ground *under, const crossing_bodies *x);

/* How far the contact is from the end of an edge, or of the face. */
double inside_crossing(const carom_sim *sim, const closed_contact *c, const ground *under, const crossing_bodies *x);

/* Is it the side of a body that lies along a line? */
static inline bool is_side(const carom_sim *sim, const closed_contact *c)
{
    return c->under.kind == GROUND_LINE && c->foot.kind == CORE_POINT &&
           piece_at(sim, c->a, c->piece)->kind != CORE_POINT;
}

/* Do two bodies touch in a contact of one of these kinds? */
bool have_crossing(const carom_sim *sim, int i, int j);

#endif

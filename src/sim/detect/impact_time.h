/* Time of impact of bodies that are not both spheres. docs/theory/motion.md, 3.
 *
 * Along an axis n that turns at the rate n', the gap of two convex bodies a time s from now is at least
 *
 *     L(s) = n.d + s (n'.d + n.w) - K s^2 - h_A(-(n + s (n' + n x w_A))) - h_B(n + s (n' + n x w_B))
 *
 * with support functions h, and K from bounds on accelerations. L is concave and L(0) is the gap along n, so until its
 * only root nothing can touch: steps to that root, with a new axis each time, never pass through, and they converge
 * like Newton's from the left. */
#ifndef CAROM_SIM_IMPACT_TIME_H
#define CAROM_SIM_IMPACT_TIME_H

#include "sim/world/world.h"

/* The first time from t on, up to end, at which bodies i and j touch; infinite: none. skip: they touch at t by
 * definition, and the gap there counts as zero. */
typedef struct search {
    double from, end;
    bool skip;
    carom_vec3 guess; /* an axis that is nearly theirs at from, or zero */
    carom_vec3 axis;  /* out: that of the impact */
    bool touching;    /* out: they touch at from and do not separate */
    double left;      /* out: where a search ended at its bound on steps; else infinite */
} search;

double impact_time(const carom_sim *sim, int i, int j, search *range);

typedef struct found_contact {
    carom_vec3 point, normal; /* from j to i */
    int piece;                /* of i */
    double gap;               /* at a step, where the gaps of the points differ */
} found_contact;

/* A look for the contacts of a step, where features that are nearly parallel touch along their whole length and each
 * point has a gap of its own: the axis that is known of bodies of one piece, or zero, and the gap of the two. */
typedef struct near_look {
    carom_vec3 axis;
    double gap;
} near_look;

/* Where the two touch at time t, once an impact has been found there, or near each other where sim->loose is set: in
 * the list sim->found, until the next search. Returns how many; when memory ends, the simulation knows it. */
int solid_contacts(carom_sim *sim, int i, int j, double t);

static inline const found_contact *found_at(const carom_sim *sim, int k)
{
    return (const found_contact *)sim->found.data + k;
}

/* The axis of the last or next impact of the two, from j to i; zero: none is known. */
carom_vec3 known_axis(const carom_sim *sim, int i, int j);

/* Smallest gap of the two at time t; negative when they overlap (then a lower bound of the depth). axis: in, one that
 * is nearly theirs, or zero; out, theirs, where both have one piece. */
double solid_gap(const carom_sim *sim, int i, int j, double t, carom_vec3 *axis);

#endif

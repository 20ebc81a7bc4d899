/* Features of convex pieces: the corner, edge or face that is furthest along a direction. */
#ifndef CAROM_SIM_FEATURE_H
#define CAROM_SIM_FEATURE_H

#include "sim/shape/piece.h"

enum { FEATURE_POINTS = 8 };

typedef struct feature {
    int count; /* 1: a point, 2: an edge, more: a face, in order around it */
    carom_vec3 point[FEATURE_POINTS];
    carom_vec3 edge[2]; /* directions that lie in it: none, one (unit) or two */
    int edges;
} feature;

/* Everything of the core within an angle of the plane that touches it along d; world axes. A round face is given by
 * four points of its rim. Sines below flat count as zero. */
feature feature_of(const placed *p, carom_vec3 d, double flat);

/* A corner, or the middle of an edge: unlike its first end, a mirror leaves it what it is. */
static inline carom_vec3 feature_middle(const feature *f)
{
    return f->edges == 1 ? carom_vec3_scale(0.5, carom_vec3_add(f->point[0], f->point[1])) : f->point[0];
}

/* The gap of two cores along n. In a planar scene everything has the same z: an axis that leaves the plane finds none.
 */
double gap_along(const placed *a, const placed *b, carom_vec3 n);

enum { CONTACT_POINTS = 8 };

/* Where two pieces with margins touch along n (from B to A): one point, the ends of a segment, or the corners of the
 * common face; returns how many. Sines below flat count as zero. */
#define TOUCH_FLAT 1e-12
#define LOOSE_FLAT 0.02 /* for stepping */
/* The gap at such a point: from the feature of B to that of A, along n. */
double contact_gap_at(const placed *a, const placed *b, carom_vec3 n, double flat, carom_vec3 point);
int contact_points(const placed *a, const placed *b, carom_vec3 n, double flat, carom_vec3 *point);

#endif

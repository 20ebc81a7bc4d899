/* Features of convex pieces: the corner, edge or face that is furthest along a direction. */
#ifndef CAROM_SIM_FEATURE_H
#define CAROM_SIM_FEATURE_H

#include "sim/shape/piece.h"
#include "sim/world/tolerance.h"

enum { FEATURE_POINTS = 4 };

typedef struct feature {
    int count;          /* 1: a point, 2: an edge, more: a face, in order around it */
    carom_vec3 edge[2]; /* directions that lie in it: none, one (unit) or two */
    int edges;
    carom_vec3 point[FEATURE_POINTS]; /* of a face with a loop: its first two corners */
    const int *loop;                  /* corners of the face of a hull; or null */
    const placed *of;                 /* which outlives it */
} feature;

/* Everything of the core within an angle of the plane that touches it along d; world axes. A round face is given by
 * four points of its rim. Sines below flat count as zero. Hulls without faces give three points of theirs at most. */
feature feature_of(const placed *p, carom_vec3 d, double flat);

static inline carom_vec3 feature_point(const feature *f, int k)
{
    if (!f->loop)
        return f->point[k];
    const placed *p = f->of;
    return carom_vec3_add(p->center, from_piece(p, p->points[p->piece->first_point + f->loop[k]]));
}

/* Is a point inside a face, seen along n? */
bool face_holds(const feature *face, carom_vec3 n, carom_vec3 x);

/* The mean of its points. */
carom_vec3 feature_mean(const feature *f);

/* The corner furthest along a direction among those that feature_of would give, all of them: of a hull without faces,
 * too. */
carom_vec3 feature_support(const placed *p, carom_vec3 d, double flat, carom_vec3 along);

/* A corner, or the middle of an edge: unlike its first end, a mirror leaves it what it is. */
static inline carom_vec3 feature_middle(const feature *f)
{
    return f->edges == 1 ? carom_vec3_scale(0.5, carom_vec3_add(f->point[0], f->point[1])) : f->point[0];
}

/* The gap of two cores along n. In a planar scene everything has the same z: an axis that leaves the plane finds none.
 */
double gap_along(const placed *a, const placed *b, carom_vec3 n);

/* Where two pieces with margins touch along n (from B to A): one point, the ends of a segment, or the corners of the
 * common face; returns how many. Sines below flat count as zero. They come in the first of two arrays with room for the
 * corners of both faces. */
int contact_points(const placed *a, const placed *b, carom_vec3 n, double flat, carom_vec3 *room[2]);

/* The gap at such a point: from the feature of B to that of A, along n. */
double contact_gap_at(const placed *a, const placed *b, carom_vec3 n, double flat, carom_vec3 point);

#endif

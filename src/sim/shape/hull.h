/* Faces of the convex hull of points. The search needs no memory: each point is paired with those that may share an
 * edge with it (hull_near), and a face is found at its first corner. The time is that of one look at every pair. */
#ifndef CAROM_SIM_HULL_H
#define CAROM_SIM_HULL_H

#include <math.h>

#include "carom/sim.h"
#include "core/vectors.h"

enum { HULL_CELLS = 8, HULL_WITNESSES = 6 * HULL_CELLS * HULL_CELLS };

/* A face that has been visited and holds many points. A point that is a corner of it shares edges of it with its two
 * neighbours there, and none with what lies between them. */
typedef struct broad_face {
    int corner;
    carom_vec3 normal;
    bool holds;             /* the point whose neighbours are looked for, as a corner between two: */
    carom_vec3 ahead, back; /* to these */
} broad_face;

typedef struct hull_points {
    const carom_vec3 *at;
    int count;
    double size;   /* the largest distance from the first one */
    double flat;   /* points this close to a plane or to a line lie in it */
    bool is_large; /* the rest is for large hulls only */
    carom_vec3 middle;
    carom_sym3 inverse; /* of the second moments about the middle, up to a factor */
    const int *some; /* the only points to look at, in their order: those that may share a face with one; null: all */
    int some_count;
    broad_face broad[8]; /* as many as a prism of six sides has, each with many points; others are looked at again */
    int broad_count;
    int witness[HULL_WITNESSES]; /* the furthest point in each direction of a cube of cells */
} hull_points;

hull_points hull_of(const carom_vec3 *points, int count);

/* Calls visit for each face, with one of its corners and its outward normal (unit), in an order that a mirror keeps. */
typedef void hull_visit(void *context, const hull_points *h, int corner, carom_vec3 normal);
void hull_faces(const hull_points *h, hull_visit *visit, void *context);

/* The next corner of a face after c, counter-clockwise about its normal n; -1: there is none. */
int hull_next(const hull_points *h, int c, carom_vec3 n);

/* Points of a large hull that may share a face with point i, itself among them, in their order, without those that a
 * broad face hides; -1: more than most. */
int hull_near(const hull_points *h, int i, int *near, int most);

/* Does d, from a point to another, lie in the plane of a face of that point? */
static inline bool hull_in_plane(const hull_points *h, carom_vec3 n, carom_vec3 d)
{
    return fabs(carom_vec3_dot(n, d)) <= h->flat;
}

/* Point number k of those to look at. */
static inline int hull_looks(const hull_points *h)
{
    return h->some ? h->some_count : h->count;
}

static inline int hull_look(const hull_points *h, int k)
{
    return h->some ? h->some[k] : k;
}

#endif

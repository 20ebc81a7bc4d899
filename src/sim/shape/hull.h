/* Faces of the convex hull of points. The search needs no memory: every pair of points is asked whether it is an edge,
 * which most pairs are soon known not to be, and a face is found at its first corner. */
#ifndef CAROM_SIM_HULL_H
#define CAROM_SIM_HULL_H

#include "carom/sim.h"

enum { HULL_CELLS = 8, HULL_WITNESSES = 6 * HULL_CELLS * HULL_CELLS };

typedef struct hull_points {
    const carom_vec3 *at;
    int count;
    double size; /* the largest distance from the first one */
    double flat; /* points this close to a plane or to a line lie in it */
    carom_vec3 middle;
    int witness[HULL_WITNESSES]; /* the furthest point in each direction of a cube of cells; of large hulls only */
} hull_points;

hull_points hull_of(const carom_vec3 *points, int count);

/* Calls visit for each face, with one of its corners and its outward normal (unit), in an order that a mirror keeps. */
typedef void hull_visit(void *context, const hull_points *h, int corner, carom_vec3 normal);
void hull_faces(const hull_points *h, hull_visit *visit, void *context);

/* The next corner of a face after c, counter-clockwise about its normal n; -1: there is none. */
int hull_next(const hull_points *h, int c, carom_vec3 n);

#endif

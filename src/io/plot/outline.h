/* Outlines of solids on paper: the silhouette of a convex solid is where its support function takes it, direction by
 * direction. */
#ifndef CAROM_IO_OUTLINE_H
#define CAROM_IO_OUTLINE_H

#include "carom/sim.h"
#include "io/plot/chart.h"

/* The axes of the paper in the world; toward points at the reader. */
typedef struct view {
    carom_vec3 right, up, toward;
} view;

enum { OUTLINE_POINTS = 72, OUTLINE_FACES = 8 };

/* A closed line on paper, or a circle (count 0) about its first point. shade: 0 for what faces the reader, 1 for what
 * lies in shadow. */
typedef struct outline {
    int count;
    point points[OUTLINE_POINTS];
    double radius, shade;
} outline;

/* The point of a solid that is furthest along d, in the frame in which it is given; not for compounds and half-spaces.
 */
carom_vec3 outline_support(const carom_solid *solid, int dim, carom_vec3 d);

/* The silhouette of a placed simple solid, and of a box or cylinder the faces that are seen. Returns how many. */
typedef struct outline_place {
    carom_vec3 position;
    carom_quat orientation;
    int dim;
} outline_place;

int outlines_of(const carom_solid *solid, const outline_place *at, const view *v, outline faces[OUTLINE_FACES]);

#endif

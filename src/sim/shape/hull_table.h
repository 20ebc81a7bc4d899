/* The faces of hulls, found once when a simulation is created. In the plane they are edges. */
#ifndef CAROM_SIM_HULL_TABLE_H
#define CAROM_SIM_HULL_TABLE_H

#include "sim/shape/piece.h"
#include "sim/world/store.h"

typedef struct hull_table {
    store faces, corners; /* hull_face; int */
    store clip, rest;     /* room for the corners of two faces, twice; for the corners of a piece */
    int most_corners;     /* of a face */
    int most_points;      /* of a hull */
    carom_solid weighed;  /* the last hull that was weighed, while the simulation is made ... */
    carom_vec3 centre;    /* ... and its centre */
} hull_table;

/* Are two solids hulls of the same points? */
bool hull_is_same(const carom_solid *a, const carom_solid *b);

/* Adds the faces of hull p, whose points these are. False: memory ends. */
bool hull_table_add(hull_table *t, const carom_memory *memory, int dim, const carom_vec3 *points, piece *p);

/* The tables move no more: pieces and faces get their addresses. False: memory ends. */
bool hull_table_link(hull_table *t, const carom_memory *memory, piece *pieces, size_t count);

#endif

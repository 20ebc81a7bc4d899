/* Carom: triangle meshes from STL, OBJ and PLY. Library carom-io; not part of carom/carom.h.
 *
 *     carom_mesh mesh;
 *     char why[CAROM_MESH_MESSAGE];
 *     if (!carom_mesh_load("rock.stl", &mesh, why))
 *         puts(why);                                  one line: file, line, what is wrong
 *     carom_mesh_measure measure = carom_mesh_measure_of(&mesh);
 *     if (carom_mesh_is_closed(&measure)) ...          volume, centre and inertia are exact
 *     carom_mesh_free(&mesh);
 *
 * Points with the same coordinates are one point. */
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/export.h"
#include "carom/sim.h"
#include "carom/vec.h"

CAROM_BEGIN

enum { CAROM_MESH_MESSAGE = 256, CAROM_MESH_TRIANGLES = 2000000 }; /* the most that is read */

typedef struct carom_mesh {
    carom_vec3 *points;
    int *triangles; /* three numbers of points each, counter-clockwise seen from outside */
    int point_count, triangle_count;
} carom_mesh;

/* Read a mesh from bytes; the ending of the name tells the format. False: why has one line. */
CAROM_API CAROM_MUST_USE bool carom_mesh_read(const char *name, const char *bytes, size_t length, carom_mesh *mesh,
                                              char why[CAROM_MESH_MESSAGE]);
CAROM_API CAROM_MUST_USE bool carom_mesh_load(const char *path, carom_mesh *mesh, char why[CAROM_MESH_MESSAGE]);
CAROM_API void carom_mesh_free(carom_mesh *mesh);

/* What is wrong with a mesh, and what a homogeneous body inside it has, by the divergence theorem over its triangles:
 * exact for a closed mesh, without a meaning for others. */
typedef struct carom_mesh_measure {
    long open_edges;    /* of one triangle only: a hole */
    long flipped_edges; /* which both triangles follow in the same direction: one of them faces inwards */
    long crowded_edges; /* of three or more triangles: not a manifold */
    long empty;         /* triangles without area */
    long crossings;     /* pairs of triangles that cut each other; -1: not looked for, beyond 50,000 triangles */
    bool inside_out;    /* the volume is negative: all triangles face inwards */
    bool out_of_memory; /* nothing below has been found */
    double volume, area;
    carom_vec3 centre;
    carom_sym3 inertia; /* about the centre, of density 1 */
    carom_vec3 low, high;
} carom_mesh_measure;

CAROM_API carom_mesh_measure carom_mesh_measure_of(const carom_mesh *mesh);

/* Neither holes nor flipped faces nor edges of three triangles. */
CAROM_API bool carom_mesh_is_closed(const carom_mesh_measure *m);

/* The corners of the convex hull, to be freed, and its volume. Null: the points span no volume, or memory ends. */
CAROM_API carom_vec3 *carom_mesh_hull(const carom_vec3 *points, int count, int *corners, double *volume);

/* A closed mesh as convex parts that cover it and do not overlap: boxes cut it, and each part is the hull of what lies
 * in one box. The sum of their volumes exceeds the volume of the mesh by error, as a share. */
typedef struct carom_mesh_parts {
    carom_part *parts; /* hulls in the frame of the mesh, at the places of their centres of mass; density 1 */
    int part_count;
    double error;
} carom_mesh_parts;

/* Until the error is below one, or there are so many parts. False: memory ends, or the mesh has no volume. */
CAROM_API CAROM_MUST_USE bool carom_mesh_decompose(const carom_mesh *mesh, double error, int most,
                                                   carom_mesh_parts *out);
CAROM_API void carom_mesh_parts_free(carom_mesh_parts *parts);

CAROM_END

#endif

/* Convex pieces: what bodies are made of for collisions.
 *
 * A piece is a core, known by its support function, and a margin around it: a sphere is a point with a margin, a
 * capsule a segment with one. Distances are between cores, less the margins. */
#ifndef CAROM_SIM_PIECE_H
#define CAROM_SIM_PIECE_H

#include <stdbool.h>

#include "carom/sim.h"
#include "core/vectors.h"

typedef enum core_kind {
    CORE_POINT,
    CORE_SEGMENT,   /* half length size[0] along z */
    CORE_BOX,       /* half lengths */
    CORE_CYLINDER,  /* radius, half length */
    CORE_CONE,      /* radius, z of the base, z of the apex */
    CORE_DISK,      /* radius */
    CORE_ELLIPSOID, /* semi-axes */
    CORE_HULL,      /* points */
    CORE_HALF_SPACE /* normal size[0..2] in offset; handled apart */
} core_kind;

enum { BOX_POINTS = 8 }; /* the most corners of a piece that is no hull */

/* A face of a hull: its corners in order around it, as numbers of points of the hull. */
typedef struct hull_face {
    carom_vec3 normal; /* unit, outwards; axes of the piece */
    const int *corner;
    int first, count; /* in the corners of the simulation */
    int far[2];       /* corners that span it best with the first one */
} hull_face;

typedef struct piece {
    core_kind kind;
    double size[3];
    double margin;
    carom_vec3 offset; /* of its frame in the body; half-space: its normal */
    carom_quat turn;
    bool is_plain;                /* neither moved nor turned in the body */
    bool is_flat;                 /* of a planar scene: no axis along z separates it from anything */
    int first_point, point_count; /* hull: in the points of the simulation */
    const hull_face *faces;       /* of the same; or null */
    int first_face, face_count;
    double reach; /* largest distance of its surface from the body's centre */
} piece;

/* A piece placed in the world. */
typedef struct placed {
    const piece *piece;
    const carom_vec3 *points; /* of a hull */
    carom_vec3 center;
    carom_quat q;       /* piece to world */
    carom_vec3 axis[3]; /* of the piece, in the world: the columns of q as a matrix */
} placed;

static inline void set_axes(placed *p)
{
    double w = p->q.w, x = p->q.x, y = p->q.y, z = p->q.z;
    p->axis[0] = carom_vec3_make(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    p->axis[1] = carom_vec3_make(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    p->axis[2] = carom_vec3_make(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
}

/* From the world to the axes of the piece, and back. */
static inline carom_vec3 to_piece(const placed *p, carom_vec3 v)
{
    return carom_vec3_make(carom_vec3_dot(p->axis[0], v), carom_vec3_dot(p->axis[1], v), carom_vec3_dot(p->axis[2], v));
}

static inline carom_vec3 from_piece(const placed *p, carom_vec3 v)
{
    const carom_vec3 *e = p->axis;
    return carom_vec3_make(v.x * e[0].x + v.y * e[1].x + v.z * e[2].x, v.x * e[0].y + v.y * e[1].y + v.z * e[2].y,
                           v.x * e[0].z + v.y * e[1].z + v.z * e[2].z);
}

/* The point of the core furthest along d (any length), world axes. */
carom_vec3 support(const placed *p, carom_vec3 d);

/* The same in the axes of the piece. */
carom_vec3 core_support(const piece *p, const carom_vec3 *points, carom_vec3 d);

/* H v: how the support point moves over a smooth core when the direction d (unit, piece axes) turns at the rate v.
 * Corners stay; flat faces and straight edges jump, which this does not see. */
carom_vec3 core_support_rate(const piece *p, carom_vec3 d, carom_vec3 v);

/* The core of a simple solid and its margin; false for compounds and half-spaces. */
bool piece_of(const carom_solid *solid, int dim, piece *p);

/* The largest distance of a point of the core from the centre of the body: what rotation can move. */
static inline double lever(const piece *p)
{
    return p->kind == CORE_POINT && p->is_plain ? 0 : p->reach;
}

#endif

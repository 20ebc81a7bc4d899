/* The axis between two pieces: along it they are furthest apart. */
#ifndef CAROM_SIM_AXIS_H
#define CAROM_SIM_AXIS_H

#include "sim/shape/piece.h"

typedef struct axis_between {
    carom_vec3 n; /* unit, from B to A */
    double gap;   /* of the cores along n: their distance; when they overlap, a negative number */
    bool is_exact;
} axis_between;

/* guess: a direction to begin with, or zero. share: of the gap of the surfaces, by which it may be too small where the
 * pieces are not close, and the axis is not exact; zero: to rounding. */
axis_between near_axis(const placed *a, const placed *b, carom_vec3 guess, double share);

#define GAP_SHARE 0.2 /* of a gap: how well it is known to begin with, and in a search */
#define AXIS_TURN 0.5 /* rad: an axis that turns further is another one */

/* Two pieces at one instant, with an axis between them. */
typedef struct meeting {
    placed a, b;
    bool plane;         /* b is a half-space */
    carom_vec3 d, w, g; /* of the centre of body A against that of body B */
    carom_vec3 xa, xb;  /* the centres */
    carom_vec3 wa, wb;
    double carried; /* speed of ground that follows a path: differences to it are rounded */
    double bound;   /* on rotational accelerations, and others that are not constant */
    double margin;
    carom_vec3 n;
    double gap;    /* along n */
    bool is_exact; /* n is the axis of the nearest points; of a half-space: false, there is nothing to find */
} meeting;

/* How the axis of a meeting turns: nearest points stay along it, and it stays perpendicular to edges. */
carom_vec3 axis_rate(const meeting *m);

#endif

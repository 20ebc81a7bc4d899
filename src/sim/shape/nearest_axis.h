/* The axis between two pieces: along it they are furthest apart. */
#ifndef CAROM_SIM_AXIS_H
#define CAROM_SIM_AXIS_H

#include "sim/detect/meeting.h"

typedef struct axis_between {
    carom_vec3 n; /* unit, from B to A */
    double gap;   /* of the cores along n: their distance; when they overlap, a negative number */
    bool is_exact;
} axis_between;

/* guess: a direction to begin with, or zero. share: of the gap of the surfaces, by which it may be too small where the
 * pieces are not close, and the axis is not exact; zero: to rounding. */
axis_between near_axis(const placed *a, const placed *b, carom_vec3 guess, double share);

/* How the axis of a meeting turns: nearest points stay along it, and it stays perpendicular to edges. */
carom_vec3 axis_rate(const meeting *m);

#endif

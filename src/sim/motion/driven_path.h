/* Fixed bodies that follow a path: carom_drive, prepared.
 *
 * Their motion is a function of time, evaluated wherever it is needed: a track without pieces. Bounds on accelerations
 * hold for all time, so that the search for an impact keeps its proof across the points of a path. */
#ifndef CAROM_SIM_DRIVEN_H
#define CAROM_SIM_DRIVEN_H

#include "sim/world/world.h"

/* Number k of four: x, y, z and the angle; x(t0 + h s) = c0 + s (c1 + s (c2 + s c3)). */
enum { DRIVEN_ROWS = 4 };
typedef struct driven_cubic {
    double t0, h, c[DRIVEN_ROWS][4];
} driven_cubic;

typedef struct driven {
    const carom_drive *def;
    carom_vec3 x; /* middle of a swing */
    carom_quat q; /* not turned */
    carom_vec3 axis;
    driven_cubic *way; /* between points: point_count - 1 of them */
    carom_vec3 home;   /* the centre of the body stays within the distance reach of this place */
    double reach;      /* infinite: it does not */
    track track;
} driven;

/* Check and prepare the paths of all fixed bodies, whose movers have been made: the error names the body. */
carom_status driven_make(carom_sim *sim);

static inline const driven *driven_of(const carom_sim *sim, int i)
{
    const track *k = mover_of(sim, i)->track;
    return k ? k->driven : NULL;
}

/* Does it turn at any time? */
bool driven_turns(const driven *d);

carom_vec3 driven_accel(const driven *d, double t);
carom_vec3 driven_alpha(const driven *d, double t); /* angular acceleration */

/* The next time after t at which its acceleration jumps; infinite: none. */
double driven_next(const driven *d, double t);

#endif

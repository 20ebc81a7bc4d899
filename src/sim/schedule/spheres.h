/* Spheres in free flight: of all predictions the most frequent, and the cheapest.
 *
 * Spheres with the same acceleration move in straight lines against each other; nothing but places, velocities, times
 * and radii of the neighbours is read. */
#ifndef CAROM_SIM_GAS_H
#define CAROM_SIM_GAS_H

#include "sim/detect/cells.h"
#include "sim/schedule/forecast.h"

/* An impact with body j at time t, into the list of an outlook. */
static inline void foresee(const carom_sim *sim, outlook *o, int j, double t)
{
    if (!(t < o->bound))
        return;
    if (o->count == MEETINGS) {
        o->bound = max(t, o->meet[MEETINGS - 1].time);
        if (t >= o->meet[MEETINGS - 1].time)
            return;
        o->count--;
    }
    int k = o->count++;
    for (; k > 0 && t < o->meet[k - 1].time; k--)
        o->meet[k] = o->meet[k - 1];
    o->meet[k] = (encounter){t, j, mover_of(sim, j)->version};
}

/* B = d.w of two spheres that touched when their motions began. */
static inline double approach_after_touching(const mover *a, const mover *b, double B)
{
    double speed = carom_vec3_dot(a->v, a->v) + carom_vec3_dot(b->v, b->v), reach = a->radius + b->radius;
    return B * B <= TOUCH_TOL * TOUCH_TOL * reach * reach * speed ? 0 : B;
}

/* The impacts of body i, not before t, with the spheres in a block of cells around it. */
void gas_foresee(carom_sim *sim, int i, const cell_block *block, double t);

#endif

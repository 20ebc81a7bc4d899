/* The facets of meshes that a body touches, or comes to. */
#ifndef CAROM_SIM_FACETS_H
#define CAROM_SIM_FACETS_H

#include "sim/detect/near.h"

/* Calls visit for every facet whose box is within reach of the ball around body i now, and within rounding of it. */
void visit_facets(carom_sim *sim, int i, double reach, visitor *visit, void *context);

/* There are some. Calls visit for the facets that the ball around body i may come to from time t on, near ones first,
 * until the bound of its outlook, which visit may lower. */
void visit_facets_ahead(carom_sim *sim, int i, double t, visitor *visit, void *context);

/* A lower bound of the gap of two bodies, from the balls that hold them. */
static inline double ball_gap(const carom_sim *sim, int i, int j, double t)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    return vec_distance(mover_position(a, t), mover_position(b, t)) - a->radius - b->radius;
}

#endif

/* Bodies near each other, and their gaps. */
#ifndef CAROM_SIM_NEAR_H
#define CAROM_SIM_NEAR_H

#include "sim/detect/cells.h"

/* Gap of two bodies at time t: distance of their surfaces, negative when they overlap. */
double gap_at(const carom_sim *sim, int i, int j, double t);

/* A lower bound of it, from the balls that hold the bodies. */
double balls_gap_at(const carom_sim *sim, int i, int j, double t);

/* The gap, from an axis from j to i that is nearly theirs, or zero; out: theirs, where both have one piece. */
double gap_from(const carom_sim *sim, int i, int j, double t, carom_vec3 *axis);

/* Call visit for every body that may touch body i now: all immovable ones and its neighbours, which are all movable
 * ones or those of the cells beside its own. */
typedef void visitor(carom_sim *sim, int i, int j, void *context);
void visit_cells(carom_sim *sim, int i, visitor *visit, void *context);

static inline void visit_fixed(carom_sim *sim, int i, visitor *visit, void *context)
{
    const int *fixed = store_ints(&sim->fixed);
    for (size_t k = 0; k < sim->fixed.count; k++)
        visit(sim, i, fixed[k], context);
}

static inline void visit_near(carom_sim *sim, int i, visitor *visit, void *context)
{
    const int *movable = store_ints(&sim->movable);
    visit_fixed(sim, i, visit, context);
    if (has_cells(sim)) {
        visit_cells(sim, i, visit, context);
        return;
    }
    for (size_t k = 0; k < sim->movable.count; k++)
        if (movable[k] != i)
            visit(sim, i, movable[k], context);
}

#endif

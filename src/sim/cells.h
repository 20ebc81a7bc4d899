/* A grid without borders: the cell of a point is three integers, and cells are found by hashing them, unless the scene
 * repeats. A body's bounding
 * ball is no wider than a cell, so bodies that touch are in neighbouring cells. */
#ifndef CAROM_SIM_CELLS_H
#define CAROM_SIM_CELLS_H

#include "sim/world.h"

#define CELL_MARGIN 1.05  /* cells are this much wider than the largest body */
enum { CELLS_FROM = 48 }; /* movable bodies; fewer are compared with each other */

static inline bool has_cells(const carom_sim *sim)
{
    return sim->cells.count > 0;
}

/* Put every movable body into its cell; false when memory ends. */
bool cells_build(carom_sim *sim);

/* Body i has crossed into the cell that holds its centre now. */
void cells_move(carom_sim *sim, int i, double t);

/* When body i leaves its cell, not before t. */
double cells_leave(const carom_sim *sim, int i, double t);

/* Where the bodies of a cell are listed: a place of its own in a scene that repeats, else one found by hashing. */
static inline size_t cells_place(const carom_sim *sim, const int home[3])
{
    const int *n = sim->cell_period;
    if (sim->dense)
        return ((size_t)home[2] * (size_t)n[1] + (size_t)home[1]) * (size_t)n[0] + (size_t)home[0];
    uint32_t h = (uint32_t)home[0] * 73856093u ^ (uint32_t)home[1] * 19349663u ^ (uint32_t)home[2] * 83492791u;
    h ^= h >> 15;
    return h & (uint32_t)(sim->buckets.count - 1);
}

/* First body in the bucket of a cell, and whether a body in there is in that very cell. */
static inline int cells_bucket(const carom_sim *sim, const int home[3])
{
    return store_ints(&sim->buckets)[cells_place(sim, home)];
}

static inline bool cells_holds(const carom_sim *sim, const cell *c, const int home[3])
{
    return sim->dense || (c->home[0] == home[0] && c->home[1] == home[1] && c->home[2] == home[2]);
}

/* The cell a step of -1, 0 or 1 along an axis from this one. */
static inline int cells_beside(const carom_sim *sim, int home, int step, int axis)
{
    int k = home + step, period = sim->cell_period[axis];
    return period <= 0 ? k : k < 0 ? k + period : k >= period ? k - period : k;
}

#endif

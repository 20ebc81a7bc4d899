/* A grid without borders: the cell of a point is three integers, and the grid repeats after some cells, as the scene
 * does where it has a period. A body's bounding ball is no wider than a cell, so bodies that touch are in neighbouring
 * cells. */
#ifndef CAROM_SIM_CELLS_H
#define CAROM_SIM_CELLS_H

#include "sim/world/world.h"

#define CELL_MARGIN 1.05  /* cells are this much wider than the largest body */
enum { CELLS_FROM = 48 }; /* movable bodies; fewer are compared with each other */

/* A block of cells, as steps from the cell of a body along each axis. */
typedef struct cell_block {
    int low[3], high[3];
} cell_block;

static const cell_block cells_around = {{-1, -1, -1}, {1, 1, 1}};

static inline bool has_cells(const carom_sim *sim)
{
    return sim->cells.count > 0;
}

static inline cell *cell_of(const carom_sim *sim, int i)
{
    return (cell *)sim->cells.data + i;
}

/* Are all movable bodies spheres that fall freely now, in cells? */
static inline bool is_gas(const carom_sim *sim)
{
    return sim->all_spheres && has_cells(sim) && !sim->is_narrow && !sim->stepped && !sim->closed.count &&
           !sim->tracks.count && !sim->ghosts.count && !sim->assemblies.count && !sim->facets.nodes.count;
}

/* Put every movable body into its cell; false when memory ends. */
bool cells_build(carom_sim *sim);

/* Body i has crossed into the cell that holds its centre now: the cells that have become its neighbours. */
cell_block cells_move(carom_sim *sim, int i, double t);

/* When body i leaves its cell, not before t. */
double cells_leave(const carom_sim *sim, int i, double t);

/* A step of -1, 0 or 1 along an axis, wrapped. */
static inline int cells_beside(const carom_sim *sim, int home, int step, int axis)
{
    int k = home + step, count = sim->cell_count[axis];
    return k < 0 ? k + count : k >= count ? k - count : k;
}

static inline bucket *cells_bucket(const carom_sim *sim, int x, int y, int z)
{
    const int *n = sim->cell_count;
    return (bucket *)sim->buckets.data + (((size_t)z * (size_t)n[1] + (size_t)y) * (size_t)n[0] + (size_t)x);
}

/* The list of the bodies of a full bucket beyond its first ones. */
static inline int *cells_others(const carom_sim *sim, const bucket *b)
{
    return &cell_of(sim, b->body[BUCKET_FIRST - 1])->next;
}

/* Where the cells of a block are along each axis, as distances in the list of buckets that add up. */
typedef struct cell_steps {
    int count[3];
    size_t at[3][3];
} cell_steps;

static inline void cells_steps(const carom_sim *sim, int i, const cell_block *block, cell_steps *out)
{
    const int *home = cell_of(sim, i)->home;
    size_t stride = 1;
    for (int axis = 0; axis < 3; axis++) {
        out->count[axis] = block->high[axis] - block->low[axis] + 1;
        for (int k = 0; k < out->count[axis]; k++)
            out->at[axis][k] = stride * (size_t)cells_beside(sim, home[axis], block->low[axis] + k, axis);
        stride *= (size_t)sim->cell_count[axis];
    }
}

/* Where the buckets of row y and layer z of a block begin. */
static inline const bucket *cells_row(const carom_sim *sim, const cell_steps *steps, int y, int z)
{
    return (const bucket *)sim->buckets.data + steps->at[2][z] + steps->at[1][y];
}

/* Bodies of one bucket may be in cells far from each other, unless the scene repeats with the grid. */
static inline bool cells_are_near(const carom_sim *sim, const cell *a, const cell *b)
{
    for (int k = 0; k < 3; k++) {
        int step = a->at[k] - b->at[k];
        if (!sim->cell_repeats[k] && (step < -1 || step > 1))
            return false;
    }
    return true;
}

#endif

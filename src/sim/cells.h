/* A grid without borders: the cell of a point is three integers, and cells are found by hashing them. A body's bounding
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

/* First body in the bucket of a cell, and whether a body is in that very cell. */
int cells_bucket(const carom_sim *sim, const int home[3]);
bool cells_holds(const carom_sim *sim, int body, const int home[3]);

/* The cell a step of -1, 0 or 1 along an axis from this one. */
int cells_beside(const carom_sim *sim, int home, int step, int axis);

#endif

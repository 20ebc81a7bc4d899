/* Islands: movable bodies that closed contacts connect, and that move together. */
#ifndef CAROM_SIM_ISLAND_H
#define CAROM_SIM_ISLAND_H

#include "sim/motion/sim_linkage.h"

enum { ISLAND_BODIES = 4 }; /* more are stepped: docs/theory/motion.md, 5 */

typedef struct island {
    int count;
    int body[ISLAND_BODIES];
} island;

static inline island island_alone(int i)
{
    island one = {1, {i}};
    return one;
}

static inline int island_find(const island *x, int i)
{
    for (int m = 0; m < x->count; m++)
        if (x->body[m] == i)
            return m;
    return -1;
}

/* Bodies that joints hold belong to one island; those of more than it has room for are stepped where they rest. */
static inline bool may_rest(const carom_sim *sim, int i)
{
    return !is_jointed(sim, i) || assembly_at(sim, frame_of(sim, i)->assembly)->count <= ISLAND_BODIES;
}

/* Adds body i unless it is there; false: there is no room. */
bool island_add(island *x, int i);

/* Body i and all that closed contacts and joints connect it with. */
island island_of(const carom_sim *sim, int i);

/* Does a closed contact connect bodies i and j? */
bool are_closed(const carom_sim *sim, int i, int j);

/* The states of the bodies at time t, one after the other. */
void island_state(const carom_sim *sim, const island *x, double t, double *y);

#endif

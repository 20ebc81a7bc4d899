/* Collocation by Newton's method, where slips are so slow that their directions make the motion stiff. */
#ifndef CAROM_SIM_COLLOCATE_NEWTON_H
#define CAROM_SIM_COLLOCATE_NEWTON_H

#include "sim/rest/ride.h"

/* Room for the rates of the state at all nodes, in the arena. */
static inline void take_nodes(const ride *r, node_rates f)
{
    for (int j = 0; j < GAUSS_NODES; j++)
        f[j] = TAKE(r->arena, double, ride_states(r));
}

/* Rates f at all nodes of a piece of length h from the state y, from a first guess; size: of the parts of the state.
 * False: no convergence. */
bool collocate_newton(ride *r, const double *y, double h, const double *size, node_rates f);

#endif

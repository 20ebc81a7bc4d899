/* Collocation by Newton's method, where slips are so slow that their directions make the motion stiff. */
#ifndef CAROM_SIM_COLLOCATE_NEWTON_H
#define CAROM_SIM_COLLOCATE_NEWTON_H

#include "sim/ride.h"

/* Rates f at all nodes of a piece of length h from the state y, from a first guess; size: of the parts of the state.
 * False: no convergence. */
bool collocate_newton(ride *r, const double y[STATE], double h, const double size[STATE], double f[GAUSS_NODES][STATE]);

#endif

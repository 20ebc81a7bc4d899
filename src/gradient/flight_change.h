/* How the end of a free flight changes with its beginning. Rotations are small turns phi in world axes.
 *
 *     dx + s dv,  dv                              and s^2/2, s times a change of gravity, for bodies that fall
 *     (phi, dw) = turn (phi_0, dw_0)
 *
 * With the angular momentum L, which stays, phi' = I^-1 (dL - phi x L). */
#ifndef CAROM_SIM_FLIGHT_CHANGE_H
#define CAROM_SIM_FLIGHT_CHANGE_H

#include "sim/motion/motion.h"

enum { TURN = 6 };

typedef struct flight_change {
    double s;
    bool falls;
    double turn[TURN * TURN];
} flight_change;

/* A body at one end of a flight: inertia in world axes. */
typedef struct flight_end {
    double time;
    snap at;
    carom_sym3 inertia, inv_inertia;
} flight_end;

/* False when the body turns more often than FLIGHT_STEPS allows. */
bool flight_change_of(const moments *m, const flight_end *from, const flight_end *to, flight_change *out);

#endif

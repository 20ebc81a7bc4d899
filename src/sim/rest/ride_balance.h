/* Modes of several closed contacts at once, where some of them do not slip yet. */
#ifndef CAROM_SIM_RIDE_BALANCE_H
#define CAROM_SIM_RIDE_BALANCE_H

#include "sim/rest/ride.h"

/* Contacts that slip keep their direction; all others open, stick or begin to slip, as the acceleration problem with
 * Coulomb friction decides. False: no balance was found, and the modes are as before. */
bool ride_balance(ride *r, const double *y);

/* Does a contact slip so that a normal force, with its friction, presses it on (Painleve)? Says so of each. */
bool any_jams(ride *r, const double *y);

/* The directions of slips that begin, as they are at the state y: each goes where it is accelerated to. */
void turn_onsets(ride *r, const double *y);

#endif

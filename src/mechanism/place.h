/* The parts of carom_motion_place that the integrator calls by themselves. */
#ifndef CAROM_MECHANISM_PLACE_H
#define CAROM_MECHANISM_PLACE_H

#include "carom/mechanism.h"

/* carom_motion_place for finite coordinates whose quaternions are nearly unit; q is not changed. */
carom_status carom_motion_compute(carom_motion *motion);

/* Bring the quaternions in q to unit length; true when any changed. */
bool carom_motion_normalise(const carom_mechanism *mechanism, double *q);

#endif

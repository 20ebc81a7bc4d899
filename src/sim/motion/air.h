/* Forces of fields: drag, the Magnus force, wind. The formula is that of carom_fields. */
#ifndef CAROM_SIM_AIR_H
#define CAROM_SIM_AIR_H

#include "sim/world/world.h"

typedef struct wrench {
    carom_vec3 F, M; /* force, and moment about the centre of mass */
} wrench;

/* On a body with these velocities, gravity not included. */
wrench field_wrench(const carom_fields *f, carom_vec3 v, carom_vec3 w);

/* How fast these forces change the velocities of such a body, 1/s: no term of the equations is faster. strength is the
 * size of its accelerations. */
double field_rate(const carom_fields *f, const carom_body *body, double strength);

/* Writes the work of the fields along a piece of motion into its works. */
void field_work(const carom_fields *f, track *k);

/* CAROM_STATUS_NOT_FINITE, or CAROM_STATUS_OUT_OF_RANGE for a drag below zero. */
carom_status fields_check(const carom_fields *f);

/* The fields that act on body i: its own, or those of the scene; none on a fixed one. */
carom_status fields_take(carom_sim *sim, int i);

#endif

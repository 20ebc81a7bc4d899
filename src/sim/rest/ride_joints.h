/* Members of an island that joints hold: forces of the joints are part of how bodies answer to all others. */
#ifndef CAROM_SIM_RIDE_JOINTS_H
#define CAROM_SIM_RIDE_JOINTS_H

#include "sim/rest/ride_equations.h"

/* The linkage of the bodies, in the memory of the simulation, until another one is made there; true also where no joint
 * holds any of them. */
bool ride_link(carom_sim *sim, const island *bodies, carom_linkage *l, bool *held);

/* Accelerations at the state y without contacts, and the response W - W G^T (G W G^T)^-1 G W. */
void hold_members(const ride *r, const double *y, dynamics *d);

/* That response to forces and moments. */
void respond_held(const ride *r, const dynamics *d, const double *force, carom_vec3 *v, carom_vec3 *w);

/* What integration has left of gaps in the joints, and of velocities that open them. */
void ride_close_joints(const ride *r, double *y);

/* What a unit of force at contact k, along each of three axes, makes of all members; in the arena. */
double *held_answers(const ride *r, const dynamics *d, int k, const carom_vec3 axis[3]);

/* Feet of two bodies beside their joint, on one place: they carry one load, and which of them does changes with every
 * digit. Stepping takes over. */
bool feet_meet(const ride *r, const double *y);

#endif

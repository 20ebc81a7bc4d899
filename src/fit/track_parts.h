/* What the files about recorded motions share. */
#ifndef CAROM_FIT_TRACK_PARTS_H
#define CAROM_FIT_TRACK_PARTS_H

#include "carom/tracked.h"

/* The rotation vector of a quaternion, of length up to pi, and back. */
carom_vec3 rotation_vector(carom_quat q);
carom_quat rotation_by(carom_vec3 r);

/* The centre of the sphere of point i, body axes, from the tracked centre. */
carom_vec3 tracked_centre(const carom_tracked *body, int i);

/* I^-1 m, both over the mass, body axes; about z alone in the plane. */
carom_vec3 tracked_spin(const carom_tracked *body, carom_vec3 moment);

/* Frames that the recording lacks between two flights, whose frames are counted without them; 0 where that is not
 * clear.
 */
int missing_between(const carom_tracked *body, const carom_track_impact *m);

#endif

/* How the surface of a body is curved where it is touched. */
#ifndef CAROM_SIM_SURFACE_AT_H
#define CAROM_SIM_SURFACE_AT_H

#include "derivative/saltation.h"
#include "sim/motion/motion.h"

/* A place on the surface of a body: outward is the normal there, out of the body; tangents as at the contact. */
typedef struct surface_place {
    int body;
    snap at;
    carom_vec3 point, outward;
    const carom_frame *frame;
} surface_place;

/* False when no piece of the body has its surface there. */
bool surface_at(const carom_sim *sim, const surface_place *where, surface *out);

#endif

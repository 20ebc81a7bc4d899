/* The forces of the last step, by pairs of bodies: where the sweeps of the next one begin. */
#ifndef CAROM_SIM_WARM_START_H
#define CAROM_SIM_WARM_START_H

#include "sim/resolve/contact_sweep.h"

typedef struct warm {
    int b, next; /* the other body; the next of the same first body, or -1 */
    bool used;
    carom_vec3 F, arm, n; /* on the first body, world axes; where; the normal */
} warm;

/* Begin from what is known of the contact: the impulse of row r over a time h, and the velocities it makes. */
void warm_start(carom_sim *sim, const touching *c, double h, sweep_row *r, sweep_body *bodies);

/* The axis of bodies a and b in their last step, or zero. */
carom_vec3 warm_axis(const carom_sim *sim, int a, int b);

/* Keep the forces of the contacts from first on, whose rows have impulses over a time h. */
void warm_keep(carom_sim *sim, const sweep_row *rows, size_t first, double h);

#endif

/* Flight through the air. */
#ifndef CAROM_SIM_AIR_FLIGHT_H
#define CAROM_SIM_AIR_FLIGHT_H

#include "sim/world/world.h"

/* Body i, which fields act on, begins a piece of flight at t from where it is. Does nothing for any other body, nor
 * while contacts, joints or steps move it. */
carom_status fly(carom_sim *sim, int i, double t);

/* Are there bodies that fly otherwise than on a parabola? */
static inline bool has_flights(const carom_sim *sim)
{
    return sim->forced || sim->assemblies.count > 0;
}

/* All of them whose motion has changed at this instant. */
carom_status fly_all(carom_sim *sim, double t);

#endif

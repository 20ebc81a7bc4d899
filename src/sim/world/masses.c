#include "sim/world/masses.h"

enum { LAST_MASSES = 8 }; /* the last ones of the list */

int masses_number(carom_sim *sim, carom_body body)
{
    carom_vec3 none = {0, 0, 0};
    const carom_body *known = sim->cores.data;
    body.position = body.velocity = body.omega = none;
    for (size_t k = sim->cores.count; k > 0 && k + LAST_MASSES > sim->cores.count; k--)
        if (memcmp(&known[k - 1], &body, sizeof body) == 0)
            return (int)k - 1;
    carom_body *kept = store_push(&sim->cores, &sim->memory);
    if (!kept)
        return -1;
    *kept = body;
    return (int)sim->cores.count - 1;
}

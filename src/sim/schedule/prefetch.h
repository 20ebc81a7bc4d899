/* The calendar knows which bodies have an event soon: what these events will read is fetched into the cache before.
 * Fetching changes no number. */
#ifndef CAROM_SIM_FETCH_H
#define CAROM_SIM_FETCH_H

#include "sim/world/world.h"

static inline void fetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

/* A day begins: fetch for the days after it. */
void fetch_ahead(const carom_sim *sim);

#endif

/* Movable bodies in a binary heap, ordered by the time of their next event and then by their number. */
#ifndef CAROM_SIM_QUEUE_H
#define CAROM_SIM_QUEUE_H

#include "sim/world.h"

/* Body i has a new next event. */
void queue_set(carom_sim *sim, int i, const next_event *event);

/* The body whose event comes first, or -1. */
int queue_first(const carom_sim *sim);

#endif

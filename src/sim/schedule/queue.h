/* Movable bodies, ordered by the time of their next event and then by their number. Bodies whose event is near are in a
 * binary heap; the others wait for their day in lists, so that an event costs the same for any number of bodies (a
 * bounded priority queue: G. Paul, J. Comput. Phys. 221, 615-625, 2007). */
#ifndef CAROM_SIM_QUEUE_H
#define CAROM_SIM_QUEUE_H

#include "sim/world/world.h"

/* An empty queue of the movable bodies; false when memory ends. */
bool queue_make(carom_sim *sim);

/* Days of a length that fits the events that are known now. */
void queue_lay_out(carom_sim *sim);

/* The next event of body i comes at time t; infinite: there is none. */
void queue_set(carom_sim *sim, int i, double t);

/* An event is going to be set at time t: the day that it waits for is fetched. */
void queue_fetch(const carom_sim *sim, double t);

/* The body whose event comes first, or -1. */
int queue_first(const carom_sim *sim);

#endif

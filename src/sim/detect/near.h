/* Bodies near each other, and their gaps. */
#ifndef CAROM_SIM_NEAR_H
#define CAROM_SIM_NEAR_H

#include "sim/world/world.h"

/* Gap of two bodies at time t: distance of their surfaces, negative when they overlap. */
double gap_at(const carom_sim *sim, int i, int j, double t);

/* Call visit for every body that may touch body i now: all immovable ones and its neighbours. */
typedef void visitor(carom_sim *sim, int i, int j, void *context);
void visit_near(carom_sim *sim, int i, visitor *visit, void *context);
void visit_fixed(carom_sim *sim, int i, visitor *visit, void *context);

#endif

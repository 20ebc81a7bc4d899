/* When things happen: the next event of each body, from its piece of motion and those of its neighbours. */
#ifndef CAROM_SIM_FORECAST_H
#define CAROM_SIM_FORECAST_H

#include "sim/world/world.h"

static inline double tie_of(double t)
{
    return SAME_INSTANT * fabs(t);
}

/* Find the next event of body i from time t on and put it into the queue, also for its partner. */
void predict(carom_sim *sim, int i, double t);

/* The next events of all bodies that are marked, from time t on. */
void forecast(carom_sim *sim, double t);

/* Does an impact still stand? */
static inline bool is_valid(const carom_sim *sim, const encounter *m)
{
    return mover_of(sim, m->partner)->version == m->version;
}

/* The first impact that body i knew of does not stand: its next event, from time t on. */
void predict_again(carom_sim *sim, int i, double t);

/* Body i knows of no impact; its next event comes at time t. */
void expect_change(carom_sim *sim, int i, next_kind kind, double t);

/* Body i crosses into another cell at time t: its next event, from what it knows and its new neighbours. */
void predict_crossing(carom_sim *sim, int i, double t);

#endif

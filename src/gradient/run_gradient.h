/* A recorded run: impacts as matrices, flights between them. */
#ifndef CAROM_SIM_GRADIENT_H
#define CAROM_SIM_GRADIENT_H

#include "carom/gradient.h"
#include "derivative/saltation.h"
#include "gradient/flight_change.h"
#include "sim/world/store.h"

enum { EACH_STATE = CAROM_GRADIENT_STATE, HALF_STATE = EACH_STATE / 2 };

/* One impact, and the flights of its bodies since their last one. */
typedef struct impact_change {
    int body[2], rule;
    double time;
    flight_change flight[2];
    pair_change change;
} impact_change;

struct carom_gradient {
    carom_sim *sim;
    carom_memory memory;
    bool take_branches, ended, at_impact;
    carom_gradient_reason reason;
    carom_gradient_about about;
    store impacts; /* impact_change */
    store ends;    /* flight_end of each body: where its flight began */
    store flights; /* flight_change of each body: up to the end */
    store rates;   /* EACH_STATE numbers of each body: how its state moves on at the end */
};

static inline impact_change *impact_at(const carom_gradient *g, size_t k)
{
    return (impact_change *)g->impacts.data + k;
}

#endif

/* A constant plus two waves, and where it first falls to zero: the events of a contact without coupling. */
#ifndef CAROM_LAWS_FORCE_SIGNAL_H
#define CAROM_LAWS_FORCE_SIGNAL_H

#include "core/falling.h"
#include "core/oscillator.h"

/* constant + w_0 + w_1 and, where it has two sides, constant + w_0 - w_1. */
typedef struct signal {
    double constant;
    wave w[2];
    int sides;
    int zeros[2]; /* Taylor coefficients of each side that vanish at first but for rounding */
} signal;

typedef enum signal_event { SIGNAL_STAYS, SIGNAL_FALLS, SIGNAL_TOO_LONG } signal_event;

/* Within a time `length`: the time and the side. */
signal_event signal_falls(const signal *s, double length, double *time, int *side);

#endif

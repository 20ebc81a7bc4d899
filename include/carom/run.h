/* Carom: a run of a simulation with samples at a rate.
 *
 *     carom_run run = {.sim = sim, .until = carom_sim_until_default(), .rate = 60, .sample = write_line, .context =
 * file}; run.until.time = 3; carom_run_start(&run);                          the first sample while (carom_run_on(&run,
 * 16))                  at most so many instants at a time look_at_the_clock();
 *
 * Samples are evaluated exactly at the times k / rate; there is one at the start and one at the end. Everything a run
 * has seen so far is valid: it may end early, when a sample or the observer says so, and when a law refuses. */
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include "carom/sim.h"

CAROM_BEGIN

/* Set the first five members, zero the rest. */
typedef struct carom_run {
    carom_sim *sim;
    carom_sim_until until;         /* its events are counted from the start of the run */
    double rate;                   /* samples per second; 0: none */
    bool (*sample)(void *context); /* false: nothing more is wanted */
    void *context;
    long long next;      /* number of the next sample */
    carom_sim_stop stop; /* why it ended */
    carom_status status; /* of the simulation */
    bool failed;         /* a sample was refused */
    bool over;
    double room[4];
} carom_run;

/* Begin where the simulation stands. */
CAROM_API void carom_run_start(carom_run *run);

/* Go on to the end, or for at most so many instants (negative: no limit), each of which takes bounded work whether
 * something collides or not. True while there is more to come. */
CAROM_API bool carom_run_on(carom_run *run, long long instants);

CAROM_END

#endif

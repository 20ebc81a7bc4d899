/* A small roofline: what moving the numbers of an impact costs at least on this machine, in this minute. */
#ifndef CAROM_CLI_BENCH_PROBE_H
#define CAROM_CLI_BENCH_PROBE_H

#include "bench_clock.h"
#include "bench_contacts.h"

typedef struct bench_limits {
    double cache, memory; /* nanoseconds per impact: nine numbers read and six written, nothing computed */
    double bytes;         /* of that traffic */
    double divide;        /* nanoseconds per division, in vectors */
} bench_limits;

/* A batch from memory, in turns with what its limit is measured by. */
bench_timing bench_beside_memory(const bench_clock *clock, contacts *memory, bench_work batch, double *limit);

/* The sizes are those of the batches to be timed. */
bench_limits bench_probe(const bench_clock *clock, contacts *cached, contacts *memory);

#endif

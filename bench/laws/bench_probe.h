/* A small roofline: what moving the numbers of an impact costs at least on this machine, in this minute. */
#ifndef CAROM_BENCH_PROBE_H
#define CAROM_BENCH_PROBE_H

#include "bench_clock.h"
#include "bench_contacts.h"

/* Nanoseconds per impact from memory: the fastest way to move its numbers, and that with ordinary stores, which read a
 * line before they write it. */
typedef struct bench_moves {
    double fastest, ordinary;
} bench_moves;

typedef struct bench_limits {
    double cache; /* nanoseconds per impact: nine numbers read and six written, nothing computed */
    bench_moves memory;
    double bytes;  /* of that traffic */
    double divide; /* nanoseconds per division, in vectors */
} bench_limits;

/* A batch from memory, in turns with what its limit is measured by. */
bench_timing bench_beside_memory(const bench_clock *clock, contacts *memory, bench_work batch, bench_moves *limit);

/* The sizes are those of the batches to be timed. */
bench_limits bench_probe(const bench_clock *clock, contacts *cached, contacts *memory);

#endif

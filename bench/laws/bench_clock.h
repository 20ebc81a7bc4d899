/* Time and instructions of a piece of work, over many short rounds. */
#ifndef CAROM_BENCH_CLOCK_H
#define CAROM_BENCH_CLOCK_H

#include <stdbool.h>

typedef struct bench_clock {
    double round_seconds; /* least length of a round */
    int rounds;           /* at most BENCH_ROUNDS */
    int counter;          /* of instructions; -1 where the machine does not count them for us */
} bench_clock;

/* Per unit of work. */
typedef struct bench_timing {
    double median, least, most; /* nanoseconds */
    double instructions;        /* 0: not counted */
} bench_timing;

enum { BENCH_ROUNDS = 31 };

bench_clock bench_clock_start(bool quick);
void bench_clock_end(bench_clock *clock);

/* run does `units` units of work. The first, untimed run warms the caches. */
typedef struct bench_work {
    void (*run)(void *context);
    void *context;
    double units;
} bench_work;

bench_timing bench_time(const bench_clock *clock, bench_work work);

/* Several that are to be compared: a round of each in turn, so that what else the machine does hits all of them. */
enum { BENCH_WORKS = 5 };
void bench_time_in_turns(const bench_clock *clock, const bench_work *works, int count, bench_timing *times);

#endif

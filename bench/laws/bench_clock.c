#define _GNU_SOURCE /* syscall */
#include "bench_clock.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

static int open_counter(void)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}
#else
static int open_counter(void)
{
    return -1;
}
#endif

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double instructions(const bench_clock *clock)
{
    uint64_t count = 0;
    if (clock->counter < 0 || read(clock->counter, &count, sizeof count) != (ssize_t)sizeof count)
        return 0;
    return (double)count;
}

bench_clock bench_clock_start(bool quick)
{
    bench_clock clock = {quick ? 2e-4 : 2e-3, quick ? 9 : BENCH_ROUNDS, open_counter()};
    return clock;
}

void bench_clock_end(bench_clock *clock)
{
    if (clock->counter >= 0)
        close(clock->counter);
    clock->counter = -1;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the rounds of a piece of work have come to. */
typedef struct record {
    double ns[BENCH_ROUNDS]; /* per unit */
    double instructions;
    long runs;
} record;

static void take_round(const bench_clock *clock, const bench_work *work, int round, record *r)
{
    double before = instructions(clock), start = seconds(), now = start;
    long count = 0;
    for (; now - start < clock->round_seconds || count == 0; now = seconds(), count++)
        work->run(work->context);
    r->ns[round] = 1e9 * (now - start) / ((double)count * work->units);
    r->instructions += instructions(clock) - before;
    r->runs += count;
}

static bench_timing timing_of(record *r, int rounds, double units)
{
    qsort(r->ns, (size_t)rounds, sizeof *r->ns, by_value);
    bench_timing t = {r->ns[rounds / 2], r->ns[0], r->ns[rounds - 1], r->instructions / (units * (double)r->runs)};
    return t;
}

void bench_time_in_turns(const bench_clock *clock, const bench_work *works, int count, bench_timing *times)
{
    record records[BENCH_WORKS] = {0};
    for (int k = 0; k < count; k++)
        works[k].run(works[k].context);
    for (int i = 0; i < clock->rounds; i++)
        for (int k = 0; k < count; k++)
            take_round(clock, &works[k], i, &records[k]);
    for (int k = 0; k < count; k++)
        times[k] = timing_of(&records[k], clock->rounds, works[k].units);
}

bench_timing bench_time(const bench_clock *clock, bench_work work)
{
    bench_timing t;
    bench_time_in_turns(clock, &work, 1, &t);
    return t;
}

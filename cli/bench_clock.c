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

/* One round: nanoseconds per run. */
static double round_of(const bench_clock *clock, void (*run)(void *context), void *context, long *runs)
{
    double start = seconds(), now = start;
    long count = 0;
    for (; now - start < clock->round_seconds || count == 0; now = seconds(), count++)
        run(context);
    *runs += count;
    return 1e9 * (now - start) / (double)count;
}

bench_timing bench_time(const bench_clock *clock, void (*run)(void *context), void *context, double units)
{
    double ns[BENCH_ROUNDS];
    long runs = 0;
    run(context);
    double before = instructions(clock);
    for (int i = 0; i < clock->rounds; i++)
        ns[i] = round_of(clock, run, context, &runs) / units;
    double counted = instructions(clock) - before;
    qsort(ns, (size_t)clock->rounds, sizeof *ns, by_value);
    bench_timing t = {ns[clock->rounds / 2], ns[0], ns[clock->rounds - 1], counted / (units * (double)runs)};
    return t;
}

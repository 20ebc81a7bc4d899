/* Threads of a batch and of independent parts, where the library is built with POSIX threads; one after the other where
 * it is not.
 *
 * A call starts its threads and joins them before it returns. Nothing is kept between calls, so that a forked child
 * can make calls of its own, and the library has no state. Where a thread cannot be started the others do its work. */
#define _GNU_SOURCE
#include "carom/parallel.h"
#include "engine/job.h"
#include "engine/stream.h"

#ifdef CAROM_HAVE_THREADS
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif
#endif

/* Shares of a thread in a long batch. Few, since memory is faster in long stretches; but while one thread is held up,
 * the others should have something to do. */
enum { SHARES = 16 };

enum { THREADS_MOST = 256 };

/* Starting a thread costs some 20 microseconds: it must have at least so many tiles to run. */
static size_t tiles_worth_a_thread(const batch_job *job)
{
    return job->loops ? 16 : 1;
}

static void run_tiles(const batch_job *job, batch_scratch *scratch, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        batch_tile(job, scratch, (size_t)job->head + i * TILE);
    if (job->stream)
        stream_fence();
}

int batch_threads(const batch_job *job, int wanted)
{
    size_t rows = tiles_worth_a_thread(job) * TILE, useful = job->in->count / rows;
    if (wanted == 1 || useful < 2)
        return 1; /* without the system call that counts processors */
    size_t most = (size_t)carom_batch_threads();
    if (wanted > 0 && (size_t)wanted < most)
        most = (size_t)wanted;
    return (int)(useful < most ? useful : most);
}

static size_t tile_count(const batch_job *job)
{
    return (job->in->count - (size_t)job->head + TILE - 1) / TILE;
}

static void run_alone(const batch_job *job)
{
    batch_scratch scratch;
    batch_scratch_set(job, &scratch);
    batch_head(job, &scratch);
    run_tiles(job, &scratch, 0, tile_count(job));
}

#ifdef CAROM_HAVE_THREADS

enum { STACK_BYTES = 1 << 20 }; /* the tile, and the deepest law */

int carom_batch_threads(void)
{
    long count = 0;
#ifdef __linux__
    cpu_set_t set; /* those that this process may use */
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
#endif
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > THREADS_MOST ? THREADS_MOST : (int)count;
}

/* What the threads of one batch share: each takes the next share of tiles until none is left. */
typedef struct team {
    const batch_job *job;
    size_t tiles, share;
    atomic_size_t next;
} team;

static void *work(void *shared)
{
    team *t = shared;
    batch_scratch scratch;
    batch_scratch_set(t->job, &scratch);
    for (size_t first; (first = atomic_fetch_add(&t->next, t->share)) < t->tiles;) {
        size_t end = first + t->share;
        if (first == 0)
            batch_head(t->job, &scratch);
        run_tiles(t->job, &scratch, first, end < t->tiles ? end : t->tiles);
    }
    return NULL;
}

/* Start up to count threads; the number that did start. They take no signals: those are for the caller's threads. A
 * stack of 0 bytes is the usual one. */
static int start(pthread_t *threads, int count, size_t stack, void *(*routine)(void *), void *shared)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int started = 0;
    if (pthread_attr_init(&attributes))
        return 0;
    sigfillset(&all);
    if ((stack == 0 || pthread_attr_setstacksize(&attributes, stack) == 0) &&
        pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
        while (started < count && pthread_create(&threads[started], &attributes, routine, shared) == 0)
            started++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return started;
}

void batch_run(const batch_job *job, int threads)
{
    if (threads < 2) {
        run_alone(job);
        return;
    }
    size_t tiles = tile_count(job), part = tiles / ((size_t)threads * SHARES);
    team t = {.job = job, .tiles = tiles, .share = part > 0 ? part : 1};
    pthread_t others[THREADS_MOST];
    int started = start(others, threads - 1, STACK_BYTES, work, &t);
    work(&t);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

/* What the threads of carom_parallel share: each takes the next part until none is left. */
typedef struct parts {
    int count;
    void (*one)(void *context, int i);
    void *context;
    atomic_int next;
} parts;

static void *take_parts(void *shared)
{
    parts *p = shared;
    for (int i; (i = atomic_fetch_add(&p->next, 1)) < p->count;)
        p->one(p->context, i);
    return NULL;
}

void carom_parallel(int threads, int count, void (*one)(void *context, int i), void *context)
{
    parts p = {.count = count, .one = one, .context = context};
    pthread_t others[THREADS_MOST];
    int wanted = threads > 0 ? threads : carom_batch_threads();
    wanted = wanted < count ? wanted : count;
    int started =
        wanted > 1 ? start(others, (wanted < THREADS_MOST ? wanted : THREADS_MOST) - 1, 0, take_parts, &p) : 0;
    take_parts(&p);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

#else

int carom_batch_threads(void)
{
    return 1;
}

void batch_run(const batch_job *job, int threads)
{
    (void)threads;
    run_alone(job);
}

void carom_parallel(int threads, int count, void (*one)(void *context, int i), void *context)
{
    (void)threads;
    for (int i = 0; i < count; i++)
        one(context, i);
}

#endif

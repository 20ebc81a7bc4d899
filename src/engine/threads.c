/* Threads, where the library is built with OpenMP; one after the other where it is not. */
#include "engine/job.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Of a thread in a long batch. Few, for memory is faster in long stretches; but while one thread is held up, the others
 * should find something to do. */
enum { SHARES = 16 };

/* Tiles that a thread takes at once: some microseconds at the least, so that taking them costs nothing. */
static size_t tiles_at_once(const batch_job *job)
{
    return job->kernel ? 8 : 1;
}

int carom_batch_threads(void)
{
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

static void run_tiles(const batch_job *job, batch_bench *bench, size_t first, size_t end)
{
    for (size_t tile = first; tile < end; tile++)
        batch_tile(job, bench, (size_t)job->head + tile * LANES);
    if (job->stream)
        around_done();
}

int batch_threads(const batch_job *job, int wanted)
{
    size_t share = tiles_at_once(job) * LANES, shares = (job->in->count + share - 1) / share;
    if (wanted == 1 || shares < 2)
        return 1; /* without asking how many there are, which goes through the kernel */
    size_t most = (size_t)carom_batch_threads();
    if (wanted > 0 && (size_t)wanted < most)
        most = (size_t)wanted;
    return (int)(shares < most ? shares : most);
}

static void run_alone(const batch_job *job, size_t tiles)
{
    batch_bench bench;
    batch_bench_set(job, &bench);
    batch_head(job, &bench);
    run_tiles(job, &bench, 0, tiles);
}

void batch_run(const batch_job *job, int threads)
{
    size_t tiles = (job->in->count - (size_t)job->head + LANES - 1) / LANES;
    size_t least = tiles_at_once(job), part = tiles / ((size_t)threads * SHARES), share = part > least ? part : least;
    if (threads < 2) {
        run_alone(job, tiles);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    {
        batch_bench bench;
        batch_bench_set(job, &bench);
#pragma omp single nowait
        batch_head(job, &bench);
#pragma omp for schedule(dynamic, 1)
        for (size_t tile = 0; tile < tiles; tile += share)
            run_tiles(job, &bench, tile, tile + share < tiles ? tile + share : tiles);
    }
#endif
}

/* A batch on its way through tiles and threads. */
#ifndef CAROM_BATCH_JOB_H
#define CAROM_BATCH_JOB_H

#include "batch/tile.h"

typedef struct batch_job {
    const carom_batch_in *in;
    const carom_rule *rule;
    const carom_batch_out *out;
    bool planar;      /* the input has no t2 */
    bool own_coeffs;  /* some coefficient differs from row to row */
    bool wants_after; /* anything but the impulse */
    bool wants_ledger;
    lanes_loop *ranges, *kernel, *ledger; /* kernel is null for laws without */
    tile_copy *stream;                    /* for outputs too large for the caches; null: memcpy */
} batch_job;

/* What a thread needs: the tile, what its rows share, and the status of each. */
typedef struct batch_bench {
    lanes x;
    _Alignas(64) lane shared[CAROM_COEFF_COUNT];
    lane zero;
    unsigned char status[LANES];
} batch_bench;

void batch_bench_set(const batch_job *job, batch_bench *bench);

/* Resolve the LANES rows from `first` on, or those left. */
void batch_tile(const batch_job *job, batch_bench *bench, size_t first);

/* All tiles, with at most this many threads. */
void batch_run(const batch_job *job, int threads);

#endif

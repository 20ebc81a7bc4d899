/* A batch on its way through tiles and threads. */
#ifndef CAROM_BATCH_JOB_H
#define CAROM_BATCH_JOB_H

#include "engine/tile.h"

#define LINE_BYTES (LANES_LINE * sizeof(double))

typedef struct batch_job {
    const carom_batch_in *in;
    const carom_rule *rule;
    const carom_batch_out *out;
    bool planar;      /* the input has no t2 */
    bool own_coeffs;  /* some coefficient differs from row to row */
    bool wants_after; /* anything but the impulse */
    bool wants_ledger;
    lanes_loop *ranges, *kernel, *ledger; /* kernel is null for laws without */
    double *to[LANES_RESULTS];            /* the caller's arrays, or null */
    bool direct[LANES_RESULTS];           /* a loop may write there before all of the tile is read */
    tile_copy *stream;                    /* copies around the caches, of outputs too large for them; null: memcpy */
    bool lines;                           /* and line by line, where all of them have theirs at the same rows */
    bool around;                          /* and a loop may send results there itself */
    int head;                             /* rows before the first of these lines */
} batch_job;

/* What a thread needs: the tile, its results where the caller has no place for them yet, what its rows share, the
 * inputs of a line that is not whole, and the status of each row. */
typedef struct batch_bench {
    lanes x;
    _Alignas(64) lane result[LANES_RESULTS];
    lane shared[CAROM_COEFF_COUNT];
    lane zero;
    double line[9][LANES_LINE], own[CAROM_COEFF_COUNT][LANES_LINE];
    int rows;                             /* of the caller: x may have more */
    unsigned char *status, unseen[LANES]; /* that of a caller who has no place for it */
} batch_bench;

void batch_bench_set(const batch_job *job, batch_bench *bench);

/* Resolve the rows of the head, then LANES rows from `first` on, or those left. */
void batch_head(const batch_job *job, batch_bench *bench);
void batch_tile(const batch_job *job, batch_bench *bench, size_t first);

/* All tiles, with this many threads; as many as make sense where at most so many are wanted (0: no bound). */
void batch_run(const batch_job *job, int threads);
int batch_threads(const batch_job *job, int wanted);

#endif

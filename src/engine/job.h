/* A batch on its way through tiles and threads. */
#ifndef CAROM_ENGINE_JOB_H
#define CAROM_ENGINE_JOB_H

#include "engine/engine.h"

#define LINE_BYTES (LINE * sizeof(double))

typedef struct batch_job {
    const carom_batch_in *in;
    const carom_rule *rule;
    const carom_batch_out *out;
    bool planar;      /* the input has no t2 */
    bool own_coeffs;  /* some coefficient differs from row to row */
    bool wants_after; /* anything but the impulse */
    bool wants_ledger;
    const engine *engine;
    const engine_loops *loops; /* null: row by row */
    double *to[RESULTS];       /* the caller's arrays, or null */
    bool direct[RESULTS];      /* a loop may write there before all of the tile is read */
    void (*stream)(double *to, const double *from, int count); /* for outputs too large for the caches; null: memcpy */
    bool lines;                                                /* all outputs have their cache lines at the same rows */
    bool streams;                                              /* and a loop may stream results there itself */
    int head;                                                  /* rows before the first of these lines */
} batch_job;

/* Scratch memory of a thread: the tile, its results where the caller has no place for them yet, coefficients that all
 * rows share, the inputs of a partial line, and the status of each row. */
typedef struct batch_scratch {
    tile x;
    _Alignas(64) lane result[RESULTS];
    lane shared[CAROM_COEFF_COUNT];
    lane zero;
    double partial[9][LINE], own[CAROM_COEFF_COUNT][LINE];
    int rows;                            /* of the caller: x may have more */
    unsigned char *status, unseen[TILE]; /* for a caller who has no place for it */
} batch_scratch;

void batch_scratch_set(const batch_job *job, batch_scratch *scratch);

/* CAROM_STATUS_OK, or what a batch of these is refused with. */
carom_status batch_check(const carom_batch_in *in, const carom_rule *rule, const carom_batch_out *out);

/* Resolve the rows of the head, then TILE rows from `first` on, or those left. */
void batch_head(const batch_job *job, batch_scratch *scratch);
void batch_tile(const batch_job *job, batch_scratch *scratch, size_t first);

/* All tiles, with this many threads; as many as make sense where at most so many are wanted (0: no bound). */
void batch_run(const batch_job *job, int threads);
int batch_threads(const batch_job *job, int wanted);

#endif

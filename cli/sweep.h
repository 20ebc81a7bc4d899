/* carom/sweep.h for the program: row by row as text (sweep_text.c), or in shares that threads and ranks work on, as
 * HDF5 or as statistics (sweep_shares.c). */
#ifndef CAROM_CLI_SWEEP_H
#define CAROM_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/sweep.h"
#include "cli.h"
#include "ranks.h"

enum { QUANTITIES_MOST = 8, SWEEP_COLUMNS = 56, SWEEP_THREADS = 256, SWEEP_DEVICE_POINTS = 8192 };

typedef struct sweep_device sweep_device;

typedef struct sweep {
    carom_sweep of;
    const char *command; /* for complaints */
    settings settings;
    const char *output;
    bool json, resume;
    bool on_gpu, or_cpu;  /* --device */
    sweep_device *device; /* or null: the processors */
    long long draws, seed, threads;
    int quantities, quantity[QUANTITIES_MOST]; /* columns of --statistics */
    long total, refused, first_refused;        /* the number of the first, ... */
    carom_case_error first_refusal;            /* ... and why */
    ranks ranks;
    uint64_t identity; /* of all that decides the numbers: a run can be resumed by its like only */
} sweep;

/* Start, with the ranks of mpirun where they share the work; and the end. */
void sweep_start(sweep *s, const char *command, bool shared);
void sweep_end(sweep *s);

/* ---- options that all sweeps have; at is the path of the sweep in the session ---- */

option_taker take_vary, take_random; /* of a carom_variables */

#define RANDOM_OPTION(session, at_)                                                                                    \
    {                                                                                                                  \
        "random", "NAME=DISTRIBUTION",                                                                                 \
            "normal:MEAN:DEVIATION or uniform:LOW:HIGH, or uniform for an orientation: drawn anew for each row",       \
            .at = offsetof(session, at_ of.v), take_random                                                             \
    }
#define DRAWS_OPTION(session, most, at_)                                                                               \
    {                                                                                                                  \
        "count", "N", "how many draws of random variables (default " most ")", .at = offsetof(session, at_ draws),     \
                                                                               take_whole, 0, 1, CAROM_SWEEP_POINTS    \
    }
#define SEED_OPTION(session, at_)                                                                                      \
    {                                                                                                                  \
        "seed", "N", "of the draws (default 1): the same seed gives the same numbers",                                 \
            .at = offsetof(session, at_ seed), take_whole, 0, 1, 1e15                                                  \
    }
#define THREADS_OPTION(session, at_)                                                                                   \
    {                                                                                                                  \
        "threads", "N", "at most so many (default: all processors; one under mpirun)",                                 \
            .at = offsetof(session, at_ threads), take_whole, 0, 1, SWEEP_THREADS                                      \
    }
#define RESUME_OPTION(session, at_)                                                                                    \
    {                                                                                                                  \
        "resume", NULL, "go on with a .h5 file whose run was stopped or killed", .at = offsetof(session, at_ resume)   \
    }
#define ROWS_OPTION(session, at_)                                                                                      \
    {                                                                                                                  \
        "output", "FILE", ".csv (default on standard output), .jsonl or .h5 (HDF5: a dataset per column)",             \
            .at = offsetof(session, at_ output), NULL, 'o'                                                             \
    }

/* Take what an option says into the identity, unless it does not decide the numbers; and the document. */
void sweep_identify(sweep *s, const option_row *row, const char *text);
void sweep_identify_document(sweep *s, const carom_json *document);

/* ---- all points ---- */

/* Into s->output or to standard output, as rows or as statistics. An exit status, after complaints. */
int sweep_run(sweep *s);

/* In shares: into s->output (.h5), or as statistics on standard output. And is this output made so? */
bool sweep_shares(sweep *s);
bool sweep_has_shares(const sweep *s);

/* The columns of numbers: the variables, then the numbers of an answer. */
int sweep_column_count(const sweep *s);
const char *sweep_column(const sweep *s, int k);

/* A point per thread; false after a complaint. */
bool sweep_open(carom_sweep_point *p, const sweep *s);

/* ---- on a GPU (sweep_device.c) ---- */

/* Open the device where the sweep asks for one. False after a complaint; where the processors may do the work, that is
 * said, and there is none. */
bool sweep_device_open(sweep *s);
void sweep_device_close(sweep *s);

/* Solve points, at most SWEEP_DEVICE_POINTS of them: false after a complaint. And one of these. */
bool sweep_device_solve(sweep_device *d, long first, long count);
const carom_sweep_point *sweep_device_point(const sweep_device *d, long i);

/* Add what a thread has refused, and end it. */
void sweep_close(sweep *s, carom_sweep_point *p);

#endif

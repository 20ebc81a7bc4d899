/* A sweep: one case at many values of its inputs, row by row as text (cmd_sweep.c), or in shares that threads and ranks
 * work on, as HDF5 or as statistics (sweep_shares.c). */
#ifndef CAROM_CLI_SWEEP_H
#define CAROM_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "cli.h"
#include "ranks.h"
#include "vary.h"

enum { QUANTITIES_MOST = 8, REFUSAL_SIZE = 640 };

typedef struct sweep {
    settings settings;
    variables v;
    const char *output;
    bool json, resume;
    int threads;
    int quantities, quantity[QUANTITIES_MOST]; /* columns of --statistics */
    long total, refused;
    char first_refusal[REFUSAL_SIZE];
    carom_case *c;
    ranks ranks;
    uint64_t identity; /* of all that decides the numbers: a run can be resumed by its like only */
} sweep;

/* One thread's way from values to answers. */
typedef struct solver {
    const sweep *s;
    varied input;
    carom_result result;
    long refused;
    char first_refusal[REFUSAL_SIZE];
} solver;

bool solver_open(solver *x, const sweep *s);
void solver_close(solver *x);

/* Solve point number i: x->result, or false with the reason. The caller frees c, whatever is returned. */
bool solver_point(solver *x, long i, double values[VARY_MOST], carom_case *c, carom_case_error *error);

/* Add what a thread has refused. */
void sweep_count_refused(sweep *s, const solver *x);

/* The columns of the table: the variables, then the quantities of an answer. */
int sweep_column_count(const sweep *s);
const char *sweep_column(const sweep *s, int k);

/* All points, in shares: into s->output (.h5), or as statistics on standard output. */
bool sweep_shares(sweep *s);

/* Is this output made in shares? */
bool sweep_has_shares(const sweep *s);

#endif

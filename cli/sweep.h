/* A sweep: one case or one scene at many values of its inputs, row by row as text (sweep_text.c), or in shares that
 * threads and ranks work on, as HDF5 or as statistics (sweep_shares.c). What is done at one point is the sweep's kind:
 * a case is solved (sweep_point.c), a scene is run (sim_ensemble.c). */
#ifndef CAROM_CLI_SWEEP_H
#define CAROM_CLI_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli.h"
#include "ranks.h"
#include "vary.h"

enum { QUANTITIES_MOST = 8, REFUSAL_SIZE = 640, SWEEP_COLUMNS = 56 };

typedef struct sweep_kind sweep_kind;

typedef struct sweep {
    const sweep_kind *kind;
    const char *command; /* for complaints */
    settings settings;
    variables v;
    const char *output;
    bool json, resume;
    int threads;
    int quantities, quantity[QUANTITIES_MOST]; /* columns of --statistics */
    long total, refused;
    char first_refusal[REFUSAL_SIZE];
    carom_case *c;        /* a sweep of cases */
    const void *ensemble; /* a sweep of scenes */
    ranks ranks;
    uint64_t identity; /* of all that decides the numbers: a run can be resumed by its like only */
} sweep;

/* One thread's way from values to answers. */
typedef struct solver {
    const sweep *s;
    varied input;
    carom_case c; /* the point at hand */
    carom_result result;
    void *own; /* of the kind */
    long refused;
    char first_refusal[REFUSAL_SIZE];
} solver;

/* What is done at one point. */
struct sweep_kind {
    int (*column_count)(const sweep *s); /* besides the variables */
    const char *(*column)(const sweep *s, int k);
    bool (*open)(solver *x);
    void (*close)(solver *x);
    bool (*solve)(solver *x, const double *values, carom_case_error *error); /* false: refused, with the reason */
    double (*number)(const solver *x, int k);                                /* NaN where it is not defined */
    carom_status (*status)(const solver *x);
    void (*put_head)(const sweep *s, FILE *out); /* of the table, after the variables */
    /* The rest of a row, after the values; error is null where the point was solved. */
    void (*put_row)(solver *x, const carom_case_error *error, FILE *out);
    json_t *(*json)(solver *x, const carom_case_error *error);
    int chunk;                     /* rows that a thread makes at a time */
    long small_share, large_share; /* points that a rank takes at a time; large ones of a million points and more */
};

extern const sweep_kind sweep_of_cases;

bool solver_open(solver *x, const sweep *s);
void solver_close(solver *x);

/* Solve point number i: its values, and false with the reason. */
bool solver_point(solver *x, long i, double values[VARY_MOST], carom_case_error *error);

/* Add what a thread has refused. */
void sweep_count_refused(sweep *s, const solver *x);

/* The columns of the table: the variables, then the quantities of an answer. */
int sweep_column_count(const sweep *s);
const char *sweep_column(const sweep *s, int k);

/* All points: into s->output or to standard output, as rows or as statistics. An exit status, after complaints. */
int sweep_run(sweep *s);

/* All points, in shares: into s->output (.h5), or as statistics on standard output. */
bool sweep_shares(sweep *s);

/* Is this output made in shares? */
bool sweep_has_shares(const sweep *s);

/* Take a text into the identity. */
void sweep_identify(sweep *s, const char *text);

/* ---- options that all sweeps have; these complain and return false ---- */

bool sweep_read_count(const char *option, const char *text, double most, long *value);
bool sweep_read_threads(sweep *s, const char *text);
bool sweep_check_output(sweep *s);
bool sweep_check_ranks(const sweep *s);
bool sweep_check_total(sweep *s);

/* The processors; one under mpirun. */
int sweep_threads(const sweep *s);

#define SWEEP_MOST_POINTS 1e9
#define SWEEP_IDENTITY    0xcbf29ce484222325 /* of nothing */

#endif

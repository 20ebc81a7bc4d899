/* A run of the simulator: advances from sample to sample, and hands samples and events to whoever writes them.
 *
 * Everything a run has seen so far is valid: it ends early on a signal, on a full disk and when a law refuses. */
#ifndef CAROM_CLI_SIM_RUN_H
#define CAROM_CLI_SIM_RUN_H

#include <stdbool.h>

#include "carom/scene_file.h"
#include "json.h"
#include "progress.h"

typedef struct sim_run sim_run;

/* One writer. Functions may be null; they return false when nothing more can be written. before comes before an
 * impact, event after each event. */
typedef struct sim_sink {
    bool (*sample)(void *context, const sim_run *run);
    bool (*before)(void *context, const sim_run *run, const carom_sim_event *event);
    bool (*event)(void *context, const sim_run *run, const carom_sim_event *event);
    void *context;
    bool wants_lines; /* events need run->line */
} sim_sink;

enum { SIM_SINKS = 4, SIM_PAIRS = 1 << 12 };

/* How often two bodies met. */
typedef struct sim_pair {
    int a, b;
    long long count;
} sim_pair;

struct sim_run {
    const carom_scene_file *file;
    carom_sim *sim;
    double rate; /* samples per second; 0: none */
    sim_sink sinks[SIM_SINKS];
    int sink_count;
    bool wants_lines, wants_before;
    json_t *line; /* the event at hand, when a sink wants it */
    carom_result result;
    sim_pair *pairs; /* a hash table of SIM_PAIRS entries */
    int pair_count;
    long long unlisted;   /* meetings of further pairs */
    long long unrepeated; /* impacts whose case does not give the same bits */
    bool failed;          /* a sink could not write */
    bool interrupted;     /* by a signal */
    progress bar;
    carom_sim_stop stop;
    carom_status status; /* of the simulation */
};

/* The allocator of the program. */
extern const carom_memory sim_memory;

/* Make the simulation; complains and returns false when the scene is refused. */
bool sim_run_start(sim_run *run, const carom_scene_file *file);
void sim_run_add(sim_run *run, const sim_sink *sink);

/* Go on until the scene's end. */
void sim_run_go(sim_run *run);

void sim_run_free(sim_run *run);

#endif

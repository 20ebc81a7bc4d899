/* carom/scene_run.h with complaints and progress on standard error; signals end a run. */
#ifndef CAROM_CLI_SIM_RUN_H
#define CAROM_CLI_SIM_RUN_H

#include "carom/scene_run.h"
#include "json.h"
#include "progress.h"

typedef carom_scene_run sim_run;
typedef carom_run_sink sim_sink;
typedef carom_run_pair sim_pair;

/* The allocator of the program. */
extern const carom_memory sim_memory;

/* Make the simulation; complains and returns false when the scene is refused. */
bool sim_run_start(sim_run *run, const carom_scene_file *file);

/* Go on until the scene's end. */
void sim_run_go(sim_run *run);

/* For whoever runs a scene with progress: a watcher and what it needs. */
typedef struct sim_progress {
    const sim_run *run; /* or null */
    progress bar;
} sim_progress;

carom_watcher sim_watcher(sim_progress *p);

#endif

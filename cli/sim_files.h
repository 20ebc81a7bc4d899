/* The files of a run: its trajectory, its events. Both stay readable when the run or the disk ends early. */
#ifndef CAROM_CLI_SIM_FILES_H
#define CAROM_CLI_SIM_FILES_H

#include "sim_run.h"

typedef struct sim_file sim_file;

/* Is this the ending of a trajectory? Complains otherwise. */
bool sim_trajectory_is_known(const char *path);

/* Open the file and add its sink to the run. Null after a complaint. */
sim_file *sim_trajectory_open(const char *path, sim_run *run);
sim_file *sim_events_open(const char *path, sim_run *run);

/* False, after a complaint, when not everything could be written. Null is allowed. */
bool sim_file_close(sim_file *f);

#endif

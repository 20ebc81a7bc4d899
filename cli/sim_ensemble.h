/* carom ensemble: one scene at many values of its inputs, on threads and under mpirun. */
#ifndef CAROM_CLI_SIM_ENSEMBLE_H
#define CAROM_CLI_SIM_ENSEMBLE_H

#include "records.h"
#include "sweep.h"

typedef struct ensemble {
    sweep sweep;
    const char *record, *statistics; /* lists of names, or null */
    records records;
    const carom_scene_file *file;
    carom_scene_change change; /* what the command line changes in each scene */
} ensemble;

/* Start; under mpirun as well, where ranks share the runs. command is for complaints. */
void ensemble_start(ensemble *e, const char *command, bool shared);
void ensemble_end(ensemble *e);

/* Run the scene at all points. An exit status. */
int ensemble_run(ensemble *e, const carom_scene_file *file, const char *output);

#endif

/* carom ensemble: one scene at many values of its inputs, on threads and under mpirun. */
#ifndef CAROM_CLI_SIM_ENSEMBLE_H
#define CAROM_CLI_SIM_ENSEMBLE_H

#include "records.h"
#include "sweep.h"

/* What the command line changes in each scene; false with the reason. */
typedef bool scene_change(const void *context, carom_scene_file *file, carom_case_error *error);

typedef struct ensemble {
    sweep sweep;
    const char *record, *statistics; /* lists of names, or null */
    records records;
    const carom_scene_file *file;
    scene_change *change;
    const void *context;
} ensemble;

/* Start; under mpirun as well, where ranks share the runs. command is for complaints. */
void ensemble_start(ensemble *e, const char *command, bool shared);
void ensemble_end(ensemble *e);

/* The scene at these values of the variables. Free it, whatever is returned. */
bool ensemble_scene(const ensemble *e, varied *input, const double *values, carom_scene_file *file,
                    carom_case_error *error);

/* Run the scene at all points. An exit status. */
int ensemble_run(ensemble *e, const carom_scene_file *file, const char *output);

#endif

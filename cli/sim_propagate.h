/* carom propagate: the spread of a run's end, from the spread of its inputs, to first order. */
#ifndef CAROM_CLI_SIM_PROPAGATE_H
#define CAROM_CLI_SIM_PROPAGATE_H

#include "sim_ensemble.h"

typedef struct propagate_task {
    const char *of; /* names of the outcomes */
    bool one_sided, json;
} propagate_task;

/* The inputs are the random variables of the ensemble. An exit status. */
int propagate_print(ensemble *e, const carom_scene_file *file, const propagate_task *asked);

#endif

/* carom propagate: the spread of a run's end, from the spread of its inputs, to first order. */
#ifndef CAROM_CLI_SIM_PROPAGATE_H
#define CAROM_CLI_SIM_PROPAGATE_H

#include "carom/propagate.h"
#include "cli.h"

/* The task gets a watcher here. An exit status. */
int propagate_print(const carom_propagation_task *task, const carom_scene_file *file, bool json);

#endif

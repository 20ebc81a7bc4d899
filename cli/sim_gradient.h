/* carom gradient: how the end of a run changes with its inputs. */
#ifndef CAROM_CLI_SIM_GRADIENT_H
#define CAROM_CLI_SIM_GRADIENT_H

#include "carom/scene_gradient.h"
#include "sim_run.h"

/* Run, and print the matrix. An exit status. */
int gradient_print(const carom_scene_file *file, const carom_gradient_task *task, bool json);

#endif

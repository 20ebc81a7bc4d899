/* One impact of a run as a case. */
#ifndef CAROM_CLI_SIM_IMPACT_H
#define CAROM_CLI_SIM_IMPACT_H

#include <stdio.h>

#include "carom/scene_file.h"

/* Run a scene to its N-th impact and print it as a case, of the mechanism where links meet the world or each other.
 * The exit status of the program. */
int sim_impact_print(carom_scene_file *file, long long number, FILE *out);

#endif

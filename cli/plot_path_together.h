/* carom plot impulse on a case with several contacts: the path inside the impact, against its time. */
#ifndef CAROM_CLI_PLOT_PATH_TOGETHER_H
#define CAROM_CLI_PLOT_PATH_TOGETHER_H

#include "cli.h"

/* The law of the case has a path. An exit status. */
/* forces: forces, springs and modes instead of impulses, velocities and compressions. */
int plot_path_together(carom_case *c, bool forces, const char *output);

#endif

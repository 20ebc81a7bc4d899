/* carom plot impulse on a case with several contacts: the path inside the impact, against its time. */
#ifndef CAROM_CLI_PLOT_PATH_SEVERAL_H
#define CAROM_CLI_PLOT_PATH_SEVERAL_H

#include "cli.h"

/* The law of the case has a path. An exit status. */
int plot_path_several(carom_case *c, const char *output);

#endif

/* The path inside an impact at several contacts: carom trace, carom plot impulse. */
#ifndef CAROM_CLI_TRACE_SEVERAL_H
#define CAROM_CLI_TRACE_SEVERAL_H

#include "cli.h"

/* The law of the case has a path. Exit statuses. */
int trace_several(carom_case *c, bool json, const char *output);
int plot_several(carom_case *c, const char *output);

#endif

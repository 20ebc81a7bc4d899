/* What a run came to: the summary, as JSON and for people. */
#ifndef CAROM_CLI_SIM_REPORT_H
#define CAROM_CLI_SIM_REPORT_H

#include "sim_run.h"

void sim_report_print(const sim_run *run);

/* Its first lines: name, law, how it ended, time, impacts. */
void sim_report_head(const sim_run *run);

#endif

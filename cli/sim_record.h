/* Pages and pictures of a run. */
#ifndef CAROM_CLI_SIM_RECORD_H
#define CAROM_CLI_SIM_RECORD_H

#include "carom/run_record.h"
#include "sim_run.h"

typedef carom_run_record sim_record;

/* Write the page; complains and returns false when it cannot be written or this build has no page. */
bool sim_page_is_known(void);
bool sim_page_write(const char *path, const sim_record *r, const sim_run *run);

/* Draw the run: one picture of several moments, or stills PREFIX-1.png, PREFIX-2.png ... (SVG and PDF by the ending).
 */
bool sim_picture_is_known(const char *path); /* complains about other endings */
bool sim_picture_write(const char *path, const sim_record *r, const sim_run *run);
bool sim_stills_write(const char *path, int count, const sim_record *r, const sim_run *run);

#endif

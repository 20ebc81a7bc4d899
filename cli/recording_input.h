/* Recordings for the commands: a description and a table. */
#ifndef CAROM_CLI_RECORDING_INPUT_H
#define CAROM_CLI_RECORDING_INPUT_H

#include <stdbool.h>

#include "carom/recording.h"

/* Read both files; complains and returns false on what is wrong. */
bool recording_input(const char *description, const char *table, carom_recording *rec);

/* Records with faults, one line each, and what was left out, on stderr. */
void recording_tell(const carom_recording *rec, const char *table);

#endif

/* carom/records.h with complaints on standard error. */
#ifndef CAROM_CLI_RECORDS_H
#define CAROM_CLI_RECORDS_H

#include "carom/records.h"

enum { RECORDS_MOST = CAROM_RECORDS, RECORD_NAME = CAROM_RECORD_NAME };

typedef carom_records records;
typedef carom_record record_entry;

/* Complains in the name of the option ("--record") and returns false. */
bool records_read(records *r, const char *option, const char *list, const carom_scene_file *file);

#endif

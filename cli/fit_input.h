/* Files of recorded impacts for the commands: JSON Lines or comma-separated values. */
#ifndef CAROM_CLI_FIT_INPUT_H
#define CAROM_CLI_FIT_INPUT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "carom/fit_data.h"

/* What the file was like when it was read. */
typedef struct fit_file {
    const char *path;
    struct stat state;
    bool is_regular;
} fit_file;

/* Read all impacts of a file; complains and returns false on the first line that is wrong, on an empty file, and on a
 * file that changes while it is read. */
bool fit_input_read(const char *path, fit_file *file, carom_fit_data *data);

/* After the work: complains and returns false when the file is not what was read any more. */
bool fit_input_unchanged(const fit_file *file);

#endif

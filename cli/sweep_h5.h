/* The file of a sweep as HDF5: one dataset of doubles per column, and the status of each point as an enumeration.
 *
 * Datasets are contiguous and lie in the file from the start, so that whoever has rows writes them at their place. */
#ifndef CAROM_CLI_SWEEP_H5_H
#define CAROM_CLI_SWEEP_H5_H

#include <stdbool.h>

/* Is HDF5 part of this build? */
bool h5_is_known(void);

/* Make a file with room for so many rows. False, after a complaint, when that fails. */
bool h5_make(const char *path, const char *const *names, int columns, long rows);

/* Where the columns begin in the file, in bytes; after the last of them, the statuses. */
bool h5_places(const char *path, int columns, long long *place);

#endif

/* Rows of a sweep as HDF5: one dataset of doubles per column, and the status of each point as an enumeration. */
#ifndef CAROM_CLI_SWEEP_H5_H
#define CAROM_CLI_SWEEP_H5_H

#include <stdbool.h>

/* The columns are known from the start; rows are appended as they come. */
typedef struct h5_table h5_table;

/* Is HDF5 part of this build? */
bool h5_is_known(void);

/* Null, after a complaint, when the file cannot be made. The file is written under another name until it is complete.
 */
h5_table *h5_open(const char *path, const char *const *names, int columns);

/* Append count rows: columns doubles each, and a status. False when the disk is full. */
bool h5_append(h5_table *t, const double *rows, const unsigned char *status, int count);

/* Put the file in its place, or remove it when whole is false. */
bool h5_close(h5_table *t, bool whole);

#endif

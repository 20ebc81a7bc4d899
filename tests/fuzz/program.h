/* For targets that run parts of the program: their complaints, and what they print. */
#ifndef CAROM_FUZZ_PROGRAM_H
#define CAROM_FUZZ_PROGRAM_H

#include "fuzz.h"

/* How many complaints there were since this was last set to zero. */
extern int complaints;

/* A file with these bytes; its path can be opened once. */
FILE *file_of(const void *bytes, size_t size, char path[64]);

/* Standard output becomes memory, and is itself again. */
void capture_begin(void);
char *capture_end(size_t *length); /* the caller frees it */

#endif

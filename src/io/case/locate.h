/* Where in a JSON text a key stands. */
#ifndef CAROM_IO_LOCATE_H
#define CAROM_IO_LOCATE_H

#include <stddef.h>

/* The line (from 0) on which this key path stands, or its nearest ancestor when it is missing; -1 when none does or the
 * text is not JSON. */
long locate_line(const char *text, size_t length, const char *path);

#endif

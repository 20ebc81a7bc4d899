/* Where in a JSON text a key stands, and which key stands at a byte: which jansson does not report. */
#ifndef CAROM_IO_LOCATE_H
#define CAROM_IO_LOCATE_H

#include <stddef.h>

/* The line (from 0) on which this key path stands, or its nearest ancestor when it is missing; -1 when none does. The
 * text is valid JSON. */
long locate_line(const char *text, size_t length, const char *path);

/* The path of the key whose value holds this byte, as far as the text can be read. */
void locate_key(const char *text, size_t length, size_t position, char *path, size_t room);

#endif

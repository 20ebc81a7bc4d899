/* Carom: texts from outside. Library carom-io; not part of carom/carom.h.
 *
 *     char line[256];
 *     snprintf(line, sizeof line, "no link is named \"%s\"", name);
 *     carom_utf8_clean(line);                         whatever the name holds, the line can go to a terminal
 *
 * Names, keys, file names and options come from files and command lines of others. Terminals obey control characters,
 * and bidirectional marks reorder what people see. Everything that Carom prints for people passes through here. */
#ifndef CAROM_UTF8_H
#define CAROM_UTF8_H

#include <stdbool.h>

#include "carom/export.h"

CAROM_BEGIN

enum { CAROM_UTF8_BAD = 0xFFFD }; /* the code of a byte that begins no valid character */

/* The first character of a text that ends with a NUL: its code in *code, its length in bytes returned (1 to 4). A byte
 * that begins no valid character has length 1 and the code CAROM_UTF8_BAD. Overlong forms, surrogates and codes above
 * 0x10FFFF are not valid. */
CAROM_API int carom_utf8_decode(const char *text, unsigned *code);

/* False for control characters (C0, DEL, C1), line and paragraph separators, bidirectional marks and overrides, the
 * byte-order mark, and codes that are no characters. */
CAROM_API bool carom_utf8_is_printable(unsigned code);

/* Replace everything that is not printable or not valid by question marks, in place. The text gets no longer. */
CAROM_API void carom_utf8_clean(char *text);

CAROM_END

#endif

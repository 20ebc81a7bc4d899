/* The texts that a command reads and writes. */
#ifndef CAROM_JS_PROGRAM_H
#define CAROM_JS_PROGRAM_H

#include <stddef.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Forget what was written; this is read next. */
void program_begin(const char *bytes, size_t length);

/* More bytes of what the command reads, at most room; 0 at the end. */
size_t program_read(char *bytes, size_t room);

/* Bytes that the command writes to standard output (1) or standard error (2). */
void program_write(int file, const char *bytes, size_t length);

#endif

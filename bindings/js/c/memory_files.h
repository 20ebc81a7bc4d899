/* Files of one command, in memory. */
#ifndef CAROM_JS_MEMORY_FILES_H
#define CAROM_JS_MEMORY_FILES_H

#include <stddef.h>
#include <stdio.h>

/* A file to write; its text stays until memory_files_forget. Null when memory or the list ends. */
FILE *memory_file_open(const char *path);

/* The text of a file that is closed, or null. */
const char *memory_file_text(const char *path, size_t *length);

void memory_files_forget(void);

#endif

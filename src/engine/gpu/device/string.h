/* string.h for a machine without a C library. */
#ifndef CAROM_GPU_DEVICE_STRING_H
#define CAROM_GPU_DEVICE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int value, size_t count);
void *memmove(void *to, const void *from, size_t count);
int strcmp(const char *a, const char *b);
size_t strlen(const char *text);

#endif

/* Arrays cut from one block of the caller's memory, each aligned for doubles. */
#ifndef CAROM_CORE_BLOCK_MEMORY_H
#define CAROM_CORE_BLOCK_MEMORY_H

#include <stddef.h>

typedef struct block_memory {
    char *at;
} block_memory;

static inline size_t block_doubles(size_t count)
{
    return count * sizeof(double);
}

static inline size_t block_ints(size_t count)
{
    return (count * sizeof(int) + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

static inline double *take_doubles(block_memory *m, size_t count)
{
    double *x = (double *)(void *)m->at;
    m->at += block_doubles(count);
    return x;
}

static inline int *take_ints(block_memory *m, size_t count)
{
    int *x = (int *)(void *)m->at;
    m->at += block_ints(count);
    return x;
}

#endif

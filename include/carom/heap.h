/* Carom: memory of the C library for what takes an allocator.
 *
 *     const carom_memory heap = carom_heap();
 *     carom_sim_create(&scene, &heap, &sim, &error);
 *
 * The library itself never calls realloc: these functions are compiled into the program that includes this header. */
#ifndef CAROM_HEAP_H
#define CAROM_HEAP_H

#include <stdlib.h>

#include "carom/sim.h"

static inline void *carom_heap_resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

static inline carom_memory carom_heap(void)
{
    carom_memory heap = {carom_heap_resize, NULL};
    return heap;
}

#endif

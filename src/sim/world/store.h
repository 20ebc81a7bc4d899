/* Arrays that grow, in memory of the caller's allocator. They begin where a line of the cache does. */
#ifndef CAROM_SIM_STORE_H
#define CAROM_SIM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "carom/sim.h"

enum { CACHE_LINE = 64 }; /* bytes */

typedef struct store {
    void *data;
    size_t size;            /* of an element */
    size_t count, capacity; /* elements */
    size_t shift;           /* bytes from the block of the allocator to data */
} store;

static inline void store_init(store *s, size_t size)
{
    s->data = NULL;
    s->size = size;
    s->count = s->capacity = s->shift = 0;
}

static inline void *store_block(const store *s)
{
    return s->data ? (char *)s->data - s->shift : NULL;
}

/* Room for so many elements; false when memory ends. */
static inline bool store_reserve(store *s, const carom_memory *memory, size_t count)
{
    if (count <= s->capacity)
        return true;
    size_t capacity = count > 2 * s->capacity ? count : 2 * s->capacity;
    char *block = memory->resize(memory->context, store_block(s), capacity * s->size + CACHE_LINE);
    if (!block)
        return false;
    size_t shift = CACHE_LINE - (uintptr_t)block % CACHE_LINE;
    if (shift != s->shift && s->count)
        memmove(block + shift, block + s->shift, s->count * s->size);
    s->data = block + shift;
    s->shift = shift;
    s->capacity = capacity;
    return true;
}

/* So many elements, new ones zero. */
static inline bool store_resize(store *s, const carom_memory *memory, size_t count)
{
    if (!store_reserve(s, memory, count))
        return false;
    if (count > s->count)
        memset((char *)s->data + s->count * s->size, 0, (count - s->count) * s->size);
    s->count = count;
    return true;
}

/* A new element, zero, at the end; null when memory ends. */
static inline void *store_push(store *s, const carom_memory *memory)
{
    if (!store_resize(s, memory, s->count + 1))
        return NULL;
    return (char *)s->data + (s->count - 1) * s->size;
}

static inline void store_free(store *s, const carom_memory *memory)
{
    if (s->data)
        memory->resize(memory->context, store_block(s), 0);
    store_init(s, s->size);
}

static inline int *store_ints(const store *s)
{
    return (int *)s->data;
}

#endif

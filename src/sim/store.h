/* Arrays that grow, in memory of the caller's allocator. */
#ifndef CAROM_SIM_STORE_H
#define CAROM_SIM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "carom/sim.h"

typedef struct store {
    void *data;
    size_t size;            /* of an element */
    size_t count, capacity; /* elements */
} store;

static inline void store_init(store *s, size_t size)
{
    s->data = NULL;
    s->size = size;
    s->count = s->capacity = 0;
}

/* Room for so many elements; false when memory ends. */
static inline bool store_reserve(store *s, const carom_memory *memory, size_t count)
{
    if (count <= s->capacity)
        return true;
    size_t capacity = count > 2 * s->capacity ? count : 2 * s->capacity;
    void *data = memory->resize(memory->context, s->data, capacity * s->size);
    if (!data)
        return false;
    s->data = data;
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
        memory->resize(memory->context, s->data, 0);
    store_init(s, s->size);
}

static inline int *store_ints(const store *s)
{
    return (int *)s->data;
}

#endif

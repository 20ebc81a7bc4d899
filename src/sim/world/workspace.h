/* Memory for work that ends before it is asked for again: what is taken last is given back first. It comes in blocks of
 * the caller's allocator, which do not move, so that the stack of a call stays small whatever the size of the work. */
#ifndef CAROM_SIM_WORKSPACE_H
#define CAROM_SIM_WORKSPACE_H

#include "carom/assert.h"
#include "sim/world/store.h"

typedef struct arena_block {
    char *data;
    size_t size;
} arena_block;

typedef struct arena {
    carom_memory memory;
    store blocks; /* arena_block */
    size_t block, used;
    bool failed; /* memory has ended */
} arena;

typedef struct arena_mark {
    size_t block, used;
} arena_mark;

static inline arena_mark arena_now(const arena *a)
{
    return (arena_mark){a->block, a->used};
}

static inline void arena_back(arena *a, arena_mark to)
{
    a->block = to.block;
    a->used = to.used;
}

static inline size_t arena_left(const arena *a)
{
    return a->block < a->blocks.count ? ((const arena_block *)a->blocks.data)[a->block].size - a->used : 0;
}

/* Room for so many bytes in one block, to be taken in any parts; false: memory ends. */
static inline bool arena_reserve(arena *a, size_t bytes)
{
    if (arena_left(a) >= bytes)
        return true;
    size_t next = a->used ? a->block + 1 : a->block;
    if (next >= a->blocks.count && !store_resize(&a->blocks, &a->memory, next + 1))
        return !(a->failed = true);
    arena_block *b = (arena_block *)a->blocks.data + next;
    if (b->size < bytes) { /* nothing is in it */
        char *data = a->memory.resize(a->memory.context, b->data, 2 * bytes);
        if (!data)
            return !(a->failed = true);
        *b = (arena_block){data, 2 * bytes};
    }
    a->block = next;
    a->used = 0;
    return true;
}

/* Bytes that have been reserved. They are not cleared. */
static inline void *arena_take(arena *a, size_t bytes)
{
    size_t size = (bytes + 15) / 16 * 16;
    bool fits = arena_left(a) >= size || arena_reserve(a, size);
    CAROM_ASSERT(fits);
    (void)fits;
    void *at = ((const arena_block *)a->blocks.data)[a->block].data + a->used;
    a->used += size;
    return at;
}

#define TAKE(a, type, count) ((type *)arena_take(a, (size_t)(count) * sizeof(type)))

static inline void arena_free(arena *a)
{
    for (size_t k = 0; k < a->blocks.count; k++) {
        arena_block *b = (arena_block *)a->blocks.data + k;
        if (b->data)
            a->memory.resize(a->memory.context, b->data, 0);
    }
    store_free(&a->blocks, &a->memory);
}

#endif

#include "arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "carom/json.h"

enum { BLOCK = 1 << 16 };

typedef struct block {
    struct block *older;
    size_t room, used;
    alignas(max_align_t) char bytes[];
} block;

static block *newest;
static bool failed;

static void *add_block(size_t size)
{
    size_t room = size > BLOCK ? size : BLOCK;
    block *b = malloc(sizeof *b + room);
    failed |= !b;
    if (!b)
        return NULL;
    b->older = newest;
    b->room = room;
    b->used = size;
    newest = b;
    return b->bytes;
}

static void *allocate(size_t size)
{
    size_t unit = alignof(max_align_t), rounded = (size + unit - 1) / unit * unit;
    if (!newest || newest->room - newest->used < rounded)
        return add_block(rounded);
    void *at = newest->bytes + newest->used;
    newest->used += rounded;
    return at;
}

static void forget(void *at)
{
    (void)at;
}

void arena_start(void)
{
    carom_json_set_memory(allocate, forget);
}

/* Keep the oldest block for the next case when it has the usual size. */
void arena_reset(void)
{
    while (newest && (newest->older || newest->room > BLOCK)) {
        block *older = newest->older;
        free(newest);
        newest = older;
    }
    if (newest)
        newest->used = 0;
    failed = false;
}

bool arena_is_short(void)
{
    return failed;
}

void arena_end(void)
{
    arena_reset();
    free(newest);
    newest = NULL;
    carom_json_set_memory(malloc, free);
}

/* Arrays that grow, in memory of an allocator that counts, moves and ends. */
#include "sim/world/store.h"

#include "sim/scenes.h"

/* Blocks are moved on every call, to places of each alignment; after so many calls there is no memory. */
typedef struct arena {
    int blocks, calls, most;
} arena;

typedef struct block_head {
    void *block;
    size_t size;
} block_head;

static void *move(void *context, void *old, size_t bytes)
{
    arena *a = context;
    if (bytes && ++a->calls > a->most)
        return NULL;
    char *made = NULL;
    if (bytes) {
        char *block = malloc(bytes + 256);
        size_t shift = sizeof(block_head) + 16 * (size_t)(a->calls % 5);
        made = block + shift;
        memcpy(made - sizeof(block_head), &(block_head){block, bytes}, sizeof(block_head));
        a->blocks++;
    }
    if (old) {
        block_head head;
        memcpy(&head, (char *)old - sizeof head, sizeof head);
        if (made)
            memcpy(made, old, head.size < bytes ? head.size : bytes);
        memset(old, 0xA5, head.size);
        free(head.block);
        a->blocks--;
    }
    return made;
}

static void test_grows(void **state)
{
    (void)state;
    arena a = {.most = 1000};
    const carom_memory memory = {move, &a};
    for (size_t size = 1; size < 100; size += 9) {
        store s;
        store_init(&s, size);
        for (int k = 0; k < 300; k++) {
            unsigned char *element = store_push(&s, &memory);
            for (size_t b = 0; b < size; b++)
                assert_int_equal(element[b], 0); /* new ones are zero */
            memset(element, k % 251 + 1, size);
            assert_true((uintptr_t)s.data % CACHE_LINE == 0);
        }
        for (int k = 0; k < 300; k++) /* what was there stays through every move */
            for (size_t b = 0; b < size; b++)
                assert_int_equal(((unsigned char *)s.data)[(size_t)k * size + b], k % 251 + 1);
        store_free(&s, &memory);
        assert_true(s.count == 0 && !s.data && s.size == size);
        assert_int_equal(a.blocks, 0);
    }
}

/* Growth doubles: a thousand pushes ask a dozen times. */
static void test_asks_seldom(void **state)
{
    (void)state;
    arena a = {.most = 1000};
    const carom_memory memory = {move, &a};
    store s;
    store_init(&s, sizeof(int));
    for (int k = 0; k < 1000; k++)
        *(int *)store_push(&s, &memory) = k;
    assert_true(a.calls <= 11);
    assert_int_equal(store_ints(&s)[777], 777);
    assert_true(store_reserve(&s, &memory, 900) && s.count == 1000);
    int calls = a.calls;
    assert_true(store_resize(&s, &memory, 3) && s.count == 3);
    assert_true(store_resize(&s, &memory, 900));
    assert_int_equal(store_ints(&s)[2], 2);
    assert_int_equal(store_ints(&s)[3], 0); /* those that come back are new */
    assert_int_equal(a.calls, calls);
    store_free(&s, &memory);
}

/* Without memory nothing changes. */
static void test_memory_ends(void **state)
{
    (void)state;
    arena a = {.most = 3};
    const carom_memory memory = {move, &a};
    store s;
    int k = 0;
    store_init(&s, sizeof(int));
    for (int *next; (next = store_push(&s, &memory)); k++)
        *next = 5 * k;
    assert_true(k == 4 && s.count == 4);
    assert_false(store_resize(&s, &memory, 100));
    for (int i = 0; i < 4; i++)
        assert_int_equal(store_ints(&s)[i], 5 * i);
    store_free(&s, &memory);
    assert_int_equal(a.blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows),
        cmocka_unit_test(test_asks_seldom),
        cmocka_unit_test(test_memory_ends),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}

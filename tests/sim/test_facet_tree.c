/* Boxes that a walk finds against a look at all of them. */
#include "sim/shape/facet_tree.h"

#include "sim/parts.h"

enum { BOXES = 700, WALKS = 200 };

static facet_tree tree_of(dice *d, int count)
{
    facet_tree t;
    store_init(&t.nodes, sizeof(facet_node));
    store_init(&t.items, sizeof(int));
    store_init(&t.boxes, sizeof(box3));
    assert_true(store_resize(&t.boxes, &heap_memory, (size_t)count));
    for (int k = 0; k < count; k++) {
        box3 b = box_around(k % 7 ? dice_vec(d, 5) : vec(1, 2, 3), 0); /* some of them in one place */
        box_add(&b, carom_vec3_add(vec(b.low[0], b.low[1], b.low[2]), dice_vec(d, 0.4)));
        ((box3 *)t.boxes.data)[k] = b;
    }
    assert_true(facet_tree_build(&t, &heap_memory));
    return t;
}

/* Every box that meets the place comes out once, and no other. */
static void test_walks(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 9, BOXES};
    dice d = {2385};
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
        facet_tree t = tree_of(&d, counts[n]);
        for (int i = 0; i < WALKS; i++) {
            int seen[BOXES] = {0};
            box3 place = box_around(dice_vec(&d, 6), i % 3 ? dice_between(&d, 0, 2) : 0);
            facet_walk w = facet_walk_make(&t, place);
            for (int k; (k = facet_next(&w)) >= 0;)
                seen[k]++;
            for (int k = 0; k < counts[n]; k++)
                assert_int_equal(seen[k], boxes_meet((const box3 *)t.boxes.data + k, &place));
        }
        store_free(&t.nodes, &heap_memory);
        store_free(&t.items, &heap_memory);
        store_free(&t.boxes, &heap_memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests_name("facet_tree", tests, NULL, NULL);
}

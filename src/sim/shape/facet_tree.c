#include "sim/shape/facet_tree.h"

enum { LEAF_FACETS = 4 };

static const box3 *box_of(const facet_tree *t, int item)
{
    return (const box3 *)t->boxes.data + store_ints(&t->items)[item];
}

static box3 box_of_all(const facet_tree *t, int first, int count)
{
    box3 sum = *box_of(t, first);
    for (int i = first + 1; i < first + count; i++)
        box_join(&sum, box_of(t, i));
    return sum;
}

/* Twice the middle of a box along an axis. */
static double middle(const facet_tree *t, int item, int axis)
{
    return box_of(t, item)->low[axis] + box_of(t, item)->high[axis];
}

static void swap(const facet_tree *t, int i, int j)
{
    int *items = store_ints(&t->items), kept = items[i];
    items[i] = items[j];
    items[j] = kept;
}

/* Hoare's selection: items low ... high - 1 are put so that none before half has a larger middle than any behind it. */
static void select_half(const facet_tree *t, int low, int high, int half, int axis)
{
    high--;
    while (low < high) {
        double pivot = middle(t, low + (high - low) / 2, axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(t, i, axis) < pivot)
                i++;
            while (middle(t, j, axis) > pivot)
                j--;
            if (i <= j)
                swap(t, i++, j--);
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

static int longest_axis(const box3 *b)
{
    double x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* The node of some items; returns its number. The store has room for all nodes. */
static int add_node(facet_tree *t, int first, int count)
{
    int number = (int)t->nodes.count++;
    facet_node *node = (facet_node *)t->nodes.data + number;
    *node = (facet_node){box_of_all(t, first, count), first, count, -1};
    if (count <= LEAF_FACETS)
        return number;
    int half = count / 2;
    select_half(t, first, first + count, first + half, longest_axis(&node->box));
    node->count = 0;
    add_node(t, first, half);
    node->right = add_node(t, first + half, count - half);
    return number;
}

bool facet_tree_build(facet_tree *t, const carom_memory *memory)
{
    size_t n = t->boxes.count;
    if (!store_resize(&t->items, memory, n) || !store_reserve(&t->nodes, memory, 2 * n))
        return false;
    for (size_t k = 0; k < n; k++)
        store_ints(&t->items)[k] = (int)k;
    if (n)
        add_node(t, 0, (int)n);
    return true;
}

facet_walk facet_walk_make(const facet_tree *t, box3 near)
{
    facet_walk w = {.tree = t, .near = near, .depth = t->nodes.count > 0};
    return w;
}

/* The next leaf that the box meets; false when there is none. */
static bool next_leaf(facet_walk *w)
{
    while (w->depth) {
        int number = w->stack[--w->depth];
        const facet_node *node = (const facet_node *)w->tree->nodes.data + number;
        if (!boxes_meet(&node->box, &w->near))
            continue;
        if (node->count) {
            w->at = node->first;
            w->end = node->first + node->count;
            return true;
        }
        w->stack[w->depth++] = node->right;
        w->stack[w->depth++] = number + 1;
    }
    return false;
}

int facet_next(facet_walk *w)
{
    for (;;) {
        while (w->at < w->end) {
            int item = w->at++;
            if (boxes_meet(box_of(w->tree, item), &w->near))
                return store_ints(&w->tree->items)[item];
        }
        if (!next_leaf(w))
            return -1;
    }
}

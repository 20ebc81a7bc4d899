/* A tree of boxes around the facets of meshes: those near a place are found in about log2 of their number. */
#ifndef CAROM_SIM_FACET_TREE_H
#define CAROM_SIM_FACET_TREE_H

#include "sim/world/store.h"

typedef struct box3 {
    double low[3], high[3];
} box3;

/* A leaf holds count facets from first on in the items; the children of any other node are the next one and right. */
typedef struct facet_node {
    box3 box;
    int first, count, right;
} facet_node;

typedef struct facet_tree {
    store nodes, items; /* facet_node; int */
    store boxes;        /* box3, one per facet */
} facet_tree;

enum { FACET_DEPTH = 64 }; /* of the tree: each level halves the facets */

/* The tree over the boxes, which have been filled in. False: memory ends. */
bool facet_tree_build(facet_tree *t, const carom_memory *memory);

static inline bool boxes_meet(const box3 *a, const box3 *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

/* A walk over the facets whose boxes meet a box: facet_next gives their numbers, then -1. */
typedef struct facet_walk {
    const facet_tree *tree;
    box3 near;
    int stack[FACET_DEPTH], depth;
    int at, end; /* in the items */
} facet_walk;

facet_walk facet_walk_make(const facet_tree *t, box3 near);
int facet_next(facet_walk *w);

/* The box within a distance of a point. */
static inline box3 box_around(carom_vec3 x, double reach)
{
    box3 b = {{x.x - reach, x.y - reach, x.z - reach}, {x.x + reach, x.y + reach, x.z + reach}};
    return b;
}

static inline void box_join(box3 *sum, const box3 *b)
{
    for (int k = 0; k < 3; k++) {
        sum->low[k] = b->low[k] < sum->low[k] ? b->low[k] : sum->low[k];
        sum->high[k] = b->high[k] > sum->high[k] ? b->high[k] : sum->high[k];
    }
}

static inline void box_add(box3 *b, carom_vec3 x)
{
    box3 point = box_around(x, 0);
    box_join(b, &point);
}

#endif

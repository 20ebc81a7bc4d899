/* The ends of an impact with friction at the end, where there may be several: see patch_search.c. */
#ifndef CAROM_LAWS_PATCH_SEARCH_H
#define CAROM_LAWS_PATCH_SEARCH_H

#include "laws/patch/patch_resolve.h"

enum { ENDS = 8 };

typedef struct patch_ends {
    int count;
    patch_solution at[ENDS];
} patch_ends;

/* phi(p_n) = K_nn p_n + k.P(p_n) - c rises by `up` per p_n at most, and falls by `down`. */
typedef struct patch_target {
    const carom_patch_contact *x;
    double c, up, down;
} patch_target;

/* With these groups of slips free, from s->V; false where that is no end. */
bool carom_patch_end_in_mode(const patch_target *t, int groups, patch_solution *s);

/* All ends with a p_n between two bounds, in order. */
carom_status carom_patch_search(const patch_target *t, double first, double last, patch_ends *ends);

#endif

/* The slips at the end of a given normal impulse, whatever holds: see patch_resolve.c. */
#ifndef CAROM_LAWS_PATCH_RESOLVE_H
#define CAROM_LAWS_PATCH_RESOLVE_H

#include "laws/patch/patch_free.h"

/* The resolvent: V with V + p K_TT dPsi(V) containing U + p k, which has one solution; from s->V, where that is close.
 */
carom_status carom_patch_resolve(const carom_patch_contact *x, const double *U, double p, patch_solution *s);

/* The groups of slips that are free in a solution. */
int carom_patch_groups(const carom_patch_contact *x, const double *V);

/* Does p hold what the groups at rest carry? */
bool carom_patch_holds(const carom_patch_contact *x, int groups, const patch_solution *s);

#endif

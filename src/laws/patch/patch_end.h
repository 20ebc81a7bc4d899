/* Whittaker's law with a patch: see patch_end.c. */
#ifndef CAROM_LAWS_PATCH_END_H
#define CAROM_LAWS_PATCH_END_H

#include "laws/patch/patch_search.h"

carom_status carom_patch_end(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                             carom_outcome *out);

/* All ends with a change c >= 0 of the normal velocity, in the order of p_n: one at least, unless a status says why. */
carom_status carom_patch_ends(const carom_patch_contact *x, double c, patch_ends *ends);

#endif

/* Whittaker's law with a patch: see patch_end.c. */
#ifndef CAROM_LAWS_PATCH_END_H
#define CAROM_LAWS_PATCH_END_H

#include "laws/patch/patch_contact.h"

carom_status carom_patch_end(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                             carom_outcome *out);

#endif

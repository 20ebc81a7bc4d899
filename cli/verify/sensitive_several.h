/* Lists of words and numbers of cases with several contacts: which differences are none, and which a change of a few
 * ulp in the input removes. */
#ifndef CAROM_CLI_SENSITIVE_SEVERAL_H
#define CAROM_CLI_SENSITIVE_SEVERAL_H

#include <stdbool.h>

#include "carom/case.h"
#include "json.h"

/* Is this list the expected one? Events of the same instant may be in any order, and a slip that only its own end
 * follows, with no velocity, is none. */
bool sensitive_same(const carom_case *c, const carom_several_result *result, const char *key, const json_t *want,
                    const json_t *got);

/* Some problem within 16 ulp of this one is answered with this list under this key. */
bool sensitive_several(const carom_case *c, const char *key, const json_t *want);

#endif

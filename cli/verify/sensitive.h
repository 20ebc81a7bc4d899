/* Cases on the border between two branches of a law: a change of a few ulp in the input decides the words of the
 * answer, so that both are right. */
#ifndef CAROM_CLI_SENSITIVE_H
#define CAROM_CLI_SENSITIVE_H

#include <stdbool.h>

#include "carom/case.h"
#include "json.h"

/* Some problem a few ulp from this one is answered with this mode. */
bool sensitive_mode(const carom_case *c, const char *mode);

/* Some problem a few ulp from this one is answered with these words under this key ("events", "modes"). */
bool sensitive_list(const carom_case *c, const char *key, const json_t *words);

#endif

/* The bounds on the text of a case, checked before any of it is parsed. */
#ifndef CAROM_IO_LIMITS_H
#define CAROM_IO_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/case.h"

/* The rule that the text breaks, in rule; false when it breaks one. */
bool carom_internal_limits_check(const carom_text *text, char *rule, size_t room);

#endif

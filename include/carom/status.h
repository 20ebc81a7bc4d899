/* Carom: what a call says about its own success.
 *
 * Every function that can fail on data or numerics returns a carom_status, and its outputs are defined on
 * every status. Programmer errors (null pointers, sizes that contradict each other) are not statuses: they are
 * assertions, see carom/assert.h. */
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#include <stdbool.h>

#include "carom/export.h"

CAROM_BEGIN

typedef enum carom_status {
#define CAROM_STATUS(name, value, id, kind, message) CAROM_STATUS_##name = value,
#include "carom/status.def"
#undef CAROM_STATUS
    CAROM_STATUS_COUNT
} carom_status;

/* The permanent id, e.g. "separating". Never null. */
CAROM_API const char *carom_status_id(carom_status status);

/* One sentence for people. Never null. */
CAROM_API const char *carom_status_message(carom_status status);

/* True when the outcome is a full answer: ok, separating or grazing. */
CAROM_API bool carom_status_is_answer(carom_status status);

/* True when there is no answer: the input was refused, or a bound was reached. This is what to test after carom_solve;
 * a contact that separates or grazes has a status of its own, and is no error:
 *
 *     if (carom_status_is_error(carom_solve(&problem, &rule, NULL, &out)))
 *         return 1;
 */
CAROM_API bool carom_status_is_error(carom_status status);

/* True when the input was refused and the outcome is zero. */
CAROM_API bool carom_status_is_refusal(carom_status status);

CAROM_END

#endif

/* Memory for the JSON of one case, given back all at once: a stream of cases spends little on malloc and free. */
#ifndef CAROM_CLI_ARENA_H
#define CAROM_CLI_ARENA_H

#include <stdbool.h>

/* From here on trees of JSON live in the arena. */
void arena_start(void);

/* An allocation has failed since the last reset: JSON made since then may lack parts. */
bool arena_is_short(void);

/* Forget every JSON value made since arena_start; none may be used or freed any more. */
void arena_reset(void);

/* Trees of JSON live where they did before. */
void arena_end(void);

#endif

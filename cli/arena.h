/* Memory for the JSON of one case, given back all at once: a stream of cases spends little on malloc and free. */
#ifndef CAROM_CLI_ARENA_H
#define CAROM_CLI_ARENA_H

/* From here on jansson allocates in the arena. */
void arena_start(void);

/* Forget every JSON value made since arena_start; none may be used or freed any more. */
void arena_reset(void);

/* Jansson allocates as before. */
void arena_end(void);

#endif

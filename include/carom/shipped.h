/* Carom: the cases and scenes that come with it, as texts. Library carom-io; not part of carom/carom.h. */
#ifndef CAROM_SHIPPED_H
#define CAROM_SHIPPED_H

#include "carom/json.h"

CAROM_BEGIN

typedef enum carom_shelf { CAROM_SHELF_EXAMPLES, CAROM_SHELF_SCENES, CAROM_SHELF_COUNT } carom_shelf;

typedef struct carom_shipped {
    const char *name; /* "ball" */
    const char *file; /* "ball.json" */
    const char *text; /* ends with a zero byte */
} carom_shipped;

/* File i of a shelf, in the order of names; null beyond the last. */
CAROM_API const carom_shipped *carom_shipped_at(carom_shelf shelf, int i);

/* By its name, or by the name of its file; null when there is none. The nearest name is for a hint, or null. */
CAROM_API const carom_shipped *carom_shipped_find(carom_shelf shelf, const char *word);
CAROM_API const char *carom_shipped_nearest(carom_shelf shelf, const char *word);

/* What the file calls itself, in new memory that the caller frees; of JSON Lines what the first line does. */
CAROM_API char *carom_shipped_title(const carom_shipped *one);

CAROM_END

#endif

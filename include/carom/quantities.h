/* Carom: what an answer says in numbers and words, column by column (carom/quantities.def). Library carom-io; not part
 * of carom/carom.h. */
#ifndef CAROM_QUANTITIES_H
#define CAROM_QUANTITIES_H

#include "carom/case.h"

CAROM_BEGIN

/* The numbers: their columns, and their values; NaN where one is not defined. */
CAROM_API int carom_quantity_count(void);
CAROM_API const char *carom_quantity_name(int i);
CAROM_API double carom_quantity_value(const carom_case *c, const carom_result *result, int i);

/* The words: law, status, mode and flags; flags are separated by spaces. */
enum { CAROM_QUANTITY_WORDS = 4, CAROM_QUANTITY_WORD = 256 };
CAROM_API const char *carom_quantity_word_name(int k);
CAROM_API void carom_quantity_word(const carom_case *c, const carom_result *result, int k,
                                   char text[CAROM_QUANTITY_WORD]);

CAROM_END

#endif

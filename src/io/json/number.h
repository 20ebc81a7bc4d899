/* Numbers as text, the same in every locale. */
#ifndef CAROM_IO_NUMBER_H
#define CAROM_IO_NUMBER_H

#include "carom/json.h"

/* printf's %.*g, with a point in every locale. Returns text. */
const char *carom_internal_number_rounded(char text[CAROM_NUMBER_SIZE], double value, int digits);

/* printf's %.*f of a number below 1e9, with a point. */
const char *carom_internal_number_fixed(char text[CAROM_NUMBER_SIZE], double value, int decimals);

/* The double nearest to a number in JSON's grammar, in every locale; infinite when none is near. */
double carom_internal_number_read(const char *text, size_t length);

#endif

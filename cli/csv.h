/* Cells of CSV. */
#ifndef CAROM_CLI_CSV_H
#define CAROM_CLI_CSV_H

#include <stdio.h>

/* A cell after a comma; a number that is NaN is an empty one. */
void csv_word(FILE *out, const char *word);
void csv_number(FILE *out, double value);

#endif

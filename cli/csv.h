/* Answers as CSV: one row per case. The columns are listed in quantities.def, after name, law, status and mode. */
#ifndef CAROM_CLI_CSV_H
#define CAROM_CLI_CSV_H

#include <stdio.h>

#include "carom/case.h"

/* The names of the columns, each after a comma. */
void csv_head(FILE *out);

/* The numbers of one answer, each after a comma; those that are not defined are empty. */
void csv_numbers(FILE *out, const carom_result *result);

/* law, status, mode and flags of one answer, each after a comma; flags are separated by spaces. */
void csv_words(FILE *out, const carom_case *c, const carom_result *result);

/* The columns and their numbers, for other formats. */
int csv_column_count(void);
const char *csv_column(int i);
double csv_number(const carom_result *result, int i); /* NaN where not defined */

#endif

/* The distribution of numbers that come in shares, without keeping them.
 *
 * Mean and spread are summed share by share and the shares in their order, percentiles are counted in bins a part in
 * 4,096 wide: the result is the same whoever has computed which share. */
#ifndef CAROM_CLI_STATISTICS_H
#define CAROM_CLI_STATISTICS_H

#include <stdio.h>

#include "ranks.h"

typedef struct statistics statistics;

statistics *statistics_make(long shares);
void statistics_free(statistics *s);

/* The numbers of one share; those that are NaN do not count. */
void statistics_add(statistics *s, long share, const double *values, size_t count);

/* Bring together what the ranks have counted; only rank 0 may ask afterwards. */
void statistics_join(statistics *s);

/* A row of a table under statistics_head. */
void statistics_head(FILE *out);
void statistics_print(FILE *out, const statistics *s, const char *name);

#endif

/* Carom: the distribution of numbers that come in shares, without keeping them.
 *
 * Mean and spread are summed share by share and the shares in their order, percentiles are counted in bins a part in
 * 4,096 wide: the result is the same whoever has computed which share. The state is an array of doubles that starts as
 * zeros: arrays of several computers that have taken different shares may be added.
 *
 *     double *s = calloc(carom_statistics_room(shares), sizeof *s);
 *     carom_statistics_add(s, 0, values, count);
 *     carom_summary all = carom_statistics_summary(s, shares); */
#ifndef CAROM_STATISTICS_H
#define CAROM_STATISTICS_H

#include <stddef.h>

#include "carom/export.h"

CAROM_BEGIN

enum { CAROM_SUMMARY_PERCENTS = 7 };

typedef struct carom_summary {
    double count, mean, deviation, least, most; /* all but count are NaN when count is 0 */
    double percentile[CAROM_SUMMARY_PERCENTS];  /* at carom_summary_percent(i) */
} carom_summary;

/* 1, 5, 25, 50, 75, 95, 99. */
CAROM_API double carom_summary_percent(int i);

/* How many doubles the state has. */
CAROM_API size_t carom_statistics_room(long shares);

/* The numbers of one share; those that are NaN or infinite do not count. */
CAROM_API void carom_statistics_add(double *state, long share, const double *values, size_t count);

CAROM_API carom_summary carom_statistics_summary(const double *state, long shares);

CAROM_END

#endif

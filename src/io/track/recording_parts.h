/* What the files about recordings share. */
#ifndef CAROM_IO_RECORDING_PARTS_H
#define CAROM_IO_RECORDING_PARTS_H

#include "carom/recording.h"
#include "io/case/reader.h"

typedef struct recording_word {
    const char *word;
    unsigned bit;
} recording_word;

extern const recording_word recording_words[]; /* of "fit", ended by null */

/* The median; the numbers are sorted. */
double median_of(double *numbers, int count);

/* Numbers as an array. */
json_t *json_numbers(const double *numbers, int count);

#endif

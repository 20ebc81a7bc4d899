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

/* Put in the frames that records without faults lack; false: no memory. */
bool recording_fill(carom_recording *rec);

/* Where they are: record, the frame of the file before them, how many. */
json_t *missing_json(const carom_recording *rec);

/* The distance of the furthest point from the tracked centre. */
double tracked_size(const carom_tracked *b);

/* Mean rate and acceleration of a coordinate over frames: a parabola by least squares; the weight is that of the
 * acceleration. */
void parabola(const double *z, int n, double dt, double *rate, double *acceleration, double *weight);

/* The friction of every record that slides on a face; returns how many. */
int recording_slides(const carom_recording *rec, double *list);

/* The median; the numbers are sorted. */
double median_of(double *numbers, int count);

/* Numbers as an array. */
json_t *json_numbers(const double *numbers, int count);

#endif

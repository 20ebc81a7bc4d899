/* What a run leaves behind: samples of all bodies that move, and events as lines of JSON. No Python here, so that it
 * can grow while other threads hold the interpreter. */
#ifndef CAROM_PYTHON_RECORD_H
#define CAROM_PYTHON_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "carom/scene_file.h"

/* Numbers of one body in a sample: position, orientation (w, x, y, z), velocity, omega. */
enum { RECORD_STATE = 13 };
/* Numbers of a sample besides: time, and the energy of the scene. */
enum { RECORD_HEAD = 2 };

typedef struct record {
    char *bytes; /* what the stream holds, once it is closed */
    size_t length;
    FILE *stream;
} record;

typedef struct run_record {
    const carom_scene_file *file;
    const carom_sim *sim;
    record samples, events;
    carom_result result;
    bool keeps_events;
    bool failed; /* memory has ended */
    long long unrepeated;
} run_record;

/* Open both streams; false when memory ends. */
bool run_record_start(run_record *r);
/* Close what is open and forget everything. */
void run_record_end(run_record *r);

void run_record_sample(run_record *r);
bool run_record_event(void *context, const carom_sim_event *event); /* an observer's after */

double state_number(const carom_sim_state *s, int i); /* the i-th of RECORD_STATE */

#endif

/* Carom: numbers of a run at its end by their paths, as in the summary of `carom sim --json`. Library carom-io; not
 * part of carom/carom.h.
 *
 *     time, impacts, events, energy.after, momentum.linear.0
 *     bodies.coin.position, .orientation (planar: .angle), .velocity, .omega      all components, or one
 *     bodies.coin.resting     1 when it does not move, else 0
 *     bodies.coin.side        the body axis that points up: 1, 2, 3 for x, y, z, negative for the other way */
#ifndef CAROM_RECORDS_H
#define CAROM_RECORDS_H

#include <stdbool.h>

#include "carom/scene_file.h"

CAROM_BEGIN

enum { CAROM_RECORDS = 56, CAROM_END_NUMBER_NAME = 160 };

typedef struct carom_end_number {
    char name[CAROM_END_NUMBER_NAME];
    int quantity; /* of a run, or of a body */
    int body;     /* -1: of the run */
    int part;
} carom_end_number;

typedef struct carom_records {
    int count;
    carom_end_number list[CAROM_RECORDS];
} carom_records;

/* Add the names of a list with commas. */
CAROM_API CAROM_MUST_USE bool carom_records_read(carom_records *r, const char *option, const char *list,
                                                 const carom_scene_file *file, carom_case_error *error);

/* The place of a name, or -1. */
CAROM_API int carom_records_find(const carom_records *r, const char *name);

/* The body that a path NAME.KEY begins with, or -1, and where its key begins. The longest name counts: names may have
 * dots.
 */
CAROM_API int carom_scene_body_of_path(const carom_scene_file *file, const char *path, const char **key);

CAROM_API double carom_end_number_value(const carom_end_number *r, const carom_scene_file *file, const carom_sim *sim);

CAROM_END

#endif

/* Numbers of a run at its end by their paths, as in the summary of `carom sim --json`:
 *
 *     time, impacts, events, energy.after, momentum.linear.0
 *     bodies.coin.position, .orientation (planar: .angle), .velocity, .omega      all components, or one
 *     bodies.coin.resting     1 when it does not move, else 0
 *     bodies.coin.side        the body axis that points up: 1, 2, 3 for x, y, z, negative for the other way */
#ifndef CAROM_CLI_RECORDS_H
#define CAROM_CLI_RECORDS_H

#include <stdbool.h>

#include "carom/scene_file.h"

enum { RECORDS_MOST = 56, RECORD_NAME = 160 };

typedef struct record_entry {
    char name[RECORD_NAME];
    int quantity; /* of a run, or of a body */
    int body;     /* -1: of the run */
    int part;
} record_entry;

typedef struct records {
    int count;
    record_entry list[RECORDS_MOST];
} records;

/* Add the names of a list with commas; complains in the name of the option and returns false. */
bool records_read(records *r, const char *option, const char *list, const carom_scene_file *file);

/* The place of a name, or -1. */
int records_find(const records *r, const char *name);

/* The body that a path NAME.KEY begins with, or -1, and where its key begins. The longest name counts: names may have
 * dots.
 */
int body_of_path(const carom_scene_file *file, const char *path, const char **key);

double record_of(const record_entry *r, const carom_scene_file *file, const carom_sim *sim);

#endif

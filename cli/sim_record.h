/* A run kept in memory, for pages and pictures: the states of all moving bodies at every sample and on both sides of
 * every event, and the events. */
#ifndef CAROM_CLI_SIM_RECORD_H
#define CAROM_CLI_SIM_RECORD_H

#include "sim_run.h"

typedef struct sim_record {
    int *bodies; /* which ones move */
    int body_count;
    int *column; /* of body i in a frame, or -1 */
    double *times;
    carom_sim_state *states; /* frames x bodies */
    size_t frames, event_frames, room;
    json_t *events;
    carom_vec3 *marks; /* where the impacts were */
    int mark_count, mark_room;
    long long events_left_out;
    bool cut; /* memory for further frames was not allowed */
} sim_record;

/* Add the sink of a record to the run. */
void sim_record_open(sim_record *r, sim_run *run);

/* The highest rate of samples at which the whole run fits, at most as given. */
double sim_record_rate(const carom_scene_file *file, double rate);

/* Write the page; complains and returns false when it cannot be written or this build has no page. */
bool sim_page_is_known(void);
bool sim_page_write(const char *path, const sim_record *r, const sim_run *run);

/* Draw the run: one picture of several moments, or stills PREFIX-1.png, PREFIX-2.png ... (SVG and PDF by the ending).
 */
bool sim_picture_is_known(const char *path); /* complains about other endings */
bool sim_picture_write(const char *path, const sim_record *r, const sim_run *run);
bool sim_stills_write(const char *path, int count, const sim_record *r, const sim_run *run);

void sim_record_free(sim_record *r);

#endif

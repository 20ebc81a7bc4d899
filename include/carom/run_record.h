/* Carom: a run kept in memory, for pages and pictures: the states of all moving bodies at every sample and on both
 * sides of every event, and the events. And runs written as tables and lines. Library carom-io; not part of
 * carom/carom.h.
 *
 *     carom_run_record r = {0};
 *     if (carom_run_record_open(&r, &run))            before the run
 *         carom_scene_run_go(&run);
 *     carom_run_record_page(&r, &run, page, out);     page: the text of web/replay/dist/replay.html
 *     carom_run_record_free(&r);
 *
 * carom/plot_motion.h draws it. */
#ifndef CAROM_RUN_RECORD_H
#define CAROM_RUN_RECORD_H

#include "carom/scene_run.h"

CAROM_BEGIN

typedef struct carom_run_record {
    int *bodies; /* which ones move */
    int body_count;
    int *column; /* of body i in a frame, or -1 */
    double *times;
    carom_sim_state *states; /* frames x bodies */
    size_t frames, event_frames, room;
    carom_json *events;
    carom_vec3 *marks; /* where the impacts were */
    int mark_count, mark_room;
    long long events_left_out;
    bool cut;  /* memory for further frames was not allowed */
    bool lost; /* memory has ended */
} carom_run_record;

/* Add the sink of a record to the run; false when memory ends. Free it either way. */
CAROM_API CAROM_MUST_USE bool carom_run_record_open(carom_run_record *r, carom_scene_run *run);
CAROM_API void carom_run_record_free(carom_run_record *r);

/* The highest rate of samples at which the whole run fits, at most as given. */
CAROM_API double carom_run_record_rate(const carom_scene_file *file, double rate);

/* Write the page that replays the run; false when memory or the disk ends, and when the page has no place for a run. */
CAROM_API bool carom_run_record_page(const carom_run_record *r, const carom_scene_run *run, const char *page,
                                     FILE *out);

/* Sinks that write a line per sample into a stream, the context: JSON Lines, or a table, whose head is written by
 * carom_run_table_head. */
CAROM_API carom_run_sink carom_run_lines(FILE *out);
CAROM_API carom_run_sink carom_run_table(FILE *out);
CAROM_API void carom_run_table_head(FILE *out, const carom_scene_file *file);

/* A text as a cell of comma-separated values. */
CAROM_API void carom_csv_text(FILE *out, const char *text);

/* Run a scene with options of carom_request and write it: .html (page is the text of the replay page), .svg, .png,
 * .pdf, .csv or .jsonl by the ending of path. A path of null writes the picture as SVG into out. */
typedef struct carom_run_file {
    const char *path, *page;
    FILE *out;
} carom_run_file;

CAROM_API CAROM_MUST_USE bool carom_run_save(const carom_text *scene, const char *options, const carom_run_file *to,
                                             carom_case_error *error);

CAROM_END

#endif

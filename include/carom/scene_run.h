/* Carom: a run of a scene: samples and events go to whoever wants them, meetings are counted. Library carom-io; not
 * part of carom/carom.h.
 *
 *     carom_scene_run run = {.rate = file.rate};
 *     if (!carom_scene_run_start(&run, &file, &error))
 *         puts(error.message);
 *     carom_scene_run_add(&run, &sink);
 *     carom_scene_run_go(&run);
 *     carom_json *summary = carom_scene_run_json(&run, true);         how it ended: the summary of `carom sim --json`
 *     carom_scene_run_free(&run);
 *
 * Everything a run has seen so far is valid: it ends early when its watcher says so, when a sink cannot write, and when
 * a law refuses. */
#ifndef CAROM_SCENE_RUN_H
#define CAROM_SCENE_RUN_H

#include "carom/run.h"
#include "carom/scene_file.h"
#include "carom/settings.h"

CAROM_BEGIN

typedef struct carom_scene_run carom_scene_run;

/* One writer. Functions may be null; they return false when nothing more can be written. before comes before an
 * impact, event after each event. */
typedef struct carom_run_sink {
    bool (*sample)(void *context, const carom_scene_run *run);
    bool (*before)(void *context, const carom_scene_run *run, const carom_sim_event *event);
    bool (*event)(void *context, const carom_scene_run *run, const carom_sim_event *event);
    void *context;
    bool wants_lines; /* events need run->line */
} carom_run_sink;

enum { CAROM_RUN_SINKS = 4, CAROM_RUN_PAIRS = 1 << 12 };

/* How often two bodies met. */
typedef struct carom_run_pair {
    int a, b;
    long long count;
} carom_run_pair;

/* Set rate and watcher, zero the rest. */
struct carom_scene_run {
    const carom_scene_file *file;
    carom_sim *sim;
    double rate;           /* samples per second; 0: none */
    carom_watcher watcher; /* or zero; the share of the run that is over */
    carom_run_sink sinks[CAROM_RUN_SINKS];
    int sink_count;
    bool wants_lines, wants_before;
    carom_json *line; /* the event at hand, when a sink wants it */
    carom_result result;
    carom_run_pair *pairs; /* a hash table of CAROM_RUN_PAIRS entries */
    int pair_count;
    long long unlisted;   /* meetings of further pairs */
    long long unrepeated; /* impacts whose case does not give the same bits */
    bool failed;          /* a sink could not write */
    bool interrupted;     /* by the watcher */
    carom_sim_stop stop;
    carom_status status; /* of the simulation */
};

/* Make the simulation; false when the scene is refused. */
CAROM_API CAROM_MUST_USE bool carom_scene_run_start(carom_scene_run *run, const carom_scene_file *file,
                                                    carom_case_error *error);
CAROM_API void carom_scene_run_add(carom_scene_run *run, const carom_run_sink *sink);

/* The N-th impact of a run, as a case: of the mechanism where links meet the world or each other. tree is null until it
 * has come, and belongs to the caller. */
typedef struct carom_run_impact {
    long long number, seen;
    carom_json *tree;
} carom_run_impact;

CAROM_API void carom_scene_run_want(carom_scene_run *run, carom_run_impact *impact);

/* Go on until the scene's end. */
CAROM_API void carom_scene_run_go(carom_scene_run *run);

/* False, with the error, when the simulation refused to go on. */
CAROM_API bool carom_scene_run_check(const carom_scene_run *run, carom_case_error *error);

CAROM_API void carom_scene_run_free(carom_scene_run *run);

/* Does body i of a scene move: by itself, or driven? */
CAROM_API bool carom_scene_moves(const carom_scene_file *file, int i);

/* ---- what happened ---- */

/* Why it ended: a word and a sentence. */
CAROM_API const char *carom_scene_run_word(const carom_scene_run *run);
CAROM_API const char *carom_scene_run_message(const carom_scene_run *run);

/* The pairs that met, most often first; the caller frees the list. Null when memory ends. */
CAROM_API carom_run_pair *carom_scene_run_meetings(const carom_scene_run *run);

/* The roads of movable bodies: how many are on each, when the first left the exact one (infinite: none did), and the
 * largest of the errors that steps have left, m. */
typedef struct carom_run_roads {
    int bodies[CAROM_SIM_ROAD_COUNT];
    double exact_until, error;
} carom_run_roads;

CAROM_API carom_run_roads carom_scene_run_roads(const carom_scene_run *run);

/* The summary; with the states of bodies if wanted. And a sample as {"t", "bodies"}. */
CAROM_API carom_json *carom_scene_run_json(const carom_scene_run *run, bool bodies);
CAROM_API carom_json *carom_scene_run_sample(const carom_scene_run *run);

CAROM_END

#endif

/* Carom: pictures of a run of the simulator. Library carom-io, needs cairo; not part of carom/carom.h.
 *
 * The caller keeps the states of the bodies that move, frame by frame, and says which frames to draw; the view is the
 * same whichever they are, so that stills of one run fit each other. */
#ifndef CAROM_PLOT_MOTION_H
#define CAROM_PLOT_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/export.h"
#include "carom/plot.h"
#include "carom/run_record.h"

CAROM_BEGIN

typedef struct carom_motion_plot {
    const carom_scene_file *file;
    const int *bodies; /* of the scene: those whose states are given */
    int body_count, frames;
    const carom_sim_state *states; /* frames x body_count */
    const double *times;           /* of the frames; null: no time is written */
    const int *shown;              /* frames to draw, in order; later ones are drawn stronger */
    int shown_count;
    const carom_vec3 *marks; /* places to mark: impacts */
    int mark_count;
    bool trails; /* the paths of the centres, up to the last frame shown */
    const char *title;
} carom_motion_plot;

/* A new picture, or null with one sentence in why. */
CAROM_API carom_picture *carom_plot_motion(const carom_motion_plot *request, char *why, size_t room);

/* A recorded run as one picture of several moments, and moment i of count by itself. */
CAROM_API carom_picture *carom_run_picture(const carom_run_record *r, const carom_scene_run *run, char *why,
                                           size_t room);
CAROM_API carom_picture *carom_run_still(const carom_run_record *r, const carom_scene_run *run, int i, int count,
                                         char *why, size_t room);

CAROM_END

#endif

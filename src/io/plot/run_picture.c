/* A run as pictures: one of several moments, or stills. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/plot_motion.h"

enum { MOMENTS = 9, FEW = 64 }; /* moments of a picture; bodies up to which trails and marks are drawn */

/* The last frame at or before a time: after the event, where there is one. */
static int frame_at(const carom_run_record *r, double time)
{
    int low = 0, high = (int)r->frames - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (r->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void wrap(double *x, double period)
{
    if (period > 0)
        *x -= period * floor(*x / period);
}

/* Bodies of a scene that repeats are drawn in the box that it repeats; of any other scene where they are. */
static carom_sim_state *drawn_states(const carom_run_record *r, const carom_scene *scene)
{
    size_t count = r->frames * (size_t)r->body_count;
    carom_sim_state *states = malloc((count + 1) * sizeof *states);
    for (size_t i = 0; i < count && states; i++) {
        states[i] = r->states[i];
        wrap(&states[i].position.x, scene->period.x);
        wrap(&states[i].position.y, scene->period.y);
        wrap(&states[i].position.z, scene->period.z);
    }
    return states;
}

static carom_picture *draw(const carom_run_record *r, const carom_scene_run *run, carom_motion_plot *m, char *why,
                           size_t room)
{
    carom_sim_state *states = drawn_states(r, &run->file->scene);
    snprintf(why, room, "cannot be drawn");
    m->file = run->file;
    m->bodies = r->bodies;
    m->body_count = r->body_count;
    m->states = states;
    m->frames = (int)r->frames;
    m->times = r->times;
    m->title = run->file->name;
    m->trails = r->body_count <= FEW && carom_vec3_length(run->file->scene.period) == 0;
    carom_picture *picture = states ? carom_plot_motion(m, why, room) : NULL;
    free(states);
    return picture;
}

static double moment(const carom_run_record *r, int i, int count)
{
    double from = r->times[0], to = r->times[r->frames - 1];
    return count > 1 ? from + (to - from) * i / (count - 1) : to;
}

carom_picture *carom_run_picture(const carom_run_record *r, const carom_scene_run *run, char *why, size_t room)
{
    int shown[MOMENTS], count = r->body_count > FEW ? 1 : MOMENTS;
    for (int i = 0; i < count; i++)
        shown[i] = frame_at(r, moment(r, i, count));
    carom_motion_plot m = {.shown = shown, .shown_count = count, .marks = r->marks, .mark_count = r->mark_count};
    if (r->body_count > FEW)
        m.mark_count = 0;
    return draw(r, run, &m, why, room);
}

carom_picture *carom_run_still(const carom_run_record *r, const carom_scene_run *run, int i, int count, char *why,
                               size_t room)
{
    int shown = frame_at(r, moment(r, i, count));
    carom_motion_plot m = {.shown = &shown, .shown_count = 1};
    return draw(r, run, &m, why, room);
}

/* A run as pictures: one of several moments, or stills. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/plot_motion.h"
#include "cli.h"
#include "sim_record.h"

enum { MOMENTS = 9, PATH_ROOM = 4096 };

bool sim_picture_is_known(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0))
        return true;
    complain("%s: unknown ending; known are .svg, .png and .pdf", path);
    return false;
}

/* The last frame at or before a time: after the event, where there is one. */
static int frame_at(const sim_record *r, double time)
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
static carom_sim_state *drawn_states(const sim_record *r, const carom_scene *scene)
{
    size_t count = r->frames * (size_t)r->body_count;
    carom_sim_state *states = must_have(malloc((count + 1) * sizeof *states));
    for (size_t i = 0; i < count; i++) {
        states[i] = r->states[i];
        wrap(&states[i].position.x, scene->period.x);
        wrap(&states[i].position.y, scene->period.y);
        wrap(&states[i].position.z, scene->period.z);
    }
    return states;
}

static bool write_moments(const char *path, const sim_record *r, const sim_run *run, carom_motion_plot *m)
{
    char why[256] = "cannot be drawn";
    carom_sim_state *states = drawn_states(r, &run->file->scene);
    m->file = run->file;
    m->bodies = r->bodies;
    m->body_count = r->body_count;
    m->states = states;
    m->frames = (int)r->frames;
    m->title = run->file->name;
    m->trails = r->body_count <= 64 && carom_vec3_length(run->file->scene.period) == 0;
    carom_picture *picture = carom_plot_motion(m, why, sizeof why);
    bool fine = picture && carom_picture_write(picture, path, why, sizeof why);
    carom_picture_free(picture);
    free(states);
    if (!fine)
        complain("%s: %s", path, why);
    return fine;
}

static double moment(const sim_record *r, int i, int count)
{
    double from = r->times[0], to = r->times[r->frames - 1];
    return count > 1 ? from + (to - from) * i / (count - 1) : to;
}

bool sim_picture_write(const char *path, const sim_record *r, const sim_run *run)
{
    int shown[MOMENTS], count = r->body_count > 64 ? 1 : MOMENTS;
    for (int i = 0; i < count; i++)
        shown[i] = frame_at(r, moment(r, i, count));
    carom_motion_plot m = {.shown = shown, .shown_count = count, .marks = r->marks, .mark_count = r->mark_count};
    if (r->body_count > 64)
        m.mark_count = 0;
    return write_moments(path, r, run, &m);
}

bool sim_stills_write(const char *path, int count, const sim_record *r, const sim_run *run)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < count; i++) {
        char still[PATH_ROOM];
        int shown = frame_at(r, moment(r, i, count));
        carom_motion_plot m = {.shown = &shown, .shown_count = 1};
        if (snprintf(still, sizeof still, "%.*s-%d%s", (int)(dot - path), path, i + 1, dot) >= PATH_ROOM) {
            complain("%s: the name is too long", path);
            return false;
        }
        if (!write_moments(still, r, run, &m))
            return false;
    }
    return true;
}

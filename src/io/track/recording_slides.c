/* Friction of a body that slides on a face, from how it slows down. */
#include <math.h>
#include <stdlib.h>

#include "core/rotate.h"
#include "io/track/recording_parts.h"

enum { LEAST_SLIDE = 8, MOST_SLIDE = 256 }; /* frames */

#define LIES   0.02 /* of the size of the body: points this near to the floor bear it */
#define SLIDES 0.07 /* of the speed of a fall over the size of the body: slower is nearly at rest */
#define STEADY 0.3  /* of the speed: how fast the rim may turn */

/* As many points on the floor as a face has. */
static bool lies(const carom_tracked *b, carom_pose pose)
{
    int low = 0;
    for (int i = 0; i < b->point_count; i++)
        low += fabs(carom_tracked_gap(b, pose, i)) < LIES * tracked_size(b);
    return low >= b->dim && !pose.missing;
}

/* Along the floor. */
static carom_vec3 level(const carom_tracked *b, carom_vec3 v)
{
    *(b->dim == 3 ? &v.z : &v.y) = 0;
    return v;
}

static bool slides(const carom_tracked *b, const carom_pose *p)
{
    double least = SLIDES * sqrt(b->gravity * tracked_size(b)) * b->dt;
    carom_vec3 step = carom_vec3_sub(carom_tracked_com(b, p[1]), carom_tracked_com(b, p[0]));
    return lies(b, p[0]) && lies(b, p[1]) && carom_vec3_length(level(b, step)) > least;
}

/* The deceleration of frames p[0]...p[n - 1] over gravity; false where the body turns too fast for one number. */
static bool friction_of(const carom_tracked *b, const carom_pose *p, int n, double *mu)
{
    double coordinate[MOST_SLIDE], rate[3] = {0}, acceleration[3] = {0}, weight;
    for (int i = 0; i < b->dim; i++) {
        for (int k = 0; k < n; k++) {
            carom_vec3 x = level(b, carom_tracked_com(b, p[k]));
            coordinate[k] = i == 0 ? x.x : i == 1 ? x.y : x.z;
        }
        parabola(coordinate, n, b->dt, &rate[i], &acceleration[i], &weight);
    }
    double speed = sqrt(rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2]);
    carom_quat turn = quat_multiply(p[n - 1].q, quat_conjugate(p[0].q));
    double angle = 2 * sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double along = rate[0] * acceleration[0] + rate[1] * acceleration[1] + rate[2] * acceleration[2];
    *mu = -along / (speed * b->gravity);
    return angle / ((n - 1) * b->dt) * tracked_size(b) < STEADY * speed;
}

int recording_slides(const carom_recording *rec, double *list)
{
    int found = 0;
    for (int i = 0; i < rec->record_count; i++) {
        const carom_record *record = &rec->records[i];
        const carom_pose *p = rec->poses + record->first;
        int longest = 0, from = 0, run = 0;
        for (int k = 0; k + 1 < record->count && !record->fault; k++) {
            run = slides(&rec->body, p + k) && run < MOST_SLIDE - 1 ? run + 1 : 0;
            from = run > longest ? k + 1 - run : from;
            longest = run > longest ? run : longest;
        }
        if (longest >= LEAST_SLIDE && friction_of(&rec->body, p + from, longest, &list[found]))
            found++;
    }
    return found;
}

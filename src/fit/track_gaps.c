/* Frames that are missing from a record: a camera or a tracker leaves some out, most of all in an impact, and the
 * frames after them are later than their numbers say. */
#include <math.h>
#include <string.h>

#include "core/num.h"
#include "core/rotate.h"
#include "fit/track_parts.h"

enum { MISSING_MOST = 6, ROUNDS = 4, GAPS = 64 };

#define ALIKE   0.2  /* of a step: by how much neighbours, and a multiple of them, may differ */
#define MOVES   20.0 /* deviations of a coordinate: a step that is clear of them */
#define MEETS   0.02 /* of the size of the body: how far apart flights may be where they meet */
#define CLEARLY 0.25 /* of the distance with any other number of missing frames */
#define REACH   2.0  /* frames around the cut in which the flights must meet */

/* A change of place, and of rotation times the size of the body. */
typedef struct change {
    carom_vec3 x, r;
} change;

static double dot(change a, change b)
{
    return carom_vec3_dot(a.x, b.x) + carom_vec3_dot(a.r, b.r);
}

static change mix(double p, change a, double q, change b)
{
    return (change){carom_vec3_add(carom_vec3_scale(p, a.x), carom_vec3_scale(q, b.x)),
                    carom_vec3_add(carom_vec3_scale(p, a.r), carom_vec3_scale(q, b.r))};
}

static double length(change a)
{
    return sqrt(dot(a, a));
}

static change between(double size, carom_pose from, carom_pose to)
{
    carom_vec3 turn = rotation_vector(quat_multiply(to.q, quat_conjugate(from.q)));
    return (change){carom_vec3_sub(to.x, from.x), carom_vec3_scale(size, turn)};
}

/* ---- flights that meet ---- */

/* The distance of the flights where they are nearest, when the second is late by a number of frames; infinite where
 * that is not near the impact. */
static double distance(const carom_tracked *b, const carom_track_impact *m, int late)
{
    double size = carom_vec3_length(b->corner[0]), t = (m->first + m->last + late) * b->dt / 2;
    change apart = {{0, 0, 0}, {0, 0, 0}};
    for (int round = 0; round < ROUNDS; round++) {
        carom_free_flight_state before = carom_free_flight_at(b, &m->flight[0], t),
                                after = carom_free_flight_at(b, &m->flight[1], t - late * b->dt);
        change rate = {carom_vec3_sub(after.v, before.v),
                       carom_vec3_scale(size, carom_vec3_sub(after.omega, before.omega))};
        apart = between(size, (carom_pose){.x = before.x, .q = before.q}, (carom_pose){.x = after.x, .q = after.q});
        double by = dot(rate, rate) > 0 ? dot(apart, rate) / dot(rate, rate) : 0;
        apart = mix(1, apart, -by, rate);
        t -= by;
    }
    bool near = t >= (m->first - REACH) * b->dt && t <= (m->last + late + REACH) * b->dt;
    return near ? length(apart) : INFINITY;
}

int missing_between(const carom_tracked *body, const carom_track_impact *m)
{
    double least = INFINITY, second = INFINITY;
    int best = 0;
    for (int late = 0; late <= MISSING_MOST; late++) {
        double d = distance(body, m, late);
        second = min(second, max(d, least));
        best = d < least ? late : best;
        least = min(least, d);
    }
    bool clear = least <= MEETS * carom_vec3_length(body->corner[0]) && least <= CLEARLY * second;
    return clear ? best : 0;
}

/* ---- steps that are multiples of their neighbours ---- */

/* Frames that are missing after frame k, in a flight. */
static int missing_after(const carom_tracked *b, const carom_pose *p)
{
    double size = carom_vec3_length(b->corner[0]);
    change before = between(size, p[-1], p[0]), step = between(size, p[0], p[1]), after = between(size, p[1], p[2]);
    change mean = mix(0.5, before, 0.5, after), gain = mix(1, after, -1, before);
    double unit = length(mean), times = floor(dot(step, mean) / dot(mean, mean) + 0.5);
    *(b->dim == 3 ? &gain.x.z : &gain.x.y) += (times + 1) * b->gravity * square(b->dt);
    bool steady = unit > MOVES * b->jitter && length(gain) <= ALIKE * unit;
    bool multiple = times >= 2 && times <= MISSING_MOST + 1 && length(mix(1, step, -times, mean)) <= ALIKE * unit;
    return steady && multiple ? (int)times - 1 : 0;
}

/* ---- frames that are put in ---- */

/* Poses after frame k, on a parabola to the next one. */
static void insert(const carom_tracked *b, int k, int missing, int count, carom_pose *poses)
{
    carom_pose from = poses[k], to = poses[k + 1];
    carom_vec3 turn = rotation_vector(quat_multiply(to.q, quat_conjugate(from.q)));
    memmove(poses + k + 1 + missing, poses + k + 1, (size_t)(count - k - 1) * sizeof *poses);
    for (int i = 1; i <= missing; i++) {
        double s = i / (missing + 1.0), lift = b->gravity / 2 * i * (missing + 1 - i) * square(b->dt);
        carom_pose *at = &poses[k + i];
        at->x = carom_vec3_add(carom_vec3_scale(1 - s, from.x), carom_vec3_scale(s, to.x));
        *(b->dim == 3 ? &at->x.z : &at->x.y) += lift;
        at->q = quat_multiply(rotation_by(carom_vec3_scale(s, turn)), from.q);
        at->missing = true;
    }
}

/* The longest step of an impact: frames are missing there. */
static int widest_step(const carom_tracked *b, const carom_pose *poses, int first, int last)
{
    double size = carom_vec3_length(b->corner[0]), most = -1;
    int widest = first - 1;
    for (int k = first - 1; k <= last; k++) {
        double d = length(between(size, poses[k], poses[k + 1]));
        widest = d > most ? k : widest;
        most = max(most, d);
    }
    return widest;
}

/* The first impact that lacks frames, or null. */
static const carom_track_impact *next_lack(const carom_tracked *b, int count, const carom_pose *poses,
                                           const carom_track_room *room)
{
    int found = carom_track_impacts(b, count, poses, room->mark, room->impacts, room->impact);
    for (int i = 0; i < found; i++)
        if (room->impact[i].missing > 0)
            return &room->impact[i];
    return NULL;
}

int carom_track_fill(const carom_tracked *body, int count, carom_pose *poses, const carom_track_room *room)
{
    for (int k = 1; k + 2 < count; k++) {
        int missing = missing_after(body, poses + k);
        if (missing > 0 && count + missing <= room->frames) {
            insert(body, k, missing, count, poses);
            count += missing;
            k += missing;
        }
    }
    for (int gap = 0; gap < GAPS; gap++) {
        const carom_track_impact *m = next_lack(body, count, poses, room);
        if (!m || count + m->missing > room->frames)
            break;
        insert(body, widest_step(body, poses, m->first, m->last), m->missing, count, poses);
        count += m->missing;
    }
    return count;
}

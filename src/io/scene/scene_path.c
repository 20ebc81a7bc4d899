/* "path" of a fixed body: {"harmonic": {...}}, or {"points": [...]}. */
#include <math.h>

#include "io/case/format.h"
#include "io/scene/scene.h"

#define TWO_PI 6.283185307179586
#define CLOSED 1e-9 /* m, rad: the last point of a path that repeats is the first */

static bool read_number(const reader *r, const place *at, const json_t *object, double *number)
{
    const json_t *value = json_object_get(object, at->key);
    return !value || reader_number(r, at, value, number);
}

/* The axis that angles are about: needed in space where there are any. */
static bool read_axis(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *axis)
{
    bool given = json_object_get(object, "axis");
    if (dim == 2)
        return !given || reader_fail(r, at, "has no meaning in a planar scene; angles are about z");
    if (!given)
        return reader_fail(r, at, "missing key: angles need the axis that they are about");
    if (!reader_world(r, at, object, dim, axis))
        return false;
    return fabs(carom_vec3_length(*axis) - 1) <= 1e-6 || reader_fail(r, at, "must be a unit vector");
}

static bool read_harmonic(const reader *r, const place *at, const json_t *object, int dim, carom_drive *d)
{
    place amplitude = {at, "amplitude"}, axis = {at, "axis"};
    if (!reader_object(r, at, object, FORMAT_harmonic))
        return false;
    if (!json_object_get(object, "amplitude") && !json_object_get(object, "angle"))
        return reader_fail(r, at, "give \"amplitude\" or \"angle\", or both");
    if (!reader_world(r, &amplitude, object, dim, &d->amplitude))
        return false;
    d->phase = json_number_value(json_object_get(object, "phase"));
    d->frequency = json_number_value(json_object_get(object, "frequency"));
    d->angle = json_number_value(json_object_get(object, "angle"));
    return d->angle == 0 || read_axis(r, &axis, object, dim, &d->axis);
}

/* ---- points ---- */

static bool read_point(const reader *r, const place *at, const json_t *object, int dim, carom_waypoint *p)
{
    place position = {at, "position"};
    if (!reader_object(r, at, object, FORMAT_waypoint))
        return false;
    p->time = json_number_value(json_object_get(object, "time"));
    p->angle = json_number_value(json_object_get(object, "angle"));
    return reader_world(r, &position, object, dim, &p->position);
}

static bool check_times(const reader *r, const place *at, const carom_waypoint *p, size_t k)
{
    place time = {at, "time"};
    if (k == 0)
        return p->time == 0 || reader_fail_number(r, &time, "the first point of a path is at time 0", p->time);
    return p->time > p[-1].time || reader_fail_number(r, &time, "times of a path must grow", p->time);
}

/* Velocities that a point does not give: the difference of its neighbours; none at the ends, unless it repeats. */
static void default_velocity(const carom_drive *d, carom_waypoint *points, int k)
{
    int n = d->point_count, last = k == n - 1;
    carom_waypoint *p = &points[k], before = points[k > 0 ? k - 1 : n - 2], after = points[last ? 1 : k + 1];
    p->velocity = carom_vec3_make(0, 0, 0);
    p->rate = 0;
    if ((k == 0 || last) && !d->repeats)
        return;
    double turn = points[n - 1].angle - points[0].angle, span = points[n - 1].time;
    if (k == 0)
        before.time -= span, before.angle -= turn;
    if (last)
        after.time += span, after.angle += turn;
    double h = after.time - before.time;
    p->velocity = carom_vec3_scale(1 / h, carom_vec3_sub(after.position, before.position));
    p->rate = (after.angle - before.angle) / h;
}

static bool read_velocity(const reader *r, const place *at, const json_t *object, int dim, carom_waypoint *p)
{
    place velocity = {at, "velocity"}, rate = {at, "rate"};
    return reader_world(r, &velocity, object, dim, &p->velocity) && read_number(r, &rate, object, &p->rate);
}

static bool check_closed(const reader *r, const place *at, const carom_drive *d)
{
    const carom_waypoint *a = &d->points[0], *b = &d->points[d->point_count - 1];
    double turns = (b->angle - a->angle) / TWO_PI, off = fabs(turns - floor(turns + 0.5)) * TWO_PI;
    bool same = carom_vec3_length(carom_vec3_sub(a->position, b->position)) <= CLOSED && off <= CLOSED &&
                carom_vec3_length(carom_vec3_sub(a->velocity, b->velocity)) <= CLOSED &&
                fabs(a->rate - b->rate) <= CLOSED;
    return same ||
           reader_fail(r, at, "the last point of a path that repeats must be the first: place, angle and velocity");
}

static bool fill_points(const reader *r, const place *at, const json_t *array, int dim, carom_drive *d)
{
    carom_waypoint *points = (carom_waypoint *)d->points;
    for (size_t k = 0; k < json_array_size(array); k++) {
        scene_name name = scene_numbered("points", k);
        place here = {at, name.text};
        if (!read_point(r, &here, json_array_get(array, k), dim, &points[k]) || !check_times(r, &here, &points[k], k))
            return false;
    }
    for (int k = 0; k < d->point_count; k++)
        default_velocity(d, points, k);
    for (size_t k = 0; k < json_array_size(array); k++) {
        scene_name name = scene_numbered("points", k);
        place here = {at, name.text};
        if (!read_velocity(r, &here, json_array_get(array, k), dim, &points[k]))
            return false;
    }
    return true;
}

static bool turns(const carom_drive *d)
{
    for (int k = 0; k < d->point_count; k++)
        if (d->points[k].angle != 0 || d->points[k].rate != 0)
            return true;
    return d->angle != 0;
}

static bool read_points(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i,
                        carom_drive *d)
{
    place here = {at, "points"}, repeat = {at, "repeat"}, axis = {at, "axis"};
    const json_t *array = json_object_get(object, "points"), *flag = json_object_get(object, "repeat");
    size_t count = json_array_size(array);
    if (count < 2 || count > CAROM_SCENE_POINTS)
        return reader_fail(r, &here, "must be an array of 2 to %d points", CAROM_SCENE_POINTS);
    if (flag && !reader_bool(r, &repeat, flag, &d->repeats))
        return false;
    carom_waypoint *points = scene_take(r, file, count, sizeof *points);
    if (!points)
        return false;
    for (size_t k = 0; k < count; k++)
        points[k].position = file->bodies[i].def.position;
    d->points = points;
    d->point_count = (int)count;
    if (!fill_points(r, at, array, file->scene.dim, d) || (d->repeats && !check_closed(r, &here, d)))
        return false;
    file->bodies[i].def.position = points[0].position;
    return !turns(d) || read_axis(r, &axis, object, file->scene.dim, &d->axis);
}

/* ---- the path ---- */

static bool check_body(const reader *r, const place *at, const json_t *body, const carom_scene_body *b)
{
    place velocity = {at->up, "velocity"}, omega = {at->up, "omega"};
    if (!b->def.fixed)
        return reader_fail(r, at, "only a body with \"fixed\": true follows a path");
    if (json_object_get(body, "velocity"))
        return reader_fail(r, &velocity, "follows from the \"path\"");
    return !json_object_get(body, "omega") || reader_fail(r, &omega, "follows from the \"path\"");
}

bool scene_path(const reader *r, const place *body, const json_t *object, carom_scene_file *file, int i)
{
    place at = {body, "path"}, harmonic = {&at, "harmonic"};
    carom_scene_body *b = &file->bodies[i];
    const json_t *path = json_object_get(object, "path"), *swing = json_object_get(path, "harmonic");
    if (!path)
        return true;
    if (!reader_object(r, &at, path, FORMAT_path) || !check_body(r, &at, object, b))
        return false;
    if (!swing == !json_object_get(path, "points"))
        return reader_fail(r, &at, "give either \"harmonic\" or \"points\"");
    if (swing && json_object_size(path) > 1)
        return reader_fail(r, &harmonic,
                           "\"repeat\" and \"axis\" belong to \"points\"; \"axis\" may be inside \"harmonic\"");
    carom_drive *d = scene_take(r, file, 1, sizeof *d);
    if (!d)
        return false;
    b->drive = d;
    if (swing ? !read_harmonic(r, &harmonic, swing, file->scene.dim, d) : !read_points(r, &at, path, file, i, d))
        return false;
    return !turns(d) || b->solid.kind != CAROM_SOLID_HALF_SPACE || reader_fail(r, &at, "a half-space does not turn");
}

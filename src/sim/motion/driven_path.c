#include "sim/motion/driven_path.h"

#include "core/rotate.h"
#include "sim/motion/circular.h"

#define TWO_PI 6.283185307179586
#define RANGE  1e100 /* accelerations and places beyond this are refused */

/* ---- evaluation ---- */

/* sin of the phase at time t, and cos. */
static circular swing_at(const driven *d, double t)
{
    return circular_of(TWO_PI * d->def->frequency * t + d->def->phase);
}

static double rate_of(const driven *d)
{
    return TWO_PI * d->def->frequency;
}

static double span_of(const driven *d)
{
    return d->def->points[d->def->point_count - 1].time;
}

/* Time within the points. */
static double folded(const driven *d, double t)
{
    double span = span_of(d);
    return d->def->repeats ? t - span * floor(t / span) : t;
}

static const driven_cubic *cubic_at(const driven *d, double t)
{
    int low = 0, high = d->def->point_count - 2;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (t >= d->way[middle].t0)
            low = middle;
        else
            high = middle - 1;
    }
    return &d->way[low];
}

/* Value, first or second derivative of row k at time t; after the last point it moves on. */
static double row_at(const driven *d, int k, double t, int order)
{
    t = folded(d, t);
    const driven_cubic *w = cubic_at(d, t);
    const double *c = w->c[k];
    double s = (t - w->t0) / w->h, late = s > 1 ? t - w->t0 - w->h : 0;
    s = s > 1 ? 1 : s < 0 ? 0 : s;
    double rate = (c[1] + s * (2 * c[2] + s * 3 * c[3])) / w->h;
    if (order == 0)
        return c[0] + s * (c[1] + s * (c[2] + s * c[3])) + late * rate;
    return order == 1 ? rate : late > 0 ? 0 : (2 * c[2] + s * 6 * c[3]) / (w->h * w->h);
}

static carom_vec3 way_at(const driven *d, double t, int order)
{
    return carom_vec3_make(row_at(d, 0, t, order), row_at(d, 1, t, order), row_at(d, 2, t, order));
}

carom_vec3 driven_position(const driven *d, double t)
{
    if (d->def->point_count)
        return way_at(d, t, 0);
    return vec_plus(d->x, swing_at(d, t).sin, d->def->amplitude);
}

carom_vec3 driven_velocity(const driven *d, double t)
{
    if (d->def->point_count)
        return way_at(d, t, 1);
    return carom_vec3_scale(rate_of(d) * swing_at(d, t).cos, d->def->amplitude);
}

/* At a point it is that of the way after it. */
carom_vec3 driven_accel(const driven *d, double t)
{
    if (d->def->point_count)
        return way_at(d, t + 64 * EPS * fabs(t), 2);
    return carom_vec3_scale(-rate_of(d) * rate_of(d) * swing_at(d, t).sin, d->def->amplitude);
}

carom_quat driven_turn(const driven *d, double t)
{
    double angle = d->def->point_count ? row_at(d, 3, t, 0) : d->def->angle * swing_at(d, t).sin;
    circular half = circular_of(0.5 * angle);
    carom_vec3 v = carom_vec3_scale(half.sin, d->axis);
    return quat_multiply((carom_quat){half.cos, v.x, v.y, v.z}, d->q);
}

carom_vec3 driven_omega(const driven *d, double t)
{
    double rate = d->def->point_count ? row_at(d, 3, t, 1) : d->def->angle * rate_of(d) * swing_at(d, t).cos;
    return carom_vec3_scale(rate, d->axis);
}

carom_vec3 driven_alpha(const driven *d, double t)
{
    double rate = d->def->point_count ? row_at(d, 3, t + 64 * EPS * fabs(t), 2)
                                      : -d->def->angle * rate_of(d) * rate_of(d) * swing_at(d, t).sin;
    return carom_vec3_scale(rate, d->axis);
}

bool driven_turns(const driven *d)
{
    bool turns = d->def->angle != 0 && d->def->frequency != 0;
    for (int k = 0; k < d->def->point_count; k++)
        turns |= d->def->points[k].rate != 0 || d->def->points[k].angle != d->def->points[0].angle;
    return turns;
}

double driven_next(const driven *d, double t)
{
    if (!d->def->point_count)
        return INFINITY;
    double span = span_of(d), start = d->def->repeats ? span * floor(t / span) : 0;
    for (int k = 1; k < d->def->point_count; k++)
        if (start + d->def->points[k].time > t + 2 * (64 * EPS) * fabs(t))
            return start + d->def->points[k].time;
    return d->def->repeats ? start + span + d->def->points[1].time : INFINITY;
}

/* ---- checks ---- */

static bool is_finite_point(const carom_waypoint *p)
{
    return isfinite(p->time) && vec_is_finite(p->position) && vec_is_finite(p->velocity) && isfinite(p->angle) &&
           isfinite(p->rate);
}

static bool agree(carom_vec3 a, carom_vec3 b)
{
    double size = carom_vec3_length(a) + carom_vec3_length(b);
    return vec_distance(a, b) <= SAME * size;
}

/* Whole turns between the two are none. */
static bool closes(const carom_waypoint *a, const carom_waypoint *b)
{
    double turns = (b->angle - a->angle) / TWO_PI;
    return agree(a->position, b->position) && agree(a->velocity, b->velocity) &&
           fabs(a->rate - b->rate) <= SAME * (fabs(a->rate) + fabs(b->rate)) &&
           fabs(turns - floor(turns + 0.5)) <= SAME;
}

static carom_status check_points(const carom_drive *d)
{
    for (int k = 0; k < d->point_count; k++) {
        const carom_waypoint *p = &d->points[k];
        if (!is_finite_point(p))
            return CAROM_STATUS_NOT_FINITE;
        if (k == 0 ? p->time != 0 : !(p->time > p[-1].time))
            return CAROM_STATUS_BAD_TIME;
    }
    return d->repeats && !closes(&d->points[0], &d->points[d->point_count - 1]) ? CAROM_STATUS_OUT_OF_RANGE
                                                                                : CAROM_STATUS_OK;
}

static carom_status check_drive(const carom_drive *d)
{
    if (!vec_is_finite(d->amplitude) || !isfinite(d->frequency) || !isfinite(d->phase) || !isfinite(d->angle) ||
        !vec_is_finite(d->axis))
        return CAROM_STATUS_NOT_FINITE;
    if (d->point_count < 0 || d->point_count == 1)
        return CAROM_STATUS_BAD_SIZE;
    return d->point_count ? check_points(d) : d->frequency >= 0 ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

/* ---- bounds ---- */

/* The corners of the Bezier polygon of a cubic, which lies between them; its derivative lies between those of its own.
 */
static void polygon_of(const driven_cubic *w, int k, double corner[4])
{
    const double *c = w->c[k];
    corner[0] = c[0];
    corner[1] = c[0] + c[1] / 3;
    corner[2] = c[0] + (2 * c[1] + c[2]) / 3;
    corner[3] = c[0] + c[1] + c[2] + c[3];
}

static double rate_bound(const driven_cubic *w, int k)
{
    double corner[4], most = 0;
    polygon_of(w, k, corner);
    for (int i = 0; i < 3; i++)
        most = max(most, 3 * fabs(corner[i + 1] - corner[i]) / w->h);
    return most;
}

/* The second derivative is linear: it is largest at an end. */
static double accel_of(const driven_cubic *w, int k)
{
    const double *c = w->c[k];
    return max(fabs(2 * c[2]), fabs(2 * c[2] + 6 * c[3])) / (w->h * w->h);
}

static void bound_way(driven *d)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, W = 0, alpha = 0;
    for (int n = 0; n < d->def->point_count - 1; n++) {
        const driven_cubic *w = &d->way[n];
        double a[3], corner[4];
        for (int k = 0; k < 3; k++) {
            a[k] = accel_of(w, k);
            polygon_of(w, k, corner);
            for (int i = 0; i < 4; i++)
                low[k] = min(low[k], corner[i]), high[k] = max(high[k], corner[i]);
        }
        d->track.accel = max(d->track.accel, carom_vec3_length(carom_vec3_make(a[0], a[1], a[2])));
        W = max(W, rate_bound(w, 3));
        alpha = max(alpha, accel_of(w, 3));
    }
    carom_vec3 a = {low[0], low[1], low[2]}, b = {high[0], high[1], high[2]};
    bool stays = d->def->repeats || carom_vec3_length(d->def->points[d->def->point_count - 1].velocity) == 0;
    d->home = carom_vec3_scale(0.5, carom_vec3_add(a, b));
    d->reach = stays ? 0.5 * vec_distance(b, a) : INFINITY;
    d->track.turn = W * W + alpha;
}

static void bound_swing(driven *d)
{
    double A = carom_vec3_length(d->def->amplitude), rate = rate_of(d), angle = fabs(d->def->angle);
    d->home = d->x;
    d->reach = A;
    d->track.accel = A * rate * rate;
    d->track.turn = angle * rate * rate * (angle + 1);
}

/* ---- preparation ---- */

static void set_cubic(driven_cubic *w, int k, double a, double b, const double rate[2])
{
    double v = w->h * rate[0], u = w->h * rate[1], way = b - a;
    w->c[k][0] = a;
    w->c[k][1] = v;
    w->c[k][2] = 3 * way - 2 * v - u;
    w->c[k][3] = v + u - 2 * way;
}

static void make_cubic(const carom_waypoint *p, driven_cubic *w)
{
    const carom_waypoint *e = p + 1;
    w->t0 = p->time;
    w->h = e->time - p->time;
    set_cubic(w, 0, p->position.x, e->position.x, (const double[2]){p->velocity.x, e->velocity.x});
    set_cubic(w, 1, p->position.y, e->position.y, (const double[2]){p->velocity.y, e->velocity.y});
    set_cubic(w, 2, p->position.z, e->position.z, (const double[2]){p->velocity.z, e->velocity.z});
    set_cubic(w, 3, p->angle, e->angle, (const double[2]){p->rate, e->rate});
}

static carom_status make_one(carom_sim *sim, int i, driven *d, driven_cubic *way)
{
    const carom_scene_body *body = &sim->scene->bodies[i];
    mover *m = mover_of(sim, i);
    *d = (driven){.def = body->drive, .x = m->x, .q = frame_of(sim, i)->turn.q, .way = way};
    double length = carom_vec3_length(d->def->axis);
    d->axis = sim->scene->dim == 2 ? carom_vec3_make(0, 0, 1) : carom_vec3_scale(1 / length, d->def->axis);
    if (driven_turns(d) && is_plane(sim, i))
        return CAROM_STATUS_UNSUPPORTED;
    if (driven_turns(d) && sim->scene->dim == 3 && !(fabs(length - 1) <= VISIBLE))
        return CAROM_STATUS_BAD_AXIS;
    if (!driven_turns(d))
        d->axis = carom_vec3_make(0, 0, 1);
    for (int n = 0; n + 1 < d->def->point_count; n++)
        make_cubic(&d->def->points[n], &way[n]);
    d->track.driven = d;
    d->track.end = d->track.h = INFINITY;
    (d->def->point_count ? bound_way : bound_swing)(d);
    if (!(d->track.accel < RANGE && d->track.turn < RANGE && carom_vec3_length(d->home) < RANGE))
        return CAROM_STATUS_OUT_OF_RANGE;
    m->track = &d->track;
    spin_follow(&frame_of(sim, i)->turn, &d->track);
    return CAROM_STATUS_OK;
}

static carom_status refuse(carom_sim *sim, carom_status status, int i)
{
    sim->error = (carom_sim_error){status, i, -1, 0};
    return status;
}

/* How many paths there are, and how many cubics. */
static carom_status count_drives(carom_sim *sim, size_t *drives, size_t *cubics)
{
    *drives = *cubics = 0;
    for (int i = 0; i < sim->count; i++) {
        const carom_scene_body *body = &sim->scene->bodies[i];
        if (!body->drive)
            continue;
        carom_status status = body->def.fixed && !sim->repeats ? check_drive(body->drive) : CAROM_STATUS_UNSUPPORTED;
        if (status)
            return refuse(sim, status, i);
        ++*drives;
        *cubics += (size_t)body->drive->point_count;
    }
    return CAROM_STATUS_OK;
}

carom_status driven_make(carom_sim *sim)
{
    size_t drives, cubics, n = 0, first = 0;
    carom_status status = count_drives(sim, &drives, &cubics);
    if (status || !drives)
        return status;
    if (!store_resize(&sim->driven, &sim->memory, drives) || !store_resize(&sim->driven_ways, &sim->memory, cubics + 1))
        return CAROM_STATUS_NO_MEMORY;
    for (int i = 0; i < sim->count && !status; i++) {
        const carom_drive *def = sim->scene->bodies[i].drive;
        if (!def)
            continue;
        status = make_one(sim, i, (driven *)sim->driven.data + n++, (driven_cubic *)sim->driven_ways.data + first);
        first += (size_t)def->point_count;
        status = status ? refuse(sim, status, i) : status;
    }
    return status;
}

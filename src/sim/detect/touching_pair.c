#include "sim/detect/touching_pair.h"

#include "sim/contact/foot.h"
#include "sim/detect/polynomial_gap.h"
#include "sim/motion/motion.h"

enum { PARTS = 512 };

/* A flat contact of body a on body b. */
static bool is_flat_on(const closed_contact *c, pair_of_bodies pair)
{
    return c->a == pair.a && c->b == pair.b && c->under.kind == GROUND_FLAT;
}

/* The place of a foot between bodies i and j in the axes of i, whichever of the two it belongs to. */
static bool foot_between(const carom_sim *sim, int i, int j, const closed_contact *c, carom_vec3 *out)
{
    *out = c->foot.offset;
    if (is_flat_on(c, (pair_of_bodies){i, j}))
        return true;
    if (!is_flat_on(c, (pair_of_bodies){j, i}))
        return false;
    snap si = snap_at(sim, i, sim->time), sj = snap_at(sim, j, sim->time);
    carom_vec3 at = carom_vec3_add(sj.x, quat_turn(sj.q, *out));
    *out = quat_turn(quat_conjugate(si.q), carom_vec3_sub(at, si.x));
    return true;
}

/* How far feet of two bodies are from a place, or from the line through it along e; at: the furthest. Negative: they
 * have no feet between them. */
static double feet_away(const carom_sim *sim, int i, int j, carom_vec3 from, carom_vec3 e, carom_vec3 *at)
{
    const closed_contact *c = sim->closed.data;
    double most = -1;
    for (size_t k = 0; k < sim->closed.count; k++) {
        carom_vec3 p;
        if (!foot_between(sim, i, j, &c[k], &p))
            continue;
        carom_vec3 r = carom_vec3_sub(p, from);
        double away = carom_vec3_length(vec_across(r, e));
        if (away > most)
            most = away, *at = p;
    }
    return most;
}

bool are_flush(const carom_sim *sim, int i, int j)
{
    carom_vec3 none = {0, 0, 0}, a, b;
    double R = mover_of(sim, i)->radius;
    if (feet_away(sim, i, j, none, none, &a) < 0)
        return false;
    double length = feet_away(sim, i, j, a, none, &b);
    if (sim->scene->dim == 2 || !(length > 0))
        return length > VISIBLE * R;
    carom_vec3 e = carom_vec3_scale(1 / length, carom_vec3_sub(b, a));
    return length * feet_away(sim, i, j, a, e, &b) > VISIBLE * R * R;
}

bool stand_flat(const carom_sim *sim, int i, int j)
{
    carom_vec3 none = {0, 0, 0}, at;
    return feet_away(sim, i, j, none, none, &at) >= 0;
}

/* Corners of what is left of body a, and the plane of body b that its feet stand on, both in their own axes. */
typedef struct tilt {
    const carom_sim *sim;
    pair_of_bodies pair;
    carom_vec3 n;
    double level, over; /* OVER_TOL, as a length */
    int count;
    const carom_vec3 *corner;
    double bound; /* on the second derivative of a height */
} tilt;

/* Heights fall by no more than a parabola with bound as its second derivative: n.d'' + 2 n'.d' + n''.d. */
static double height_bound(const tilt *x, double speed)
{
    const mover *a = mover_of(x->sim, x->pair.a), *b = mover_of(x->sim, x->pair.b);
    double turn_a = turn_bound(x->sim, x->pair.a), turn_b = turn_bound(x->sim, x->pair.b);
    double accel = accel_bound(x->sim, x->pair.a) + accel_bound(x->sim, x->pair.b) + turn_a * a->radius;
    return accel + 2 * sqrt(turn_b) * speed + turn_b * 2 * (a->radius + b->radius);
}

static bool tilt_make(const carom_sim *sim, pair_of_bodies pair, tilt *x)
{
    const closed_contact *c = sim->closed.data;
    rest_of_piece rest;
    /* rounding of a corner that has just left the plane */
    *x = (tilt){.sim = sim, .pair = pair, .over = ROUND_PLACE * mover_of(sim, pair.a)->radius};
    for (size_t k = 0; k < sim->closed.count; k++) {
        if (!is_flat_on(&c[k], pair) || !without_feet(sim, pair, c[k].piece, &rest) || rest.piece.kind != CORE_HULL)
            continue;
        x->n = c[k].own_normal;
        x->level = c[k].level;
        x->count = rest.piece.point_count;
        x->corner = rest.points;
        return true;
    }
    return false;
}

/* The height of corner k above the plane at time t, and its rate. */
static double height(const tilt *x, int k, const snap *a, const snap *b, double *rate)
{
    carom_vec3 n = quat_turn(b->q, x->n), arm = quat_turn(a->q, x->corner[k]);
    carom_vec3 d = carom_vec3_sub(carom_vec3_add(a->x, arm), b->x);
    carom_vec3 u = carom_vec3_sub(carom_vec3_add(a->v, carom_vec3_cross(a->w, arm)),
                                  carom_vec3_add(b->v, carom_vec3_cross(b->w, d)));
    *rate = carom_vec3_dot(n, u);
    return carom_vec3_dot(n, d) - x->level;
}

/* The least height; safe: how long none of them can reach the plane. */
static double least_height(const tilt *x, double t, double *safe)
{
    snap a = snap_at(x->sim, x->pair.a, t), b = snap_at(x->sim, x->pair.b, t);
    double least = INFINITY, rate;
    *safe = INFINITY;
    for (int k = 0; k < x->count; k++) {
        double z = height(x, k, &a, &b, &rate);
        least = min(least, z);
        *safe = min(*safe, fall_quadratic(max(z, 0) + x->over, rate, -x->bound));
    }
    return least;
}

/* Where the least height goes through level, between two times. */
static double cross(const tilt *x, double a, double b, double level)
{
    double safe;
    for (int k = 0; k < HALVINGS && b - a > EPS * b; k++) {
        double m = 0.5 * (a + b);
        if (least_height(x, m, &safe) > level)
            a = m;
        else
            b = m;
    }
    return b;
}

/* The bound is taken for twice the speeds of now, which a piece of motion keeps: it is short. */
static double corner_time(tilt *x, double t, double end)
{
    const mover *a = mover_of(x->sim, x->pair.a), *b = mover_of(x->sim, x->pair.b);
    double speed = carom_vec3_length(mover_velocity(a, t)) + carom_vec3_length(mover_velocity(b, t));
    speed += sqrt(turn_bound(x->sim, x->pair.a)) * a->radius;
    x->bound = height_bound(x, 2 * speed);
    double safe, z = least_height(x, t, &safe), part = (end - t) / PARTS;
    while (t < end) {
        double next = min(end, t + max(safe, part)), level = z > x->over ? 0 : -x->over;
        z = least_height(x, next, &safe);
        if (z < level)
            return cross(x, t, next, level);
        t = next;
    }
    return INFINITY;
}

int round_feet(const carom_sim *sim, int i, int j)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++) {
        bool own = is_flat_on(&c[k], (pair_of_bodies){i, j}), other = is_flat_on(&c[k], (pair_of_bodies){j, i});
        const piece *p = piece_at(sim, c[k].a, c[k].piece);
        bool has_rest = p->kind == CORE_CYLINDER || p->kind == CORE_CONE;
        if ((own || other) && has_rest)
            return own ? i : j;
    }
    return -1;
}

double tilt_time(const carom_sim *sim, int i, int j, double t, double end)
{
    tilt x;
    double first = INFINITY;
    if (are_flush(sim, i, j))
        return INFINITY;
    if (tilt_make(sim, (pair_of_bodies){i, j}, &x))
        first = corner_time(&x, t, end);
    if (tilt_make(sim, (pair_of_bodies){j, i}, &x))
        first = min(first, corner_time(&x, t, end));
    return first;
}

#include "sim/rest/ball_on_plane.h"

#include "sim/motion/course.h"
#include "sim/motion/driven_path.h"
#include "sim/rest/contensou.h"

typedef struct slope {
    double lambda;      /* normal force over mass */
    double k;           /* 1 + m R^2 / I: acceleration of the slip over the friction per mass that causes it */
    carom_vec3 n, g, u; /* normal, tangential gravity, slip velocity */
    double slip;
} slope;

static slope slope_of(const ride *r, double t)
{
    slope s;
    const ride_contact *c = &r->c[0];
    const ride_body *b = &r->m[0];
    double y[STATE], R = c->foot.margin, I = r->planar ? b->inertia.zz : b->inertia.xx;
    state_of(r->sim, b->body, t, y);
    s.n = c->n;
    s.lambda = -carom_vec3_dot(b->gravity, s.n);
    s.g = carom_vec3_add(b->gravity, carom_vec3_scale(s.lambda, s.n));
    s.k = 1 + r->mass * R * R / I;
    s.u = contact_velocity(r, 0, y);
    s.u = carom_vec3_sub(s.u, carom_vec3_scale(carom_vec3_dot(s.u, s.n), s.n));
    s.slip = c->mode == RIDE_SLIP ? carom_vec3_length(s.u) : 0;
    return s;
}

/* Constant accelerations for a while, from where the motion of body i has begun. */
static void go_by(carom_sim *sim, int i, carom_vec3 a, carom_vec3 alpha, double duration)
{
    const mover *m = mover_of(sim, i);
    const spin *turn = &frame_of(sim, i)->turn;
    course c = course_driven((snap){m->x, m->v, turn->q, turn->w}, a, alpha, m->t0 + duration);
    motion_begin(sim, i, m->t0, &c);
}

/* Constant friction force per mass f for a while. */
static void drive(carom_sim *sim, const ride *r, const slope *s, carom_vec3 f, double duration)
{
    double I = r->planar ? r->m[0].inertia.zz : r->m[0].inertia.xx;
    carom_vec3 arm = carom_vec3_scale(-r->c[0].foot.margin, s->n);
    carom_vec3 alpha = carom_vec3_scale(r->mass / I, carom_vec3_cross(arm, f));
    go_by(sim, r->m[0].body, carom_vec3_add(s->g, f), alpha, duration);
}

/* How long a vector that changes at a constant rate keeps its direction; zero: it does not. */
static double keeps_direction(carom_vec3 u, carom_vec3 rate)
{
    double size = carom_vec3_length(u), pull = carom_vec3_length(rate), along = carom_vec3_dot(u, rate);
    /* the slip keeps its direction */
    if (carom_vec3_length(carom_vec3_cross(u, rate)) > 0.01 * ROUND_SPEED * size * pull)
        return 0;
    return along < 0 ? size * size / -along : INFINITY;
}

static double turn_time(const ride_contact *c, carom_vec3 w, carom_vec3 rate)
{
    return c->roll.mode == TURN_GOES ? keeps_direction(turn_part(c, w), turn_part(c, rate)) : INFINITY;
}

/* With resistance: constant accelerations until the slip, the rolling or the spin ends, where these are straight. */
static bool roll_resisted(carom_sim *sim, const ride *r, double t)
{
    ride at = *r;
    const ride_contact *c = &at.c[0];
    double y[STATE], f[STATE], slip = INFINITY;
    carom_vec3 a;
    state_of(sim, r->m[0].body, t, y);
    at.frozen = true;
    ride_rates(&at, y, f, &a);
    carom_vec3 w = vec_at(y + 10), w_rate = vec_at(f + 10);
    if (c->mode == RIDE_SLIP)
        slip = has_patch(c) ? patch_steady(&at, 0, y, f, a) : keeps_direction(contact_velocity(&at, 0, y), a);
    double last = min(slip, turn_time(c, w, w_rate));
    if (c->mode == RIDE_ONSET || c->roll.mode == TURN_ONSET || !(last > 0))
        return false;
    go_by(sim, r->m[0].body, vec_at(f + 7), w_rate, last);
    return true;
}

bool roll_plainly(carom_sim *sim, const ride *r, double t)
{
    const ride_contact *c = &r->c[0];
    if (r->members != 1 || r->count != 1 || r->m[0].fields || !mover_of(sim, r->m[0].body)->is_sphere ||
        c->mode == RIDE_OPEN || !is_plane(sim, c->ground) || driven_of(sim, c->ground))
        return false;
    if (r->resists)
        return roll_resisted(sim, r, t);
    slope s = slope_of(r, t);
    double pull = carom_vec3_length(s.g);
    if (c->mode == RIDE_STICK || (pull == 0 && s.slip == 0)) {
        drive(sim, r, &s, carom_vec3_scale(c->mu_s > 0 ? -1 / s.k : 0, s.g), INFINITY);
        return true;
    }
    carom_vec3 d = s.slip > 0 ? carom_vec3_scale(1 / s.slip, s.u) : carom_vec3_scale(1 / pull, s.g);
    /* the slip keeps its direction */
    if (c->mu > 0 && carom_vec3_length(carom_vec3_cross(s.g, d)) > 0.01 * ROUND_SPEED * pull)
        return false;
    double decay = c->mu * s.lambda * s.k - carom_vec3_dot(s.g, d);
    drive(sim, r, &s, carom_vec3_scale(-c->mu * s.lambda, d), decay > 0 && s.slip > 0 ? s.slip / decay : INFINITY);
    return true;
}

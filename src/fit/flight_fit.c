/* The body of a recording, and its flights: a parabola of the centre of mass and a free rotation through frames. */
#include <math.h>

#include "carom/elementary.h"
#include "carom/tracked.h"
#include "core/num.h"
#include "core/rotate.h"
#include "fit/track_parts.h"

enum { ROUNDS = 4, MOST_STEPS = 4096 };

#define TOUCH       2.5e-3 /* m: about the depth that a corner of acrylic reaches on wood */
#define SMALL_ANGLE 1e-9   /* rad: a rotation vector this short is twice its quaternion's */

carom_tracked carom_tracked_default(int dim, double dt)
{
    carom_tracked b = {.dim = dim, .dt = dt, .gravity = 9.81, .touch = TOUCH};
    return b;
}

void carom_tracked_box(carom_tracked *body, carom_vec3 half)
{
    body->half = half;
    body->point_count = body->dim == 3 ? 8 : 4;
    for (int i = 0; i < body->point_count; i++) {
        carom_vec3 sign = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, body->dim == 2 ? 0 : i & 4 ? 1 : -1};
        body->inward[i] = sign;
        body->corner[i] = carom_vec3_make(sign.x * half.x, sign.y * half.y, sign.z * half.z);
    }
}

carom_vec3 carom_tracked_up(const carom_tracked *body)
{
    carom_vec3 up =
        body->dim == 3 ? carom_vec3_make(-body->slope[0], -body->slope[1], 1) : carom_vec3_make(-body->slope[0], 1, 0);
    return carom_vec3_scale(1 / carom_vec3_length(up), up);
}

carom_vec3 tracked_centre(const carom_tracked *body, int i)
{
    return carom_vec3_sub(body->corner[i], carom_vec3_scale(body->radius, body->inward[i]));
}

double carom_tracked_gap(const carom_tracked *body, carom_pose pose, int i)
{
    carom_vec3 at = carom_vec3_add(pose.x, quat_turn(pose.q, tracked_centre(body, i)));
    double height = body->dim == 3 ? at.z - body->slope[1] * at.y : at.y;
    double over = height - body->floor - body->slope[0] * at.x;
    return over / sqrt(1 + square(body->slope[0]) + square(body->slope[1])) - body->radius;
}

carom_vec3 carom_tracked_com(const carom_tracked *body, carom_pose pose)
{
    return carom_vec3_add(pose.x, quat_turn(pose.q, body->com));
}

/* ---- rotations ---- */

carom_vec3 rotation_vector(carom_quat q)
{
    carom_vec3 v = {q.x, q.y, q.z};
    double s = carom_vec3_length(v), sign = q.w < 0 ? -1 : 1;
    if (s < SMALL_ANGLE)
        return carom_vec3_scale(2 * sign, v);
    return carom_vec3_scale(2 * sign * carom_atan2(s, fabs(q.w)) / s, v);
}

carom_quat rotation_by(carom_vec3 r)
{
    double angle = carom_vec3_length(r);
    carom_quat one = {1, 0, 0, 0};
    return angle > 0 ? quat_about(carom_vec3_scale(1 / angle, r), angle) : one;
}

/* Euler's equations in body axes with damping: d omega / dt. */
static carom_vec3 spin_rate(const carom_tracked *b, carom_vec3 w)
{
    const carom_vec3 I = b->inertia;
    if (b->dim == 2)
        return carom_vec3_make(0, 0, -b->spin_drag * w.z);
    return carom_vec3_make((I.y - I.z) / I.x * w.y * w.z - b->spin_drag * w.x,
                           (I.z - I.x) / I.y * w.z * w.x - b->spin_drag * w.y,
                           (I.x - I.y) / I.z * w.x * w.y - b->spin_drag * w.z);
}

/* Turn on by a time: steps of at most half a frame with omega at their middle. */
static void turn_on(const carom_tracked *b, double time, carom_quat *q, carom_vec3 *omega)
{
    int steps = (int)min(MOST_STEPS, 1 + floor(2 * fabs(time) / b->dt));
    double h = time / steps;
    carom_vec3 w = quat_turn(quat_conjugate(*q), *omega);
    for (int i = 0; i < steps; i++) {
        carom_vec3 middle = carom_vec3_add(w, carom_vec3_scale(h / 2, spin_rate(b, w)));
        *q = quat_trimmed(quat_multiply(*q, rotation_by(carom_vec3_scale(h, middle))));
        w = carom_vec3_add(w, carom_vec3_scale(h, spin_rate(b, middle)));
    }
    *omega = quat_turn(*q, w);
}

/* Frames first...last that the recording has: how many, their mean time, and the sum of squared distances from it. */
typedef struct sampled {
    int count;
    double mean, spread;
} sampled;

static sampled sample(const carom_tracked *b, const carom_pose *poses, int first, int last)
{
    sampled s = {0, 0, 0};
    for (int k = first; k <= last; k++) {
        s.count += !poses[k].missing;
        s.mean += poses[k].missing ? 0 : k * b->dt;
    }
    s.mean /= s.count;
    for (int k = first; k <= last; k++)
        s.spread += poses[k].missing ? 0 : square(k * b->dt - s.mean);
    return s;
}

/* One round: the residual rotations as straight lines in time, which correct the state at t_q. */
static void correct_rotation(const carom_tracked *b, const carom_pose *poses, carom_frames f, carom_free_flight *flight)
{
    static const carom_vec3 zero;
    carom_vec3 mean = zero, slope = zero;
    flight->rest_q = 0;
    for (int k = f.first_q; k <= f.last_q; k++) {
        carom_quat q = flight->q;
        carom_vec3 omega = flight->omega;
        double t = k * b->dt - flight->t_q;
        if (poses[k].missing)
            continue;
        turn_on(b, t, &q, &omega);
        carom_vec3 r = rotation_vector(quat_multiply(poses[k].q, quat_conjugate(q)));
        mean = carom_vec3_add(mean, carom_vec3_scale(1.0 / flight->count_q, r));
        slope = carom_vec3_add(slope, carom_vec3_scale(t / flight->spread_q, r));
        flight->rest_q += carom_vec3_dot(r, r);
    }
    flight->q = quat_trimmed(quat_multiply(rotation_by(mean), flight->q));
    flight->omega = carom_vec3_add(flight->omega, slope);
}

static void fit_rotation(const carom_tracked *b, const carom_pose *poses, carom_frames f, carom_free_flight *flight)
{
    int middle = (f.first_q + f.last_q) / 2;
    sampled s = sample(b, poses, f.first_q, f.last_q);
    carom_vec3 step = rotation_vector(quat_multiply(poses[middle + 1].q, quat_conjugate(poses[middle].q)));
    flight->count_q = s.count;
    flight->t_q = s.mean;
    flight->spread_q = s.spread;
    flight->omega = carom_vec3_scale(1 / b->dt, step);
    flight->q =
        quat_multiply(rotation_by(carom_vec3_scale(flight->t_q - middle * b->dt, flight->omega)), poses[middle].q);
    for (int round = 0; round < ROUNDS; round++)
        correct_rotation(b, poses, f, flight);
}

/* ---- places ---- */

static carom_vec3 fall(const carom_tracked *b, carom_vec3 v)
{
    carom_vec3 g = b->dim == 3 ? carom_vec3_make(0, 0, -b->gravity) : carom_vec3_make(0, -b->gravity, 0);
    return carom_vec3_sub(g, carom_vec3_scale(b->drag, v));
}

/* The centre of mass of a frame, with the rotation of the flight, which is not smoothed. */
static carom_vec3 mass_at(const carom_tracked *b, const carom_pose *poses, int k, const carom_free_flight *flight)
{
    carom_quat q = flight->q;
    carom_vec3 omega = flight->omega;
    turn_on(b, k * b->dt - flight->t_q, &q, &omega);
    return carom_vec3_add(poses[k].x, quat_turn(q, b->com));
}

/* x + v t + fall(v) t^2 / 2 by least squares; fall depends on v by drag alone, so that two rounds are enough. */
static void fit_place(const carom_tracked *b, const carom_pose *poses, carom_frames f, carom_free_flight *flight)
{
    static const carom_vec3 zero;
    sampled s = sample(b, poses, f.first, f.last);
    flight->count_x = s.count;
    flight->t_x = s.mean;
    flight->spread_x = s.spread;
    flight->v = zero;
    for (int round = 0; round < ROUNDS; round++) {
        carom_vec3 a = fall(b, flight->v), mean = zero, slope = zero;
        double squares = 0;
        for (int k = f.first; k <= f.last; k++) {
            double t = k * b->dt - flight->t_x;
            if (poses[k].missing)
                continue;
            carom_vec3 x = carom_vec3_sub(mass_at(b, poses, k, flight), carom_vec3_scale(t * t / 2, a));
            carom_vec3 left = carom_vec3_sub(x, carom_vec3_add(flight->x, carom_vec3_scale(t, flight->v)));
            mean = carom_vec3_add(mean, carom_vec3_scale(1.0 / s.count, x));
            slope = carom_vec3_add(slope, carom_vec3_scale(t / flight->spread_x, x));
            squares += carom_vec3_dot(left, left);
        }
        flight->x = mean;
        flight->v = slope;
        flight->rest_x = squares;
    }
}

carom_free_flight carom_free_flight_fit(const carom_tracked *body, const carom_pose *poses, carom_frames frames)
{
    carom_free_flight flight = {0};
    fit_rotation(body, poses, frames, &flight);
    fit_place(body, poses, frames, &flight);
    return flight;
}

carom_free_flight_state carom_free_flight_at(const carom_tracked *body, const carom_free_flight *flight, double t)
{
    double s = t - flight->t_x;
    carom_vec3 a = fall(body, flight->v);
    carom_free_flight_state state = {
        .v = carom_vec3_add(flight->v, carom_vec3_scale(s, a)), .omega = flight->omega, .q = flight->q};
    state.x = carom_vec3_add(carom_vec3_add(flight->x, carom_vec3_scale(s, flight->v)), carom_vec3_scale(s * s / 2, a));
    turn_on(body, t - flight->t_q, &state.q, &state.omega);
    return state;
}

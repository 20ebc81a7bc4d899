/* A body in motion as the search for an impact sees it: place and velocities at a time, and bounds. */
#ifndef CAROM_SIM_MOTION_H
#define CAROM_SIM_MOTION_H

#include "core/rotate.h"
#include "sim/world/world.h"

typedef struct snap {
    carom_vec3 x, v;
    carom_quat q;
    carom_vec3 w;
} snap;

snap snap_at(const carom_sim *sim, int i, double t);

/* The same as numbers: x, q, v, w. */
void state_of(const carom_sim *sim, int i, double t, double y[STATE]);

/* (W^2 + dW/dt): no point at the distance r of the centre has a larger rotational acceleration than this times r. */
double turn_bound(const carom_sim *sim, int i);

/* Bound on the acceleration of the centre where it is not constant; zero where it is. */
double accel_bound(const carom_sim *sim, int i);

/* Place and orientation alone; velocities are zero. */
static inline snap place_at(const carom_sim *sim, int i, double t)
{
    return (snap){.x = mover_position(mover_of(sim, i), t), .q = spin_turn(&frame_of(sim, i)->turn, t)};
}

static inline placed place_piece(const carom_sim *sim, const piece *p, const snap *s)
{
    placed out = {.piece = p, .points = sim->points.data, .center = s->x, .q = s->q};
    if (!p->is_plain) {
        out.center = carom_vec3_add(s->x, quat_turn(s->q, p->offset));
        out.q = quat_multiply(s->q, p->turn);
    }
    set_axes(&out);
    return out;
}

/* The acceleration of a body that flies; zero where a track gives its motion. */
static inline carom_vec3 constant_accel(const carom_sim *sim, int i)
{
    carom_vec3 none = {0, 0, 0};
    return mover_of(sim, i)->track ? none : mover_of(sim, i)->a;
}

/* Does body i stand still for good, unless something hits it? */
bool is_resting(const carom_sim *sim, int i);

/* No point of body i moves faster at time t. */
double fastest(const carom_sim *sim, int i, double t);

/* Places, masses and velocities of body i at time t, as carom_body_init would prepare them. */
carom_body body_at(const carom_sim *sim, int i, double t);
bool is_thin(const carom_sim *sim, int i); /* a rod that nothing turns about its axis */
carom_body_def def_at(const carom_sim *sim, int i, double t);

/* Room for the track of body i; null when memory ends. */
track *track_of(carom_sim *sim, int i);

/* The whole periods in a difference of places: what is left is the way to the nearest image. */
static inline double periods_in(double d, double period)
{
    return period > 0 && !(fabs(d) < 0.5 * period) ? period * floor(d / period + 0.5) : 0;
}

static inline carom_vec3 image_shift(carom_vec3 period, carom_vec3 d)
{
    return carom_vec3_make(periods_in(d.x, period.x), periods_in(d.y, period.y), periods_in(d.z, period.z));
}

/* From the centre of j to that of i at time t; in a periodic scene to the nearest image. */
static inline carom_vec3 separation(const carom_sim *sim, int i, int j, double t)
{
    carom_vec3 d = carom_vec3_sub(mover_position(mover_of(sim, i), t), mover_position(mover_of(sim, j), t));
    return sim->repeats ? carom_vec3_sub(d, image_shift(sim->scene->period, d)) : d;
}

/* What takes body j to the image that is nearest to body i at time t. */
static inline carom_vec3 nearest_shift(const carom_sim *sim, int i, int j, double t)
{
    carom_vec3 d = carom_vec3_sub(mover_position(mover_of(sim, i), t), mover_position(mover_of(sim, j), t));
    return sim->repeats ? image_shift(sim->scene->period, d) : carom_vec3_make(0, 0, 0);
}

#endif

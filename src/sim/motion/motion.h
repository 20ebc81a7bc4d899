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

/* No point of body i moves faster at time t. */
double fastest(const carom_sim *sim, int i, double t);

#endif

/* Rolling and spinning resistance of balls: docs/theory/motion.md, 5. */
#include "sim/rest/ride.h"

#define HOLD_TOL  1e-12 /* of the weight times the size: a moment that is no more than its bound */
#define SAME_AXIS 1e-13 /* sine: the axis of a turn that begins has settled */

static bool is_whirl(const ride_contact *c, const ride_turn *t)
{
    return t == &c->whirl;
}

carom_vec3 turn_part(const ride_contact *c, const ride_turn *t, carom_vec3 w)
{
    carom_vec3 along = carom_vec3_scale(carom_vec3_dot(w, c->n), c->n);
    return is_whirl(c, t) ? along : carom_vec3_sub(w, along);
}

/* Past the end of the turn, which a piece of motion may contain, its axis is kept: the motion goes on smoothly. */
carom_vec3 turn_axis(const ride_contact *c, const ride_turn *t, const double *y)
{
    carom_vec3 w = turn_part(c, t, vec_at(y + 10));
    double size = carom_vec3_length(w);
    bool begins = t->mode == TURN_ONSET && !(size > 1e-9 * t->rate);
    return !begins && carom_vec3_dot(w, t->axis) > 0 ? carom_vec3_scale(1 / size, w) : t->axis;
}

static void first_of(const ride_contact *c, ride_turn *t, carom_vec3 w, double slow)
{
    carom_vec3 part = turn_part(c, t, w);
    double size = carom_vec3_length(part);
    t->mode = t->length == 0 ? TURN_FREE : size > slow ? TURN_GOES : TURN_HELD;
    t->axis = size > 0 ? carom_vec3_scale(1 / size, part) : is_whirl(c, t) ? c->n : c->t1;
}

void turn_first(ride_contact *c, const double *y, double R, double speed)
{
    first_of(c, &c->roll, vec_at(y + 10), speed / R);
    first_of(c, &c->whirl, vec_at(y + 10), speed / R);
}

/* The moment that holds a turn. */
static carom_vec3 holding(const ride_contact *c, const ride_turn *t)
{
    if (is_whirl(c, t))
        return carom_vec3_scale(c->force[5], c->n);
    return sum_of(carom_vec3_scale(c->force[3], c->t1), carom_vec3_scale(c->force[4], c->t2));
}

static bool choose(const ride_contact *c, ride_turn *t, carom_vec3 w_rate, double weight)
{
    carom_vec3 M = holding(c, t), gain = turn_part(c, t, w_rate);
    double size = carom_vec3_length(M), rate = carom_vec3_length(gain);
    if (t->mode == TURN_HELD && size - t->length * c->force[2] > HOLD_TOL * weight) {
        t->axis = carom_vec3_scale(-1 / size, M);
        t->mode = TURN_ONSET;
        return true;
    }
    if (t->mode != TURN_ONSET || !(rate > 0))
        return false;
    carom_vec3 next = carom_vec3_scale(1 / rate, gain);
    bool turned = carom_vec3_length(carom_vec3_sub(next, t->axis)) > SAME_AXIS;
    t->axis = next;
    return turned;
}

bool turn_choose(ride *r, carom_vec3 w_rate, double weight)
{
    bool changed = false;
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        if (c->mode == RIDE_OPEN)
            continue;
        changed |= choose(c, &c->roll, w_rate, weight);
        changed |= choose(c, &c->whirl, w_rate, weight);
    }
    return changed;
}

double turn_margin(const ride_contact *c, const ride_turn *t, const double *y, double weight)
{
    if (t->mode == TURN_FREE)
        return INFINITY;
    if (t->mode == TURN_HELD)
        return (t->length * c->force[2] - carom_vec3_length(holding(c, t))) / weight;
    return carom_vec3_dot(t->axis, vec_at(y + 10)) / t->rate;
}

/* Rolling resistance: docs/theory/motion.md, 5. */
#include "sim/rest/ride.h"

carom_vec3 turn_part(const ride_contact *c, carom_vec3 w)
{
    return carom_vec3_sub(w, carom_vec3_scale(carom_vec3_dot(w, c->n), c->n));
}

carom_vec3 turn_against(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 w = vec_at(y + STATE * c->a + 10);
    return c->b < 0 ? w : carom_vec3_sub(w, vec_at(y + STATE * c->b + 10));
}

/* A turn that begins has the axis of what moves it: rounding may have left a turn about any other. Past the end of the
 * turn, which a piece of motion may contain, its axis is kept: the motion goes on smoothly. */
carom_vec3 turn_axis(const ride *r, int k, const double *y)
{
    const ride_turn *t = &r->c[k].roll;
    carom_vec3 w = turn_part(&r->c[k], turn_against(r, k, y));
    double size = carom_vec3_length(w);
    bool begins = t->mode == TURN_ONSET && !(size * ride_size(r) > onset_speed(r));
    return !begins && carom_vec3_dot(w, t->axis) > 0 ? carom_vec3_scale(1 / size, w) : t->axis;
}

void turn_first(ride *r, int k, const double *y, double speed)
{
    ride_contact *c = &r->c[k];
    ride_turn *t = &c->roll;
    carom_vec3 part = turn_part(c, turn_against(r, k, y));
    double size = carom_vec3_length(part);
    t->mode = t->length == 0 ? TURN_FREE : size > speed / ride_size(r) ? TURN_GOES : TURN_HELD;
    t->axis = size > 0 ? carom_vec3_scale(1 / size, part) : c->t1;
}

/* The moment that holds it. */
static carom_vec3 holding(const ride_contact *c)
{
    return sum_of(carom_vec3_scale(c->force[3], c->t1), carom_vec3_scale(c->force[4], c->t2));
}

static bool choose(ride_contact *c, carom_vec3 w_rate, double weight)
{
    ride_turn *t = &c->roll;
    carom_vec3 M = holding(c), gain = turn_part(c, w_rate);
    double size = carom_vec3_length(M), rate = carom_vec3_length(gain);
    if (t->mode == TURN_HELD && size - t->length * c->force[2] > ROUND_SPEED * weight) { /* no more than its bound */
        t->axis = carom_vec3_scale(-1 / size, M);
        t->mode = TURN_ONSET;
        return true;
    }
    if (t->mode != TURN_ONSET || !(rate > 0))
        return false;
    carom_vec3 next = carom_vec3_scale(1 / rate, gain);
    /* the axis of a turn that begins has settled: a digit better than it is read */
    bool turned = carom_vec3_length(carom_vec3_sub(next, t->axis)) > 0.1 * ROUND_SPEED;
    t->axis = next;
    return turned;
}

bool turn_choose(ride *r, const double *f, double weight)
{
    bool changed = false;
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode != RIDE_OPEN)
            changed |= choose(&r->c[k], turn_against(r, k, f), weight);
    return changed;
}

double turn_margin(const ride *r, int k, const double *y, double weight)
{
    const ride_contact *c = &r->c[k];
    const ride_turn *t = &c->roll;
    if (t->mode == TURN_FREE)
        return INFINITY;
    if (t->mode == TURN_HELD)
        return (t->length * c->force[2] - carom_vec3_length(holding(c))) / weight;
    return carom_vec3_dot(t->axis, turn_against(r, k, y)) / t->rate;
}

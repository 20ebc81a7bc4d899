#include "sim/step/step_sleep.h"

static double speed_unit(const carom_sim *sim, int i)
{
    return sqrt(carom_vec3_length(gravity_of(sim, i)) * mover_of(sim, i)->radius);
}

bool is_calm(const carom_sim *sim, int i, double speed)
{
    return speed <= SMALL_SHARE * speed_unit(sim, i); /* calm */
}

void count_calm(carom_sim *sim, int i, double speed)
{
    frame_of_body *f = frame_of(sim, i);
    double g = carom_vec3_length(gravity_of(sim, i)), unit = speed_unit(sim, i);
    double gain = SMALL_SHARE * CALM_ENOUGH * sim->scene->step * g;
    bool gathers = f->calm + 1 >= CALM_ENOUGH && speed > f->calm_from + gain;
    if (speed <= 0.1 * VISIBLE * unit) { /* they do not move */
        f->calm += CALM_STILL;
        return;
    }
    f->calm = is_calm(sim, i, speed) && !gathers ? f->calm + 1 : 0;
    f->calm_from = f->calm == 1 || gathers ? speed : f->calm_from;
}

void share_calm(carom_sim *sim)
{
    const sweep_row *rows = sim->step_rows.data;
    for (size_t s = 0; s < sim->involved.count; s++) {
        frame_of_body *f = frame_of(sim, involved_at(sim, (int)s)->body);
        f->calm_near = f->calm;
    }
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        frame_of_body *a = frame_of(sim, c->a), *b = frame_of(sim, c->b);
        if (!(rows[k].p_n > 0) || !mover_of(sim, c->b)->is_movable)
            continue;
        a->calm_near = b->calm < a->calm_near ? b->calm : a->calm_near;
        b->calm_near = a->calm < b->calm_near ? a->calm : b->calm_near;
    }
}

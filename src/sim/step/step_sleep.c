#include "sim/step/step_sleep.h"

#define CALM_SPEED  1e-3 /* of sqrt(g R): slower bodies are calm, */
#define STILL_SPEED 1e-7 /* and below this they do not move */
#define CALM_GAIN   1e-3 /* of g: bodies that gather speed faster than this do not sleep */

void count_calm(carom_sim *sim, int i, double speed)
{
    frame_of_body *f = frame_of(sim, i);
    double g = carom_vec3_length(gravity_of(sim, i)), unit = sqrt(g * mover_of(sim, i)->radius);
    double gain = CALM_GAIN * CALM_ENOUGH * sim->scene->step * g;
    bool gathers = f->calm + 1 >= CALM_ENOUGH && speed > f->calm_from + gain;
    if (speed <= STILL_SPEED * unit) {
        f->calm += CALM_STILL;
        return;
    }
    f->calm = speed <= CALM_SPEED * unit && !gathers ? f->calm + 1 : 0;
    f->calm_from = f->calm == 1 || gathers ? speed : f->calm_from;
}

/* Of two that press each other. */
static bool share_pair(carom_sim *sim, const touching *c)
{
    frame_of_body *a = frame_of(sim, c->a), *b = frame_of(sim, c->b);
    if (a->calm == b->calm || !is_stepped(sim, c->a) || !is_stepped(sim, c->b))
        return false;
    a->calm = b->calm = a->calm < b->calm ? a->calm : b->calm;
    return true;
}

void share_calm(carom_sim *sim)
{
    const sweep_row *rows = sim->step_rows.data;
    bool any = true;
    for (size_t n = 0; n < sim->involved.count && any; n++) {
        any = false;
        for (size_t k = 0; k < sim->touchings.count; k++)
            any |= rows[k].p_n > 0 && share_pair(sim, touching_at(sim, (int)k));
    }
}

#include <string.h>

#include "contact/plane.h"
#include "laws/force/force.h"

static carom_problem scaled_by(const carom_problem *turned, double length, force_units *units)
{
    units->velocity = -turned->u.n;
    units->K = turned->K.nn;
    units->length = length;
    units->time = length / units->velocity;
    units->impulse = units->velocity / units->K;
    units->force = units->impulse / units->time;
    units->energy = units->impulse * units->velocity;
    const carom_csym *K = &turned->K;
    const double per = 1 / units->K;
    carom_problem scaled = {{K->t11 * per, K->t12 * per, K->t22 * per, K->t1n * per, K->t2n * per, 1},
                            carom_cvec_scale(1 / units->velocity, turned->u)};
    scaled.u.n = -1;
    if (units->planar)
        scaled.u.t2 = scaled.K.t12 = scaled.K.t2n = 0;
    return scaled;
}

carom_problem force_scale(const carom_problem *problem, double length, force_units *units)
{
    carom_problem turned;
    if (problem_is_planar(problem) || !problem_plane(problem, &units->turn, &turned))
        return force_scale_as_given(problem, length, units);
    units->planar = true;
    return scaled_by(&turned, length, units);
}

carom_problem force_scale_as_given(const carom_problem *problem, double length, force_units *units)
{
    units->turn = (carom_direction){1, 0};
    units->planar = problem_lies_flat(problem);
    return scaled_by(problem, length, units);
}

void force_core_begin(force_core *c, const carom_problem *scaled, bool planar)
{
    memset(c, 0, sizeof *c);
    c->K = scaled->K;
    c->u0 = scaled->u;
    c->planar = planar;
}

void force_core_move(force_core *c, double h)
{
    for (int i = 0; i < 3; i += c->planar ? 2 : 1) {
        series_move(c->p[i], h);
        series_move(c->F[i], h);
        series_move(c->v[i], h);
    }
    series_move(c->x, h);
    series_move(c->time, h);
    series_move(c->loss_normal, h);
    series_move(c->loss_friction, h);
    series_move(c->loss_tangential, h);
}

double force_core_reach(const force_core *c, const double *s)
{
    force_terms t = force_terms_none(false);
    const double per_speed = 1 / fmax(1, fabs(c->u0.t1));
    force_weigh(&t, c->x, 1);
    force_weigh(&t, c->v[2], 1);
    force_weigh(&t, c->v[0], per_speed);
    force_weigh(&t, s, per_speed);
    return force_reach(&t, FORCE_STEP_MOST);
}

#include "sim/step/step_aims.h"

double step_close(const touching *c, double h)
{
    return c->gap > 0 ? -c->gap / h : 0;
}

double step_aim(const carom_sim *sim, const touching *c, double h)
{
    double slow = BOUNCE * h * carom_vec3_length(sim->scene->gravity);
    bool bounces = c->u_n < -slow && c->gap < -h * c->u_n;
    return bounces ? max(step_close(c, h), -sweep_restitution(c) * c->u_n) : step_close(c, h);
}

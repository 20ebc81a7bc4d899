/* Impulses of a group of contacts by sweeps. */
#include "sim/resolve/contact_sweep.h"

void sweep_load(const carom_sim *sim, sweep_body *bodies)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        const carom_body *now = &involved_at(sim, (int)s)->now;
        bodies[s] = (sweep_body){
            .v = now->velocity, .w = now->omega, .inv_mass = now->inv_mass, .inv_inertia = now->inv_inertia};
    }
}

double sweep_restitution(const touching *c)
{
    return c->rule->law->uses & CAROM_USES(e) ? max(touching_coeffs(c).e, 0) : 0;
}

/* Sweeps over the rows of a group. */
static void sweep_group(carom_sim *sim, int group, sweep_row *rows, sweep_body *bodies)
{
    size_t count = 0;
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        if (c->group != group)
            continue;
        rows[count] = sweep_make(sim, c, bodies);
        rows[count++].aim = c->u_n < 0 ? -sweep_restitution(c) * c->u_n : 0;
    }
    sweep_limit limit = {SWEEPS, 0};
    sweep_rows(rows, count, bodies, limit);
}

bool relax_group(carom_sim *sim, int group)
{
    if (!store_resize(&sim->step_rows, &sim->memory, sim->touchings.count) ||
        !store_resize(&sim->step_bodies, &sim->memory, sim->involved.count))
        return false;
    sweep_row *rows = sim->step_rows.data;
    sweep_body *bodies = sim->step_bodies.data;
    sweep_load(sim, bodies);
    sweep_group(sim, group, rows, bodies);
    for (size_t k = 0, n = 0; k < sim->touchings.count; k++) {
        touching *c = touching_at(sim, (int)k);
        if (c->group != group)
            continue;
        const sweep_row *r = &rows[n++];
        c->p = carom_frame_from_world(c->contact.frame, sweep_impulse(r));
        const int slot[2] = {r->a, r->b};
        for (int side = 0; side < 2; side++) {
            involved_at(sim, slot[side])->now.velocity = bodies[slot[side]].v;
            involved_at(sim, slot[side])->now.omega = bodies[slot[side]].w;
        }
    }
    return true;
}

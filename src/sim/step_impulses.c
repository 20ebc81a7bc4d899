#include "sim/step_impulses.h"

#include "core/rotate.h"
#include "sim/step.h"
#include "sim/warm.h"

enum { PILE = 64 };
#define SLENDER   1e-4  /* of the largest moment of inertia: what a thin rod has about itself is rounding */
#define BOUNCE    4.0   /* of g times the step: slower approaches do not bounce */
#define SWEEP_TOL 1e-10 /* of g times the step: velocities that no longer change */
#define PILE_TOL  1e-4  /* the same with more than PILE contacts */

void turn_inertia(const carom_sim *sim, involved *x)
{
    const spin *turn = &frame_of(sim, x->body)->turn;
    const double *I = frame_of(sim, x->body)->moments.I;
    double least = min(I[0], min(I[1], I[2])), most = max(I[0], max(I[1], I[2]));
    if (frame_of(sim, x->body)->isotropic || least < SLENDER * most)
        return;
    carom_vec3 w = x->now.omega;
    carom_sym3 body = sim->scene->bodies[x->body].def.inertia, old = quat_turn_sym3(turn->q, body);
    carom_vec3 L = carom_sym3_apply(old, w), next = carom_sym3_apply(x->now.inv_inertia, L);
    double before = carom_vec3_dot(L, w), after = carom_vec3_dot(L, next);
    x->now.omega = after > before ? carom_vec3_scale(sqrt(before / after), next) : next;
}

bool sweep_take(carom_sim *sim, sweep_memory *m)
{
    size_t rows = sim->touchings.count * sizeof(sweep_row), bodies = sim->involved.count * sizeof(sweep_body);
    if (!store_resize(&sim->scratch, &sim->memory, rows + bodies))
        return false;
    m->count = sim->touchings.count;
    m->rows = (sweep_row *)(void *)sim->scratch.data;
    m->bodies = (sweep_body *)(void *)((char *)sim->scratch.data + rows);
    return true;
}

static void load(carom_sim *sim, const sweep_memory *m)
{
    for (size_t k = 0; k < m->count; k++)
        m->rows[k] = sweep_make(sim, touching_at(sim, (int)k));
    for (size_t s = 0; s < sim->involved.count; s++) {
        const carom_body *now = &involved_at(sim, (int)s)->now;
        m->bodies[s] = (sweep_body){now->velocity, now->omega};
    }
}

static double restitution(const touching *c)
{
    return c->rule->law->uses & CAROM_USES(e) ? max(c->rule->coeffs.e, 0) : 0;
}

double step_aim(const carom_sim *sim, const touching *c, double h)
{
    double slow = BOUNCE * h * carom_vec3_length(sim->scene->gravity);
    double bounce = c->u_n < -slow ? -restitution(c) * c->u_n : 0;
    return c->gap > 0 ? max(-c->gap / h, bounce > 0 && c->gap < -h * c->u_n ? bounce : -INFINITY) : bounce;
}

void sweep_velocities(carom_sim *sim, const sweep_memory *m, double h)
{
    load(sim, m);
    for (size_t k = 0; k < m->count; k++) {
        m->rows[k].aim = step_aim(sim, touching_at(sim, (int)k), h);
        warm_start(sim, touching_at(sim, (int)k), &m->rows[k], m->bodies);
    }
    double tolerance = m->count > PILE ? PILE_TOL : SWEEP_TOL;
    sweep_limit limit = {STEP_SWEEPS, tolerance * h * carom_vec3_length(sim->scene->gravity)};
    sweep_rows(m->rows, m->count, m->bodies, limit);
    warm_keep(sim, m->rows, m->count);
    for (size_t k = 0; k < m->count; k++)
        touching_at(sim, (int)k)->p = carom_cvec_make(m->rows[k].p[0], m->rows[k].p[1], m->rows[k].p[2]);
    for (size_t s = 0; s < sim->involved.count; s++) {
        carom_body *now = &involved_at(sim, (int)s)->now;
        now->velocity = m->bodies[s].v;
        now->omega = m->bodies[s].w;
    }
}

bool sweep_overlaps(carom_sim *sim, const sweep_memory *m)
{
    bool any = false;
    for (size_t k = 0; k < m->count; k++) {
        const touching *c = touching_at(sim, (int)k);
        sweep_row *r = &m->rows[k];
        r->aim = c->gap < 0 ? -STEP_PUSH_OUT * c->gap : -c->gap;
        r->mu = r->p[0] = r->p[1] = r->p[2] = 0;
        any |= c->gap < 0;
    }
    memset(m->bodies, 0, sim->involved.count * sizeof *m->bodies);
    sweep_limit limit = {STEP_PUSH_SWEEPS, 0};
    if (any)
        sweep_rows(m->rows, m->count, m->bodies, limit);
    return any;
}

void relax_group(carom_sim *sim, int group)
{
    sweep_memory m;
    if (!sweep_take(sim, &m)) {
        sim->out_of_memory = true;
        return;
    }
    size_t count = 0;
    load(sim, &m);
    for (size_t k = 0; k < m.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        if (c->group != group)
            continue;
        m.rows[count] = m.rows[k];
        m.rows[count++].aim = c->u_n < 0 ? -restitution(c) * c->u_n : 0;
    }
    sweep_limit limit = {10 * STEP_SWEEPS, 0};
    sweep_rows(m.rows, count, m.bodies, limit);
    count = 0;
    for (size_t k = 0; k < m.count; k++) {
        touching *c = touching_at(sim, (int)k);
        if (c->group != group)
            continue;
        const sweep_row *r = &m.rows[count++];
        c->p = carom_cvec_make(r->p[0], r->p[1], r->p[2]);
        const int slot[2] = {r->a, r->b};
        for (int side = 0; side < 2; side++) {
            involved_at(sim, slot[side])->now.velocity = m.bodies[slot[side]].v;
            involved_at(sim, slot[side])->now.omega = m.bodies[slot[side]].w;
        }
    }
}

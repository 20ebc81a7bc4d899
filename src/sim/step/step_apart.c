/* Overlaps that steps have left are pushed apart before the next one, by displacements that no velocity sees. What the
 * bodies gain in height is taken from their motion, and where there is too little motion to pay for it they stay. */
#include "sim/step/step_apart.h"

#include "core/rotate.h"
#include "sim/motion/course.h"
#include "sim/step/step_aims.h"

#define APART_SHARE 0.5 /* of the kinetic energy: what a displacement may cost */

static double deepest(const carom_sim *sim, const step_plan *p)
{
    double most = 0;
    for (size_t k = 0; k < p->first; k++) {
        const touching *c = touching_at(sim, (int)k);
        most = c->gap < -STEP_DEPTH * mover_of(sim, c->a)->radius ? max(most, -c->gap) : most;
    }
    return most;
}

static void find_ways(carom_sim *sim, const step_plan *p, double deep)
{
    sweep_row *rows = sim->step_rows.data;
    sweep_limit limit = {SWEEPS_MOST / 2, 10 * SMALL_SHARE * deep}; /* displacements that no longer change */
    for (size_t s = 0; s < sim->involved.count; s++) {
        const carom_body *now = &involved_at(sim, (int)s)->now;
        *step_start(sim, s) = (sweep_body){.inv_mass = now->inv_mass, .inv_inertia = now->inv_inertia};
    }
    for (size_t k = 0; k < p->first; k++) {
        rows[k] = sweep_make(sim, touching_at(sim, (int)k), step_start(sim, 0));
        rows[k].aim = -touching_at(sim, (int)k)->gap;
        rows[k].mu = 0;
    }
    sweep_rows(rows, p->first, step_start(sim, 0), limit);
}

/* Energies of everyone: what the displacements add in height, and what there is to pay with. */
static double height_of(const carom_sim *sim)
{
    double sum = 0;
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        if (is_stepped(sim, x->body))
            sum -= x->now.mass * carom_vec3_dot(gravity_of(sim, x->body), step_start(sim, s)->v);
    }
    return sum;
}

static double kinetic_of(const carom_sim *sim)
{
    double sum = 0;
    for (size_t s = 0; s < sim->involved.count; s++)
        if (is_stepped(sim, involved_at(sim, (int)s)->body))
            sum += carom_body_energy(&involved_at(sim, (int)s)->now);
    return sum;
}

/* Its spin turns with a body, so that its energy stays what it is. */
static void turn_spin(carom_body *b, carom_quat turn)
{
    b->inertia = quat_turn_sym3(turn, b->inertia);
    b->inv_inertia = quat_turn_sym3(turn, b->inv_inertia);
    b->omega = quat_turn(turn, b->omega);
}

/* Body x moves by this share of its displacement, and keeps this share of its velocities. */
static void displace(carom_sim *sim, size_t slot, double t, double share, double keep)
{
    involved *x = involved_at(sim, (int)slot);
    const sweep_body *by = step_start(sim, slot);
    if (!is_stepped(sim, x->body))
        return;
    snap at = snap_at(sim, x->body, t);
    carom_quat turn = quat_exp(carom_vec3_scale(share, by->w)), q = quat_multiply(turn, at.q);
    at.x = carom_vec3_add(at.x, carom_vec3_scale(share, by->v));
    at.q = quat_scale(1 / quat_norm(q), q);
    course c = course_driven(at, mover_of(sim, x->body)->a, carom_vec3_make(0, 0, 0), frame_of(sim, x->body)->until);
    motion_set(sim, x->body, t, &c);
    x->now.position = at.x;
    if (!frame_of(sim, x->body)->isotropic)
        turn_spin(&x->now, turn);
    x->now.velocity = carom_vec3_scale(keep, x->now.velocity);
    x->now.omega = carom_vec3_scale(keep, x->now.omega);
}

bool step_apart(carom_sim *sim, const step_plan *p)
{
    double deep = deepest(sim, p), kinetic = kinetic_of(sim);
    if (!(deep > 0) || !(kinetic > 0))
        return true;
    if (!store_resize(&sim->step_rows, &sim->memory, p->first) ||
        !store_resize(&sim->step_bodies, &sim->memory, sim->involved.count))
        return false;
    find_ways(sim, p, deep);
    double height = height_of(sim), share = height > APART_SHARE * kinetic ? APART_SHARE * kinetic / height : 1;
    double keep = height > 0 ? sqrt(1 - share * height / kinetic) : 1;
    const sweep_row *rows = sim->step_rows.data;
    for (size_t k = 0; k < p->first; k++) {
        touching *c = touching_at(sim, (int)k);
        c->gap += share * carom_vec3_dot(rows[k].n, sweep_velocity(&rows[k], step_start(sim, 0)));
        c->u_n *= keep;
    }
    for (size_t s = 0; s < sim->involved.count; s++)
        displace(sim, s, p->t, share, keep);
    return true;
}

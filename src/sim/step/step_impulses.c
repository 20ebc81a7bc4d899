#include "sim/step/step_impulses.h"

#include "core/rotate.h"
#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/motion/piece_energy.h"
#include "sim/resolve/resolve.h"
#include "sim/resolve/resolve_linkage.h"
#include "sim/resolve/sim_road.h"
#include "sim/step/step_aims.h"
#include "sim/step/step_error.h"
#include "sim/step/step_sleep.h"
#include "sim/step/warm_start.h"

enum { JOINTED_MOST = 256 };
#define FAST 0.5 /* of the radius, per step: faster bodies are not stepped */

bool has_joints(const carom_sim *sim)
{
    for (size_t s = 0; sim->assemblies.count && s < sim->involved.count; s++)
        if (is_jointed(sim, involved_at(sim, (int)s)->body))
            return true;
    return false;
}

bool are_balls(const carom_sim *sim)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        const mover *m = mover_of(sim, involved_at(sim, (int)s)->body);
        if (m->is_movable && !m->is_sphere)
            return false;
    }
    return true;
}

carom_status close_joints(carom_sim *sim, double t)
{
    carom_status status = CAROM_STATUS_OK;
    for (int k = 0; k < (int)sim->assemblies.count && !status; k++) {
        const frame_of_body *f = frame_of(sim, assembly_body(sim, k, 0));
        status = f->stepped && !f->asleep ? jointed_correct(sim, k, t) : CAROM_STATUS_OK;
    }
    return status;
}

/* Gravity and fields, as they are at the start of a step. */
static carom_vec3 step_accel(const carom_sim *sim, int i, const carom_body *b)
{
    const frame_of_body *f = frame_of(sim, i);
    carom_vec3 g = gravity_of(sim, i);
    return f->forced
               ? carom_vec3_add(g, carom_vec3_scale(b->inv_mass, field_wrench(f->fields, b->velocity, b->omega).F))
               : g;
}

/* Free fall without a change of spin until the next step. */
static void move_on(carom_sim *sim, int i, double t, const carom_body *now)
{
    frame_of_body *f = frame_of(sim, i);
    carom_vec3 none = {0, 0, 0}, a = f->asleep ? none : step_accel(sim, i, now);
    course c = course_driven(step_place(sim, i, t), a, none, f->asleep ? INFINITY : t + sim->scene->step);
    c.at.v = now->velocity;
    c.at.w = now->omega;
    f->step_force = carom_vec3_scale(core_of(sim, i)->mass, carom_vec3_sub(a, gravity_of(sim, i)));
    motion_set(sim, i, t, &c);
    f->step_energy = energy_of(sim, i, t);
}

/* ---- velocities ---- */

/* Angular momentum is kept over a step, and energy does not grow: w = I^-1 L with the inertia as it has turned. */
static void turn_one(const carom_sim *sim, involved *x)
{
    const double *I = frame_of(sim, x->body)->moments.I;
    double least = min(I[0], min(I[1], I[2])), most = max(I[0], max(I[1], I[2]));
    if (frame_of(sim, x->body)->isotropic || least < THIN_ROD * most)
        return;
    carom_vec3 w = x->now.omega;
    carom_sym3 body = sim->scene->bodies[x->body].def.inertia, old = quat_turn_sym3(x->from, body);
    carom_vec3 L = carom_sym3_apply(old, w), next = carom_sym3_apply(x->now.inv_inertia, L);
    double before = carom_vec3_dot(L, w), after = carom_vec3_dot(L, next);
    x->now.omega = after > before ? carom_vec3_scale(sqrt(before / after), next) : next;
}

/* From the velocity at the start of a step to the mean one within it, or back. */
static carom_vec3 half_kick(const carom_sim *sim, const involved *x, double sign)
{
    carom_vec3 a = step_accel(sim, x->body, &x->before);
    return carom_vec3_add(x->now.velocity, carom_vec3_scale(sign * 0.5 * sim->scene->step, a));
}

/* The air slows the rotation down over a step. */
static void turn_kick(const carom_sim *sim, involved *x, double h)
{
    const frame_of_body *f = frame_of(sim, x->body);
    if (!f->forced)
        return;
    carom_vec3 M = field_wrench(f->fields, x->now.velocity, x->now.omega).M;
    x->now.omega = carom_vec3_add(x->now.omega, carom_vec3_scale(h, carom_sym3_apply(x->now.inv_inertia, M)));
}

/* A body that overlaps others is put aside a little. */
static void put_aside(carom_sim *sim, int i, double t, const sweep_body *by)
{
    snap at = snap_at(sim, i, t);
    carom_quat q = quat_multiply(quat_exp(by->w), at.q);
    at.x = carom_vec3_add(at.x, by->v);
    at.q = quat_scale(1 / quat_norm(q), q);
    course c = course_driven(at, mover_of(sim, i)->a, carom_vec3_make(0, 0, 0), frame_of(sim, i)->until);
    motion_set(sim, i, t, &c);
}

/* Steps in a row in which body i, and all that joints hold to it, have been calm. */
static int calm_steps(const carom_sim *sim, int i)
{
    int number = frame_of(sim, i)->assembly, least = frame_of(sim, i)->calm;
    for (int n = 0; number >= 0 && n < assembly_at(sim, number)->count; n++) {
        int own = frame_of(sim, assembly_body(sim, number, n))->calm;
        least = own < least ? own : least;
    }
    return least;
}

/* Who has been calm long enough rests from here on, and does not give way in this step. */
static void fall_asleep(carom_sim *sim, double t)
{
    carom_vec3 none = {0, 0, 0};
    if (sim->driven.count > 0) /* ground on a path may begin to move */
        return;
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        frame_of_body *f = frame_of(sim, x->body);
        if (!is_stepped(sim, x->body) || !f->held || calm_steps(sim, x->body) < CALM_ENOUGH)
            continue;
        f->asleep = true;
        x->now.velocity = x->now.omega = none;
        x->now.inv_mass = 0;
        x->now.inv_inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
        move_on(sim, x->body, t, &x->now);
        sim->ledger.sliding += f->step_energy - x->energy;
    }
}

static double speed_of(const carom_sim *sim, const involved *x)
{
    double R = mover_of(sim, x->body)->radius;
    return carom_vec3_length(x->now.velocity) + R * carom_vec3_length(x->now.omega);
}

static bool is_fast(const carom_sim *sim, const involved *x)
{
    return sim->scene->step * speed_of(sim, x) > FAST * mover_of(sim, x->body)->radius;
}

/* Who is carried, calm or fast; what holds for one body of an assembly holds for all. */
static void judge_step(carom_sim *sim)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        frame_of_body *f = frame_of(sim, x->body);
        f->held = false;
        count_calm(sim, x->body, speed_of(sim, x));
        f->fast = is_fast(sim, x);
    }
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        frame_of(sim, c->a)->held |= c->p.n > 0 || c->gap < 0;
        frame_of(sim, c->b)->held |= c->p.n > 0 || c->gap < 0;
    }
    for (int k = 0; k < (int)sim->assemblies.count; k++) {
        bool held = false, fast = false;
        for (int n = 0; n < assembly_at(sim, k)->count; n++) {
            held |= frame_of(sim, assembly_body(sim, k, n))->held;
            fast |= frame_of(sim, assembly_body(sim, k, n))->fast;
        }
        for (int n = 0; n < assembly_at(sim, k)->count; n++) {
            frame_of(sim, assembly_body(sim, k, n))->held = held;
            frame_of(sim, assembly_body(sim, k, n))->fast = fast;
        }
    }
}

/* Body i flies again. */
static void take_off(carom_sim *sim, involved *x, double t)
{
    double old = energy_of(sim, x->body, t);
    x->now.velocity = half_kick(sim, x, -1);
    if (!frame_of(sim, x->body)->held)
        x->now = x->before;
    step_leave(sim, x->body, t, &x->now);
    sim->ledger.sliding += energy_of(sim, x->body, t) - old;
}

/* The mean velocity has become now.velocity; impulses act as accelerations over the step would. */
static void estimate(carom_sim *sim, const involved *x)
{
    double h = sim->scene->step;
    carom_vec3 a = carom_vec3_scale(1 / h, carom_vec3_sub(x->now.velocity, x->before.velocity));
    step_estimate(sim, x->body, h, x->now.velocity, a);
    frame_of(sim, x->body)->entered = false;
}

/* Is body x carried, and is it stepped? */
static bool goes_on(const carom_sim *sim, const involved *x)
{
    return is_stepped(sim, x->body) && frame_of(sim, x->body)->held;
}

/* Sweeps that have not settled may add energy beyond what moving ground gives; it is taken out of the motion of those
 * who are carried. They fall freely until the next step, which adds none. */
static void slow_down(carom_sim *sim)
{
    double rise = -driven_work(sim), kinetic = 0;
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        carom_body now = x->now;
        now.velocity = half_kick(sim, x, -1);
        if (!goes_on(sim, x))
            continue;
        double own = carom_body_energy(&now);
        kinetic += own;
        rise += own - now.mass * carom_vec3_dot(gravity_of(sim, x->body), now.position) - x->energy;
    }
    double keep = rise > 0 && kinetic > 0 ? sqrt(max(0, 1 - rise / kinetic)) : 1;
    for (size_t s = 0; s < sim->involved.count && keep < 1; s++) {
        involved *x = involved_at(sim, (int)s);
        if (!goes_on(sim, x))
            continue;
        x->now.velocity = carom_vec3_scale(keep, half_kick(sim, x, -1));
        x->now.velocity = half_kick(sim, x, 1);
        x->now.omega = carom_vec3_scale(keep, x->now.omega);
    }
}

/* The height that bodies gain as they are put aside, and what impulses and closed joints have added, is paid by the
 * motion of all, so that those who fall together keep their momentum; bodies that cannot pay stay. A share k of the
 * mean velocities has k^2 K - k B + D more than the energy there may be, at the start of the free fall of the step; the
 * hop m a^2 h^2 / 8 of a fall is new to who enters. */
static void pay_for(carom_sim *sim, const step_plan *p, sweep_body *aside)
{
    double h = sim->scene->step, K = 0, B = 0, gain = 0, D = -(driven_work(sim) + p->gain);
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        carom_vec3 g = gravity_of(sim, x->body), a = step_accel(sim, x->body, &x->before);
        double m = x->now.mass, hop = 0.125 * m * h * h * carom_vec3_dot(a, a);
        if (!goes_on(sim, x))
            continue;
        K += carom_body_energy(&x->now);
        B += 0.5 * h * m * carom_vec3_dot(a, x->now.velocity);
        gain -= m * carom_vec3_dot(g, aside[s].v);
        D -= m * carom_vec3_dot(g, x->now.position) + x->energy - (frame_of(sim, x->body)->entered ? 0 : hop);
    }
    double share = gain > 0 && D + gain > 0 ? max(0, -D / gain) : 1;
    D += share * gain;
    double keep = K - B + D > 0 && K > 0 ? (B + sqrt(max(0, B * B - 4 * K * D))) / (2 * K) : 1;
    keep = min(1, max(0, keep));
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        aside[s].v = carom_vec3_scale(share, aside[s].v);
        aside[s].w = carom_vec3_scale(share, aside[s].w);
        if (!goes_on(sim, x))
            continue;
        x->now.velocity = carom_vec3_scale(keep, x->now.velocity);
        x->now.omega = carom_vec3_scale(keep, x->now.omega);
    }
}

static void end_step(carom_sim *sim, const step_plan *p, sweep_body *aside)
{
    judge_step(sim);
    if (aside)
        pay_for(sim, p, aside);
    else
        slow_down(sim);
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        frame_of_body *f = frame_of(sim, x->body);
        if (!mover_of(sim, x->body)->is_movable || !f->stepped || f->asleep)
            continue;
        sim->ledger.sliding += energy_of(sim, x->body, p->t) - x->energy; /* what turning the inertias has changed */
        if ((!f->held && !f->entered) || f->fast) { /* who has just entered stays for a step: time goes on */
            take_off(sim, x, p->t);
            continue;
        }
        double before = energy_of(sim, x->body, p->t);
        if (aside)
            put_aside(sim, x->body, p->t, &aside[s]);
        estimate(sim, x);
        x->now.velocity = half_kick(sim, x, -1);
        move_on(sim, x->body, p->t, &x->now);
        sim->ledger.sliding += f->step_energy - before;
    }
}

/* Displacements of the members that take out part of the overlaps. */
static void push_members(carom_sim *sim, jointed_problem *x, double *aim, sweep_body *aside)
{
    memset(x->u, 0, (size_t)(x->count * x->dim) * sizeof *x->u);
    memset(x->p, 0, (size_t)(x->count * x->dim) * sizeof *x->p);
    for (int k = 0; k < x->count; k++) {
        double gap = touching_at(sim, x->of[k])->gap;
        aim[k] = gap < 0 ? -STEP_PUSH_OUT * gap : -gap;
    }
    jointed_sweep(sim, x, aim, true, STEP_PUSH_SWEEPS);
    memset(aside, 0, sim->involved.count * sizeof *aside);
    for (int n = 0; n < x->l.body_count; n++) {
        carom_twist by = jointed_change(x, n);
        aside[frame_of(sim, store_ints(&sim->member_bodies)[n])->slot] = (sweep_body){.v = by.v, .w = by.w};
    }
}

static carom_status push_jointed(carom_sim *sim, const step_plan *p, double h)
{
    jointed_problem x;
    carom_status status =
        sim->touchings.count > JOINTED_MOST ? CAROM_STATUS_UNSUPPORTED : jointed_reduce(sim, -1, p->t, &x);
    if (status)
        return status;
    size_t aims = (size_t)(x.count + 1) * sizeof(double);
    if (!store_resize(&sim->scratch, &sim->memory, aims + sim->involved.count * sizeof(sweep_body)))
        return CAROM_STATUS_NO_MEMORY;
    double *aim = (double *)(void *)sim->scratch.data;
    sweep_body *aside = (sweep_body *)(void *)((char *)sim->scratch.data + aims);
    for (int k = 0; k < x.count; k++)
        aim[k] = step_aim(sim, touching_at(sim, x.of[k]), h);
    jointed_sweep(sim, &x, aim, false, SWEEPS);
    jointed_apply(sim, &x);
    jointed_put_impulses(sim, &x);
    push_members(sim, &x, aim, aside);
    members_clear(sim);
    end_step(sim, p, aside);
    return CAROM_STATUS_OK;
}

/* ---- piles ---- */

/* The velocity that a gap may close with; an overlap is pushed out, no faster than gravity pulls in a step. */
static double close_aim(const carom_sim *sim, const touching *c, double h)
{
    return min(-c->gap / h, h * carom_vec3_length(sim->scene->gravity));
}

/* Of balls, whose gaps are convex in their motion, so that what is kept from closing in the mean stays open: what the
 * sweeps have left of approaches ends by the smallest impulses along the normals that end them. Without
 * overlaps rest is among the velocities that are looked for, and the nearest of them have less energy; and friction
 * stays within its cone, because loads only grow. */
static void close_gaps(carom_sim *sim, sweep_row *rows, sweep_body *bodies, double h)
{
    size_t count = sim->touchings.count;
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        const touching *c = touching_at(sim, (int)k);
        rows[k].aim = close_aim(sim, c, h);
        rows[k].p_n = rows[k].mu = 0;
        rows[k].p_t = carom_vec3_make(0, 0, 0);
        least = min(least, mover_of(sim, c->a)->radius);
    }
    sweep_rows(rows, count, bodies, (sweep_limit){STEP_SWEEPS, STEP_DEPTH * least / h});
    for (size_t k = 0; k < count; k++)
        touching_at(sim, (int)k)->p.n += rows[k].p_n;
}

static void sweep_velocities(carom_sim *sim, sweep_row *rows, sweep_body *bodies, double h)
{
    size_t count = sim->touchings.count;
    /* velocities that no longer change */
    sweep_limit limit = {STEP_SWEEPS, 0.1 * SMALL_SHARE * h * carom_vec3_length(sim->scene->gravity)};
    sweep_load(sim, bodies);
    for (size_t k = 0; k < count; k++) {
        const touching *c = touching_at(sim, (int)k);
        rows[k] = sweep_make(sim, c, bodies);
        rows[k].aim = step_aim(sim, c, h);
        warm_start(sim, c, h, &rows[k], bodies);
    }
    sweep_rows(rows, count, bodies, limit);
    warm_keep(sim, rows, 0, h);
    for (size_t k = 0; k < count; k++)
        touching_at(sim, (int)k)->p =
            carom_frame_from_world(touching_at(sim, (int)k)->contact.frame, sweep_impulse(&rows[k]));
    if (are_balls(sim))
        close_gaps(sim, rows, bodies, h);
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved_at(sim, (int)s)->now.velocity = bodies[s].v;
        involved_at(sim, (int)s)->now.omega = bodies[s].w;
    }
}

static carom_status push_pile(carom_sim *sim, const step_plan *p, double h)
{
    size_t rows = sim->touchings.count * sizeof(sweep_row);
    if (!store_resize(&sim->scratch, &sim->memory, rows + sim->involved.count * sizeof(sweep_body)))
        return CAROM_STATUS_NO_MEMORY;
    sweep_row *row = (sweep_row *)(void *)sim->scratch.data;
    sweep_body *bodies = (sweep_body *)(void *)((char *)sim->scratch.data + rows);
    sweep_velocities(sim, row, bodies, h);
    end_step(sim, p, NULL);
    return CAROM_STATUS_OK;
}

void step_turn_inertias(carom_sim *sim)
{
    for (size_t k = 0; k < sim->involved.count; k++)
        if (involved_at(sim, (int)k)->now.inv_mass > 0)
            turn_one(sim, involved_at(sim, (int)k));
}

carom_status step_by_impulses(carom_sim *sim, const step_plan *p)
{
    double h = sim->scene->step;
    fall_asleep(sim, p->t);
    for (size_t k = 0; k < sim->involved.count; k++) {
        involved *x = involved_at(sim, (int)k);
        if (!(x->now.inv_mass > 0))
            continue;
        x->now.velocity = half_kick(sim, x, 1);
        turn_kick(sim, x, h);
    }
    carom_status status = (has_joints(sim) ? push_jointed : push_pile)(sim, p, h);
    double driven = driven_work(sim); /* all that contacts have changed is booked as sliding so far */
    sim->ledger.driven += driven;
    sim->ledger.sliding -= driven;
    return status;
}

#include "sim/step.h"

#include "core/rotate.h"
#include "sim/collide.h"
#include "sim/fields.h"
#include "sim/impact_time.h"
#include "sim/jointed.h"
#include "sim/predict.h"
#include "sim/queue.h"
#include "sim/rest.h"
#include "sim/step_impulses.h"
#include "sim/touching.h"

enum { CALM_STEPS = 25, JOINTED_MOST = 256 };
#define CALM_SPEED 0.02  /* of sqrt(g R): slower bodies are calm, and sleep after CALM_STEPS steps */
#define CALM_GAIN  1e-3  /* of g: bodies that gather speed faster than this do not sleep */
#define FAST       0.5   /* of the radius, per step: faster bodies are not stepped */
#define STEP_TURN  0.002 /* rad */

static double calm_speed(const carom_sim *sim, int i)
{
    return CALM_SPEED * sqrt(carom_vec3_length(gravity_of(sim, i)) * mover_of(sim, i)->radius);
}

static double speed_of(const carom_body *b, double R)
{
    return carom_vec3_length(b->velocity) + R * carom_vec3_length(b->omega);
}

bool step_is_due(carom_sim *sim, int i, int other, double t)
{
    frame_of_body *f = frame_of(sim, i);
    bool again = f->last_hit == other && !mover_of(sim, other)->is_movable;
    f->last_hit = other;
    if (f->stepped || carom_vec3_length(gravity_of(sim, i)) == 0 || again)
        return false;
    if (t - f->window > sim->scene->step) {
        f->window = t;
        f->hits = 0;
    }
    return ++f->hits > STEP_IMPACTS;
}

/* Gravity and fields, as they are at the begin of a step. */
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
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    carom_vec3 none = {0, 0, 0};
    pose p = spin_at(&f->turn, t);
    m->x = mover_position(m, t);
    m->track = NULL;
    m->v = now->velocity;
    m->a = f->asleep ? none : step_accel(sim, i, now);
    m->t0 = t;
    m->version++;
    f->recent_count = 0;
    f->until = f->asleep ? INFINITY : sim->step_time;
    spin_drive(&f->turn, t, quat_scale(1 / quat_norm(p.q), p.q), now->omega, none);
    f->step_energy = energy_of(sim, i, t);
}

/* Without gravity bodies are pressed by their rotation alone: none may turn by more than STEP_TURN in a step. */
static double step_length(const carom_sim *sim)
{
    double fastest = 0;
    if (carom_vec3_length(sim->scene->gravity) > 0)
        return sim->scene->step;
    for (size_t k = 0; k < sim->movable.count; k++) {
        const frame_of_body *f = frame_of(sim, store_ints(&sim->movable)[k]);
        fastest = f->stepped ? max(fastest, carom_vec3_length(f->turn.w)) : fastest;
    }
    return fastest * sim->scene->step > STEP_TURN ? STEP_TURN / fastest : sim->scene->step;
}

/* Steps follow each other at their length; after a time without any, the next comes a step from now. */
static void plan_step(carom_sim *sim, double t)
{
    if (!(sim->step_time > t))
        sim->step_time = t + step_length(sim);
}

void step_push(carom_sim *sim, int i, double t, const carom_body *now)
{
    book_piece(sim, i, t);
    move_on(sim, i, t, now);
}

static void enter_one(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    if (f->stepped || !mover_of(sim, i)->is_movable)
        return;
    book_piece(sim, i, t);
    drop_contacts(sim, i);
    f->stepped = true;
    f->asleep = false;
    f->calm = 0;
    sim->stepped++;
    plan_step(sim, t);
    carom_body now = body_at(sim, i, t);
    move_on(sim, i, t, &now);
}

void step_enter(carom_sim *sim, int i, double t)
{
    int number = frame_of(sim, i)->assembly, count = number < 0 ? 0 : assembly_at(sim, number)->count;
    if (number < 0)
        enter_one(sim, i, t);
    for (int n = 0; n < count; n++)
        enter_one(sim, assembly_body(sim, number, n), t);
}

static void leave_stepping(carom_sim *sim, int i, double t, const carom_body *now)
{
    frame_of_body *f = frame_of(sim, i);
    f->stepped = false;
    f->hits = 0;
    f->window = t;
    sim->stepped--;
    set_motion(sim, i, t, now);
}

static void wake_neighbour(carom_sim *sim, int i, int j, void *context)
{
    double t = *(const double *)context;
    if (frame_of(sim, j)->asleep && gap_at(sim, i, j, t) <= 1e-3 * mover_of(sim, i)->radius)
        step_wake(sim, j, t);
}

void step_wake(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    if (!f->asleep)
        return;
    f->asleep = false;
    f->calm = 0;
    plan_step(sim, t);
    f->until = sim->step_time;
    expect_change(sim, i, NEXT_PIECE, sim->step_time);
    visit_near(sim, i, wake_neighbour, &t);
}

/* ---- contacts of a step ---- */

typedef struct span {
    double t, h;
} span;

/* No point of the body moves faster. */
static double fastest(const carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    bool driven = m->track && !m->is_movable;
    carom_vec3 v = driven ? mover_velocity(m, t) : m->v,
               w = driven ? track_omega(m->track, t) : frame_of(sim, i)->turn.w;
    double turn = is_plane(sim, i) ? 0 : m->radius * carom_vec3_length(w);
    return carom_vec3_length(v) + turn;
}

/* Each point has a gap of its own. */
static double gap_of_point(const carom_sim *sim, const touching *c, double t)
{
    if (!is_plane(sim, c->b))
        return mover_of(sim, c->a)->is_sphere && mover_of(sim, c->b)->is_sphere ? -INFINITY : c->gap;
    carom_vec3 point = carom_vec3_add(mover_position(mover_of(sim, c->a), t), c->contact.arm_a);
    carom_vec3 base = mover_position(mover_of(sim, c->b), t);
    return carom_vec3_dot(c->contact.frame.n, carom_vec3_sub(point, base)) - plane_offset(sim, c->b);
}

static void add_contact(carom_sim *sim, int i, int j, void *context)
{
    const span *s = context;
    if (are_joined(sim, i, j))
        return;
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    bool other = b->is_movable && frame_of(sim, j)->stepped;
    if (other && !frame_of(sim, j)->asleep && j < i) /* the pair is seen from both sides */
        return;
    double reach =
        s->h * (fastest(sim, i, s->t) + fastest(sim, j, s->t) + s->h * carom_vec3_length(sim->scene->gravity)) +
        1e-4 * a->radius;
    double gap = gap_at(sim, i, j, s->t);
    if (gap > reach)
        return;
    if (b->is_movable && !other && gap <= 1e-6 * a->radius) { /* it rests on a body that is not stepped yet */
        int *join = store_push(&sim->joining, &sim->memory);
        if (join)
            *join = j;
    }
    if (b->is_movable && !other)
        return;
    size_t first = sim->touchings.count;
    sim->loose = true; /* features that are nearly parallel touch along their whole length */
    add_touchings(sim, i, j, s->t);
    sim->loose = false;
    for (size_t k = first; k < sim->touchings.count; k++)
        touching_at(sim, (int)k)->gap = max(gap, gap_of_point(sim, touching_at(sim, (int)k), s->t));
}

/* Sleeping bodies do not move, unless something hits them. */
static void freeze_sleepers(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->touchings.count; k++) {
        touching *c = touching_at(sim, (int)k);
        int side[2] = {c->a, c->b};
        for (int m = 0; m < 2; m++)
            if (frame_of(sim, side[m])->asleep && -c->u_n > 4 * calm_speed(sim, side[m]))
                step_wake(sim, side[m], t);
    }
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        if (frame_of(sim, x->body)->asleep) {
            x->now.inv_mass = 0;
            x->now.inv_inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
        }
    }
}

/* ---- a step ---- */

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

static void fall_asleep(carom_sim *sim, int i, carom_body *now)
{
    carom_vec3 none = {0, 0, 0};
    if (calm_steps(sim, i) < CALM_STEPS || sim->driven.count > 0) /* ground on a path may begin to move */
        return;
    frame_of(sim, i)->asleep = true;
    now->velocity = now->omega = none;
}

/* From the velocity at the begin of a step to the mean one within it, or back. */
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

/* A body that overlaps others is put aside a little. Returns what it gains in height, as energy. */
static double put_aside(carom_sim *sim, int i, double t, const sweep_body *by)
{
    mover *m = mover_of(sim, i);
    spin *turn = &frame_of(sim, i)->turn;
    pose p = spin_at(turn, t);
    carom_quat q = quat_multiply(quat_exp(by->w), p.q);
    m->x = carom_vec3_add(mover_position(m, t), by->v);
    m->v = mover_velocity(m, t);
    m->t0 = t;
    spin_drive(turn, t, quat_scale(1 / quat_norm(q), q), p.w, carom_vec3_make(0, 0, 0));
    return -sim->scene->bodies[i].def.mass * carom_vec3_dot(gravity_of(sim, i), by->v);
}

/* That energy is taken from its motion, as far as there is any. */
static void pay_for(double energy, carom_body *now)
{
    double kinetic = carom_body_energy(now);
    if (!(energy > 0))
        return;
    double share = kinetic > energy ? sqrt(1 - energy / kinetic) : 0;
    now->velocity = carom_vec3_scale(share, now->velocity);
    now->omega = carom_vec3_scale(share, now->omega);
}

static bool is_fast(const carom_sim *sim, const involved *x)
{
    double R = mover_of(sim, x->body)->radius;
    return sim->scene->step * speed_of(&x->now, R) > FAST * R;
}

/* A step is calm when the body is slow. One that gathers speed over the calm steps, as a block on a slope does, begins
 * to count again. */
static void count_calm(const carom_sim *sim, const involved *x, frame_of_body *f)
{
    double speed = speed_of(&x->now, mover_of(sim, x->body)->radius);
    double gain = CALM_GAIN * CALM_STEPS * sim->scene->step * carom_vec3_length(gravity_of(sim, x->body));
    bool gathers = f->calm + 1 >= CALM_STEPS && speed > f->calm_from + gain;
    f->calm = speed <= calm_speed(sim, x->body) && !gathers ? f->calm + 1 : 0;
    f->calm_from = f->calm == 1 || gathers ? speed : f->calm_from;
}

/* Who is carried, calm or fast; what holds for one body of an assembly holds for all. */
static void judge_step(carom_sim *sim)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        frame_of_body *f = frame_of(sim, x->body);
        f->held = false;
        count_calm(sim, x, f);
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
    leave_stepping(sim, x->body, t, &x->now);
    sim->ledger.sliding += energy_of(sim, x->body, t) - old;
}

static void end_step(carom_sim *sim, double t, const sweep_body *aside)
{
    judge_step(sim);
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        frame_of_body *f = frame_of(sim, x->body);
        if (!mover_of(sim, x->body)->is_movable || !f->stepped || f->asleep)
            continue;
        book_piece(sim, x->body, t);
        if (!f->held || f->fast) {
            take_off(sim, x, t);
            continue;
        }
        double before = energy_of(sim, x->body, t);
        if (aside)
            pay_for(put_aside(sim, x->body, t, &aside[s]), &x->now);
        fall_asleep(sim, x->body, &x->now);
        if (!f->asleep)
            x->now.velocity = half_kick(sim, x, -1);
        move_on(sim, x->body, t, &x->now);
        sim->ledger.sliding += f->step_energy - before;
    }
}

static void join_all(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->joining.count; k++)
        step_enter(sim, store_ints(&sim->joining)[k], t);
    sim->joining.count = 0;
}

static carom_status step_free(carom_sim *sim, const span *s)
{
    sweep_memory m;
    if (!sweep_take(sim, &m))
        return CAROM_STATUS_NO_MEMORY;
    sweep_velocities(sim, &m, s->h);
    end_step(sim, s->t, sweep_overlaps(sim, &m) ? m.bodies : NULL);
    return CAROM_STATUS_OK;
}

/* ---- a step in which joints take part ---- */

static bool has_joints(const carom_sim *sim)
{
    for (size_t s = 0; sim->assemblies.count && s < sim->involved.count; s++)
        if (is_jointed(sim, involved_at(sim, (int)s)->body))
            return true;
    return false;
}

static carom_status close_joints(carom_sim *sim, double t)
{
    carom_status status = CAROM_STATUS_OK;
    for (int k = 0; k < (int)sim->assemblies.count && !status; k++) {
        const frame_of_body *f = frame_of(sim, assembly_body(sim, k, 0));
        status = f->stepped && !f->asleep ? jointed_correct(sim, k, t) : CAROM_STATUS_OK;
    }
    return status;
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
        aside[frame_of(sim, store_ints(&sim->member_bodies)[n])->slot] = (sweep_body){by.v, by.w};
    }
}

static carom_status step_jointed(carom_sim *sim, const span *s)
{
    jointed_problem x;
    carom_status status =
        sim->touchings.count > JOINTED_MOST ? CAROM_STATUS_UNSUPPORTED : jointed_reduce(sim, -1, s->t, &x);
    if (status)
        return status;
    size_t aims = (size_t)(x.count + 1) * sizeof(double);
    if (!store_resize(&sim->scratch, &sim->memory, aims + sim->involved.count * sizeof(sweep_body)))
        return CAROM_STATUS_NO_MEMORY;
    double *aim = (double *)(void *)sim->scratch.data;
    sweep_body *aside = (sweep_body *)(void *)((char *)sim->scratch.data + aims);
    for (int k = 0; k < x.count; k++)
        aim[k] = step_aim(sim, touching_at(sim, x.of[k]), s->h);
    jointed_sweep(sim, &x, aim, false, 10 * STEP_SWEEPS);
    jointed_apply(sim, &x);
    jointed_put_impulses(sim, &x);
    push_members(sim, &x, aim, aside);
    members_clear(sim);
    end_step(sim, s->t, aside);
    return CAROM_STATUS_OK;
}

carom_status do_step(carom_sim *sim, double t)
{
    span s = {t, step_length(sim)};
    const int *movable = store_ints(&sim->movable);
    sim->time = t;
    carom_status status = close_joints(sim, t);
    for (size_t k = 0; k < sim->movable.count && !status; k++) {
        const frame_of_body *f = frame_of(sim, movable[k]);
        if (!f->stepped || f->asleep)
            continue;
        if (involve(sim, movable[k], t) < 0)
            return CAROM_STATUS_NO_MEMORY;
        visit_near(sim, movable[k], add_contact, &s);
    }
    freeze_sleepers(sim, t);
    for (size_t k = 0; k < sim->involved.count; k++) {
        involved *x = involved_at(sim, (int)k);
        if (!(x->now.inv_mass > 0))
            continue;
        x->now.velocity = half_kick(sim, x, 1);
        turn_inertia(sim, x);
        turn_kick(sim, x, s.h);
    }
    sim->step_time = t + s.h;
    if (!status)
        status = has_joints(sim) ? step_jointed(sim, &s) : step_free(sim, &s);
    double driven = driven_work(sim); /* all that contacts have changed is booked as sliding so far */
    sim->ledger.driven += driven;
    sim->ledger.sliding -= driven;
    if (!status)
        status = jointed_fly_all(sim, t);
    if (!status)
        status = fly_all(sim, t);
    if (status)
        return status;
    for (size_t k = 0; k < sim->involved.count; k++)
        if (mover_of(sim, involved_at(sim, (int)k)->body)->is_movable)
            predict(sim, involved_at(sim, (int)k)->body, t);
    clear_impact(sim);
    join_all(sim, t);
    return sim->out_of_memory ? CAROM_STATUS_NO_MEMORY : CAROM_STATUS_OK;
}

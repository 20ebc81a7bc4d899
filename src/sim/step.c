#include "sim/step.h"

#include "core/rotate.h"
#include "sim/collide.h"
#include "sim/impact_time.h"
#include "sim/predict.h"
#include "sim/queue.h"
#include "sim/rest.h"
#include "sim/step_sweep.h"
#include "sim/touching.h"
#include "sim/warm.h"

enum { SWEEPS = 60, PUSH_SWEEPS = 12, CALM_STEPS = 25, PILE = 64 };
#define SLENDER    1e-4  /* of the largest moment of inertia: what a thin rod has about itself is rounding */
#define PUSH_OUT   0.2   /* share of an overlap that one step removes */
#define CALM_SPEED 0.02  /* of sqrt(g R): slower bodies are calm, and sleep after CALM_STEPS steps */
#define FAST       0.5   /* of the radius, per step: faster bodies are not stepped */
#define BOUNCE     4.0   /* of g times the step: slower approaches do not bounce */
#define STEP_TURN  0.002 /* rad */
#define SWEEP_TOL  1e-10 /* of g times the step: velocities that no longer change */
#define PILE_TOL   1e-4  /* the same with more than PILE contacts */

static double calm_speed(const carom_sim *sim, int i)
{
    return CALM_SPEED * sqrt(carom_vec3_length(sim->scene->gravity) * mover_of(sim, i)->radius);
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
    if (f->stepped || carom_vec3_length(sim->scene->gravity) == 0 || again)
        return false;
    if (t - f->window > sim->scene->step) {
        f->window = t;
        f->hits = 0;
    }
    return ++f->hits > STEP_IMPACTS;
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
    m->a = f->asleep ? none : sim->scene->gravity;
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
    frame_of_body *f = frame_of(sim, i);
    sim->ledger.sliding += energy_of(sim, i, t) - f->step_energy;
    move_on(sim, i, t, now);
}

void step_enter(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    if (f->stepped || !mover_of(sim, i)->is_movable)
        return;
    if (mover_of(sim, i)->closed)
        sim->ledger.sliding += energy_of(sim, i, t) - energy_of(sim, i, mover_of(sim, i)->t0);
    drop_contacts(sim, i);
    f->stepped = true;
    f->asleep = false;
    f->calm = 0;
    sim->stepped++;
    plan_step(sim, t);
    carom_body now = body_at(sim, i, t);
    move_on(sim, i, t, &now);
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
    next_event due = {sim->step_time, NEXT_PIECE, -1, 0};
    queue_set(sim, i, &due);
    visit_near(sim, i, wake_neighbour, &t);
}

/* ---- contacts of a step ---- */

typedef struct span {
    double t, h;
} span;

/* No point of the body moves faster. */
static double fastest(const carom_sim *sim, int i)
{
    const mover *m = mover_of(sim, i);
    double turn = is_plane(sim, i) ? 0 : m->radius * carom_vec3_length(frame_of(sim, i)->turn.w);
    return carom_vec3_length(m->v) + turn;
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
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    bool other = b->is_movable && frame_of(sim, j)->stepped;
    if (other && !frame_of(sim, j)->asleep && j < i) /* the pair is seen from both sides */
        return;
    double reach =
        s->h * (fastest(sim, i) + fastest(sim, j) + s->h * carom_vec3_length(sim->scene->gravity)) + 1e-4 * a->radius;
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

/* ---- impulses ---- */

/* Rows and velocities of a sweep, in the scratch of the simulation. */
typedef struct sweep_memory {
    sweep_row *rows;
    sweep_body *bodies;
    size_t count;
} sweep_memory;

static bool take_memory(carom_sim *sim, sweep_memory *m)
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

/* Where a contact must not go beyond: what is left of its gap, or the velocity of a bounce. */
static double aim_of(const carom_sim *sim, const touching *c, double h)
{
    double slow = BOUNCE * h * carom_vec3_length(sim->scene->gravity);
    double bounce = c->u_n < -slow ? -restitution(c) * c->u_n : 0;
    return c->gap > 0 ? max(-c->gap / h, bounce > 0 && c->gap < -h * c->u_n ? bounce : -INFINITY) : bounce;
}

/* Velocities of the step. */
static void sweep_velocities(carom_sim *sim, const sweep_memory *m, double h)
{
    load(sim, m);
    for (size_t k = 0; k < m->count; k++) {
        m->rows[k].aim = aim_of(sim, touching_at(sim, (int)k), h);
        warm_start(sim, touching_at(sim, (int)k), &m->rows[k], m->bodies);
    }
    double tolerance = m->count > PILE ? PILE_TOL : SWEEP_TOL;
    sweep_limit limit = {SWEEPS, tolerance * h * carom_vec3_length(sim->scene->gravity)};
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

/* Displacements that take out part of the overlaps; velocities do not see them. */
static bool sweep_overlaps(carom_sim *sim, const sweep_memory *m)
{
    bool any = false;
    for (size_t k = 0; k < m->count; k++) {
        const touching *c = touching_at(sim, (int)k);
        sweep_row *r = &m->rows[k];
        r->aim = c->gap < 0 ? -PUSH_OUT * c->gap : -c->gap;
        r->mu = r->p[0] = r->p[1] = r->p[2] = 0;
        any |= c->gap < 0;
    }
    memset(m->bodies, 0, sim->involved.count * sizeof *m->bodies);
    sweep_limit limit = {PUSH_SWEEPS, 0};
    if (any)
        sweep_rows(m->rows, m->count, m->bodies, limit);
    return any;
}

void relax_group(carom_sim *sim, int group)
{
    sweep_memory m;
    if (!take_memory(sim, &m)) {
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
    sweep_limit limit = {10 * SWEEPS, 0};
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

/* ---- a step ---- */

static void fall_asleep(carom_sim *sim, int i, carom_body *now)
{
    frame_of_body *f = frame_of(sim, i);
    carom_vec3 none = {0, 0, 0};
    f->calm = speed_of(now, mover_of(sim, i)->radius) <= calm_speed(sim, i) ? f->calm + 1 : 0;
    if (f->calm < CALM_STEPS)
        return;
    f->asleep = true;
    now->velocity = now->omega = none;
}

/* From the velocity at the begin of a step to the mean one within it, or back. */
static carom_vec3 half_kick(const carom_sim *sim, const carom_body *b, double sign)
{
    return carom_vec3_add(b->velocity, carom_vec3_scale(sign * 0.5 * sim->scene->step, sim->scene->gravity));
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
    return -sim->scene->bodies[i].def.mass * carom_vec3_dot(sim->scene->gravity, by->v);
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

static void end_step(carom_sim *sim, double t, const sweep_body *aside)
{
    for (size_t s = 0; s < sim->involved.count; s++)
        frame_of(sim, involved_at(sim, (int)s)->body)->held = false;
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        frame_of(sim, c->a)->held |= c->p.n > 0 || c->gap < 0;
        frame_of(sim, c->b)->held |= c->p.n > 0 || c->gap < 0;
    }
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        frame_of_body *f = frame_of(sim, x->body);
        if (!mover_of(sim, x->body)->is_movable || !f->stepped || f->asleep)
            continue;
        double R = mover_of(sim, x->body)->radius;
        sim->ledger.sliding += energy_of(sim, x->body, t) - f->step_energy;
        if (!f->held || sim->scene->step * speed_of(&x->now, R) > FAST * R) {
            double old = energy_of(sim, x->body, t);
            x->now.velocity = half_kick(sim, &x->now, -1);
            leave_stepping(sim, x->body, t, f->held ? &x->now : &x->before);
            sim->ledger.sliding += energy_of(sim, x->body, t) - old;
            continue;
        }
        double before = energy_of(sim, x->body, t);
        if (aside)
            pay_for(put_aside(sim, x->body, t, &aside[s]), &x->now);
        fall_asleep(sim, x->body, &x->now);
        if (!f->asleep)
            x->now.velocity = half_kick(sim, &x->now, -1);
        move_on(sim, x->body, t, &x->now);
        sim->ledger.sliding += f->step_energy - before;
    }
}

/* Angular momentum is kept over a step, and energy does not grow: w = I^-1 L with the inertia as it has turned. */
static void turn_inertia(const carom_sim *sim, involved *x)
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

static void join_all(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->joining.count; k++)
        step_enter(sim, store_ints(&sim->joining)[k], t);
    sim->joining.count = 0;
}

carom_status do_step(carom_sim *sim, double t)
{
    span s = {t, step_length(sim)};
    const int *movable = store_ints(&sim->movable);
    sim->time = t;
    for (size_t k = 0; k < sim->movable.count; k++) {
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
        x->now.velocity = half_kick(sim, &x->now, 1);
        turn_inertia(sim, x);
    }
    sweep_memory m;
    if (!take_memory(sim, &m))
        return CAROM_STATUS_NO_MEMORY;
    sweep_velocities(sim, &m, s.h);
    sim->step_time = t + s.h;
    end_step(sim, t, sweep_overlaps(sim, &m) ? m.bodies : NULL);
    for (size_t k = 0; k < sim->involved.count; k++)
        if (mover_of(sim, involved_at(sim, (int)k)->body)->is_movable)
            predict(sim, involved_at(sim, (int)k)->body, t);
    clear_impact(sim);
    join_all(sim, t);
    return sim->out_of_memory ? CAROM_STATUS_NO_MEMORY : CAROM_STATUS_OK;
}

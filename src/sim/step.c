#include "sim/step.h"

#include "core/rotate.h"
#include "sim/collide.h"
#include "sim/impact_time.h"
#include "sim/predict.h"
#include "sim/queue.h"
#include "sim/rest.h"
#include "sim/touching.h"

enum { SWEEPS = 60, CALM_STEPS = 25 };
#define PUSH_OUT   0.2  /* share of an overlap that one step removes */
#define CALM_SPEED 0.02 /* of sqrt(g R): slower bodies are calm, and sleep after CALM_STEPS steps */
#define FAST       0.5  /* of the radius, per step: faster bodies are not stepped */
#define BOUNCE     4.0  /* of g times the step: slower approaches do not bounce */
#define SWEEP_TOL  1e-10

static double calm_speed(const carom_sim *sim, int i)
{
    return CALM_SPEED * sqrt(carom_vec3_length(sim->scene->gravity) * mover_of(sim, i)->radius);
}

static double speed_of(const carom_body *b, double R)
{
    return carom_vec3_length(b->velocity) + R * carom_vec3_length(b->omega);
}

bool step_is_due(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    if (f->stepped || carom_vec3_length(sim->scene->gravity) == 0)
        return false;
    if (t - f->window > sim->scene->step) {
        f->window = t;
        f->hits = 0;
    }
    return ++f->hits > STEP_IMPACTS;
}

/* Straight motion until the next step. */
static void move_straight(carom_sim *sim, int i, double t, const carom_body *now)
{
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    carom_vec3 none = {0, 0, 0};
    pose p = spin_at(&f->turn, t);
    m->x = mover_position(m, t);
    m->track = NULL;
    m->v = now->velocity;
    m->a = none;
    m->t0 = t;
    m->version++;
    f->recent_count = 0;
    f->until = f->asleep ? INFINITY : sim->step_time;
    spin_drive(&f->turn, t, quat_scale(1 / quat_norm(p.q), p.q), now->omega, none);
    f->step_energy = energy_of(sim, i, t);
}

/* Steps follow each other at their fixed length; after a time without any, the next comes a step from now. */
static void plan_step(carom_sim *sim, double t)
{
    if (!(sim->step_time > t))
        sim->step_time = t + sim->scene->step;
}

void step_push(carom_sim *sim, int i, double t, const carom_body *now)
{
    frame_of_body *f = frame_of(sim, i);
    sim->ledger.sliding += energy_of(sim, i, t) - f->step_energy;
    move_straight(sim, i, t, now);
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
    move_straight(sim, i, t, &now);
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

static void add_contact(carom_sim *sim, int i, int j, void *context)
{
    const span *s = context;
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    bool other = b->is_movable && frame_of(sim, j)->stepped;
    if (other && !frame_of(sim, j)->asleep && j < i) /* the pair is seen from both sides */
        return;
    double reach =
        s->h * (carom_vec3_length(a->v) + carom_vec3_length(b->v) + s->h * carom_vec3_length(sim->scene->gravity)) +
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
        touching_at(sim, (int)k)->gap = gap;
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

/* ---- impulses: projected Gauss-Seidel ---- */

static double aim_of(const carom_sim *sim, const touching *c, double h)
{
    double e = c->rule->law->uses & CAROM_USES(e) ? max(c->rule->coeffs.e, 0) : 0;
    double slow = BOUNCE * h * carom_vec3_length(sim->scene->gravity);
    double bounce = c->u_n < -slow ? -e * c->u_n : 0;
    return max(bounce, c->gap > 0 ? -c->gap / h : -PUSH_OUT * c->gap / h);
}

static double relax(carom_sim *sim, touching *c, double aim)
{
    carom_body *a = &involved_at(sim, frame_of(sim, c->a)->slot)->now;
    carom_body *b = &involved_at(sim, frame_of(sim, c->b)->slot)->now;
    carom_problem now;
    if (carom_bodies_reduce(a, b, &c->contact, &now))
        return 0;
    double mu = c->rule->law->uses & CAROM_USES(mu) ? c->rule->coeffs.mu : 0;
    carom_cvec old = c->p;
    c->p.n = max(0, c->p.n - (now.u.n - aim) / now.K.nn);
    double k = max(now.K.t11, now.K.t22);
    if (k > 0) {
        c->p.t1 -= now.u.t1 / k;
        c->p.t2 -= now.u.t2 / k;
    }
    double size = carom_cvec_slip(c->p), most = mu * c->p.n;
    if (size > most) {
        c->p.t1 *= most / size;
        c->p.t2 *= most / size;
    }
    carom_cvec change = carom_cvec_sub(c->p, old);
    carom_bodies_apply(&c->contact, change, a, b);
    return (fabs(change.n) + fabs(change.t1) + fabs(change.t2)) * now.K.nn;
}

static void sweep(carom_sim *sim, double h)
{
    double scale = h * carom_vec3_length(sim->scene->gravity);
    for (int n = 0; n < SWEEPS; n++) {
        double worst = 0;
        for (size_t k = 0; k < sim->touchings.count; k++) {
            touching *c = touching_at(sim, (int)k);
            worst = max(worst, relax(sim, c, aim_of(sim, c, h)));
        }
        if (worst <= SWEEP_TOL * scale)
            return;
    }
}

void relax_group(carom_sim *sim, int group)
{
    for (int n = 0; n < 10 * SWEEPS; n++)
        for (size_t k = 0; k < sim->touchings.count; k++) {
            touching *c = touching_at(sim, (int)k);
            double e = c->rule->law->uses & CAROM_USES(e) ? max(c->rule->coeffs.e, 0) : 0;
            if (c->group == group)
                relax(sim, c, c->u_n < 0 ? -e * c->u_n : 0);
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

static void end_step(carom_sim *sim, double t)
{
    for (size_t s = 0; s < sim->involved.count; s++)
        frame_of(sim, involved_at(sim, (int)s)->body)->held = false;
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        frame_of(sim, c->a)->held |= c->p.n > 0;
        frame_of(sim, c->b)->held |= c->p.n > 0;
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
            leave_stepping(sim, x->body, t, f->held ? &x->now : &x->before);
            sim->ledger.sliding += energy_of(sim, x->body, t) - old;
            continue;
        }
        double before = energy_of(sim, x->body, t);
        fall_asleep(sim, x->body, &x->now);
        move_straight(sim, x->body, t, &x->now);
        sim->ledger.sliding += f->step_energy - before;
    }
}

static void join_all(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->joining.count; k++)
        step_enter(sim, store_ints(&sim->joining)[k], t);
    sim->joining.count = 0;
}

carom_status do_step(carom_sim *sim, double t)
{
    span s = {t, sim->scene->step};
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
        if (x->now.inv_mass > 0)
            x->now.velocity = carom_vec3_add(x->now.velocity, carom_vec3_scale(s.h, sim->scene->gravity));
    }
    sweep(sim, s.h);
    sim->step_time = t + s.h;
    end_step(sim, t);
    for (size_t k = 0; k < sim->involved.count; k++)
        if (mover_of(sim, involved_at(sim, (int)k)->body)->is_movable)
            predict(sim, involved_at(sim, (int)k)->body, t);
    clear_impact(sim);
    join_all(sim, t);
    return sim->out_of_memory ? CAROM_STATUS_NO_MEMORY : CAROM_STATUS_OK;
}

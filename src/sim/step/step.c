#include "sim/step/step.h"

#include "core/rotate.h"
#include "sim/detect/impact_time.h"
#include "sim/detect/near.h"
#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/motion/piece_energy.h"
#include "sim/resolve/resolve.h"
#include "sim/resolve/resolve_linkage.h"
#include "sim/resolve/sim_road.h"
#include "sim/step/step_apart.h"
#include "sim/step/step_error.h"
#include "sim/step/step_gather.h"
#include "sim/step/step_impulses.h"
#include "sim/step/step_midpoint.h"
#include "sim/step/step_sleep.h"

enum { STEP_HALVINGS = 4 };
#define STEP_TURN (10 * SMALL_SHARE) /* rad: no step turns a body further, unless it is a sphere, */

/* How long the step is: what turns fast is stepped more often, and what is small, which falls by its own size sooner.
 */
static double step_length(const carom_sim *sim)
{
    double most = sim->scene->step, least = SMALL_SHARE * most;
    double turn = carom_vec3_length(sim->scene->gravity) > 0 ? STEP_TURN : 0.2 * STEP_TURN;
    for (size_t k = 0; k < sim->involved.count; k++) {
        const involved *x = involved_at(sim, (int)k);
        double w = mover_of(sim, x->body)->is_sphere ? 0 : carom_vec3_length(x->now.omega);
        double falls = 0.5 * sqrt(carom_vec3_length(gravity_of(sim, x->body)) / mover_of(sim, x->body)->radius);
        most = is_stepped(sim, x->body) && max(w, falls) * most > turn ? turn / max(w, falls) : most;
    }
    return max(most, least);
}

/* ---- a step ---- */

static void freeze_sleepers(carom_sim *sim)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        involved *x = involved_at(sim, (int)s);
        if (!frame_of(sim, x->body)->asleep)
            continue;
        x->now.inv_mass = 0;
        x->now.inv_inertia = (carom_sym3){0, 0, 0, 0, 0, 0};
    }
}

static void find_contacts(carom_sim *sim, step_plan *p)
{
    step_pair *pairs = sim->step_pairs.data;
    sim->touchings.count = 0;
    for (size_t k = 0; k < sim->step_pairs.count; k++) {
        pairs[k].from = sim->touchings.count;
        step_add_contacts(sim, &pairs[k], p->t);
        pairs[k].to = sim->touchings.count;
    }
    p->first = p->missed = sim->touchings.count;
}

/* Who is carried. */
static void judge(carom_sim *sim)
{
    const sweep_row *rows = sim->step_rows.data;
    for (size_t s = 0; s < sim->involved.count; s++)
        frame_of(sim, involved_at(sim, (int)s)->body)->held = false;
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        bool held = rows[k].p_n > 0 || rows[k].hits || c->gap < 0;
        frame_of(sim, c->a)->held |= held;
        frame_of(sim, c->b)->held |= held;
    }
}

/* The larger speed at the start and at the end of the step. */
static double speed_over(const carom_sim *sim, const step_plan *p, size_t slot)
{
    const sweep_body *start = step_start(sim, slot), *mean = step_mean(sim, slot);
    double R = mover_of(sim, involved_at(sim, (int)slot)->body)->radius;
    carom_vec3 v = carom_vec3_sub(carom_vec3_scale(2, mean->v), start->v), w = step_last_omega(sim, p, slot);
    double first = carom_vec3_length(start->v) + R * carom_vec3_length(start->w);
    return max(first, carom_vec3_length(v) + R * carom_vec3_length(w));
}

static void begin_motion(carom_sim *sim, const step_plan *p, size_t slot)
{
    int i = involved_at(sim, (int)slot)->body;
    const frame_of_body *f = frame_of(sim, i);
    const sweep_body *start = step_start(sim, slot), *mean = step_mean(sim, slot);
    carom_vec3 last = step_last_omega(sim, p, slot), none = {0, 0, 0};
    course c = course_driven((snap){mover_of(sim, i)->x, none, f->turn.q, none}, none, none, INFINITY);
    if (!f->asleep) {
        c.until = p->t + p->h;
        c.at.v = start->v;
        c.at.w = start->w;
        c.a = carom_vec3_scale(2 / p->h, carom_vec3_sub(mean->v, start->v));
        c.alpha = carom_vec3_scale(1 / p->h, carom_vec3_sub(last, start->w));
        c.beta = carom_vec3_scale(1 / p->h, carom_vec3_sub(mean->w, start->w));
        c.turn = COURSE_TURNS_IN_STEP;
    }
    motion_set(sim, i, p->t, &c);
    frame_of(sim, i)->step_energy = energy_of(sim, i, p->t);
}

/* ---- energy ---- */

/* Energies over a step, of those who are carried. rise: what they gain beyond what the step may add; kinetic: at its
 * end; height: what they gain in height and lose to fields. */
typedef struct step_energies {
    double rise, kinetic, height;
} step_energies;

static bool goes_on(const carom_sim *sim, size_t slot)
{
    int i = involved_at(sim, (int)slot)->body;
    return is_stepped(sim, i) && frame_of(sim, i)->held;
}

static step_energies energies_of(carom_sim *sim, const step_plan *p)
{
    step_energies e = {-(p->driven + p->hit + p->gain), 0, 0};
    double end = p->t + p->h;
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        if (!goes_on(sim, s))
            continue;
        begin_motion(sim, p, s);
        carom_body last = body_at(sim, x->body, end);
        double fields = work_since(sim, x->body, end).fields;
        double way = carom_vec3_dot(gravity_of(sim, x->body), carom_vec3_sub(last.position, x->now.position));
        e.rise += energy_of(sim, x->body, end) - x->energy - fields;
        e.kinetic += carom_body_energy(&last);
        e.height -= last.mass * way + fields;
    }
    return e;
}

/* A step whose energy would rise, by what its iterations have left, is made slower as a whole: a share k of its
 * velocities has the kinetic energy k^2 K and the height k H. Contacts that hold V >= -g/h hold it for k V. */
static void slow_down(carom_sim *sim, const step_plan *p)
{
    step_energies e = energies_of(sim, p);
    double K = e.kinetic, H = e.height;
    if (!(e.rise > 0) || !(K > 0) || !(2 * K + H > 0)) /* those who fall gain by going slower */
        return;
    double k = (sqrt(max(0, H * H + 4 * K * (K + H - e.rise))) - H) / (2 * K);
    for (size_t s = 0; s < sim->involved.count; s++) {
        sweep_body *b[2] = {step_start(sim, s), step_mean(sim, s)};
        for (int n = 0; n < 2 && goes_on(sim, s); n++) {
            b[n]->v = carom_vec3_scale(max(0, k), b[n]->v);
            b[n]->w = carom_vec3_scale(max(0, k), b[n]->w);
        }
    }
}

/* Body x goes on. Its energy was that of now. */
static void end_body(carom_sim *sim, const step_plan *p, size_t slot)
{
    involved *x = involved_at(sim, (int)slot);
    frame_of_body *f = frame_of(sim, x->body);
    double before = x->energy;
    f->asleep =
        f->held && f->calm_near >= CALM_ENOUGH && sim->driven.count == 0; /* ground on a path may begin to move */
    if (!f->held && !f->entered) {
        carom_body now = x->now;
        now.velocity = step_start(sim, slot)->v;
        now.omega = step_start(sim, slot)->w;
        step_leave(sim, x->body, p->t, &now);
        sim->ledger.sliding += energy_of(sim, x->body, p->t) - before;
        return;
    }
    begin_motion(sim, p, slot);
    if (!f->asleep)
        step_estimate(sim, x->body, p->h, step_mean(sim, slot)->v, mover_of(sim, x->body)->a);
    f->entered = false;
    *(f->asleep ? &sim->ledger.rest : &sim->ledger.sliding) += f->step_energy - before;
}

/* What moving ground gives at the start is booked; what it gives over the step is on the account of one body. */
static void book_drive(carom_sim *sim, const step_plan *p)
{
    sim->ledger.driven += p->hit;
    sim->ledger.sliding -= p->hit;
    for (size_t s = 0; s < sim->involved.count; s++)
        if (is_stepped(sim, involved_at(sim, (int)s)->body)) {
            frame_of(sim, involved_at(sim, (int)s)->body)->step_drive = p->driven;
            return;
        }
}

static carom_status step_free(carom_sim *sim, step_plan *p)
{
    for (int k = 0; k <= STEP_HALVINGS; k++) {
        if (!step_solve(sim, p))
            return CAROM_STATUS_NO_MEMORY;
        if (k == STEP_HALVINGS || !step_is_deep(sim, p))
            break;
        p->h *= 0.5;
        find_contacts(sim, p);
    }
    judge(sim);
    size_t count = sim->involved.count;
    for (size_t s = 0; s < count; s++)
        if (is_stepped(sim, involved_at(sim, (int)s)->body))
            count_calm(sim, involved_at(sim, (int)s)->body, speed_over(sim, p, s));
    share_calm(sim);
    slow_down(sim, p);
    for (size_t s = 0; s < count; s++)
        if (is_stepped(sim, involved_at(sim, (int)s)->body))
            end_body(sim, p, s);
    book_drive(sim, p);
    return CAROM_STATUS_OK;
}

/* Is the island that takes part a pile? Those who sleep count. */
static bool make_pile(carom_sim *sim, double t)
{
    int count = 0;
    for (size_t s = 0; s < sim->involved.count; s++)
        count += frame_of(sim, involved_at(sim, (int)s)->body)->stepped;
    for (size_t s = 0; s < sim->involved.count; s++) {
        int i = involved_at(sim, (int)s)->body;
        if (is_stepped(sim, i))
            step_join_pile(sim, i, t, count > STEP_PILE);
    }
    return count > STEP_PILE;
}

/* The island of body i. */
static carom_status step_island(carom_sim *sim, int i, double t)
{
    step_plan p = {.t = t};
    p.gain = -max(step_gather(sim, i, t), 0); /* what the last steps have added is taken back */
    bool simple = make_pile(sim, t) || has_joints(sim);
    if (simple)
        step_turn_inertias(sim);
    freeze_sleepers(sim);
    p.h = step_length(sim);
    find_contacts(sim, &p);
    bool apart = has_joints(sim) || (simple && are_balls(sim)) || step_apart(sim, &p);
    carom_status status = !apart ? CAROM_STATUS_NO_MEMORY : simple ? step_by_impulses(sim, &p) : step_free(sim, &p);
    clear_impact(sim);
    return status;
}

/* Bodies that air or joints move and that have left the steps take part in the flights that begin now. */
static void involve_leavers(carom_sim *sim, double t)
{
    const int *marked = store_ints(&sim->marked);
    for (size_t k = 0; k < sim->marked.count; k++) {
        const frame_of_body *f = frame_of(sim, marked[k]);
        if (!f->stepped && (f->forced || f->assembly >= 0) && involve(sim, marked[k], t) < 0)
            return;
    }
}

/* One step of each island with a body that is due; others may become due by it. */
carom_status step(carom_sim *sim, double t)
{
    const int *movable = store_ints(&sim->movable);
    clear_impact(sim); /* of this instant */
    carom_status status = close_joints(sim, t);
    sim->time = t;
    for (size_t round = 0; round <= sim->movable.count && sim->step_due; round++) {
        sim->step_due = false;
        for (size_t k = 0; k < sim->movable.count && !status; k++)
            if (frame_of(sim, movable[k])->due && is_stepped(sim, movable[k]))
                status = step_island(sim, movable[k], t);
    }
    involve_leavers(sim, t);
    return status || !sim->out_of_memory ? status : CAROM_STATUS_NO_MEMORY;
}

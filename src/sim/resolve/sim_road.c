#include "sim/resolve/sim_road.h"

#include "core/rotate.h"
#include "sim/contact/closed_list.h"
#include "sim/contact/island.h"
#include "sim/detect/near.h"
#include "sim/motion/course.h"
#include "sim/motion/piece_energy.h"
#include "sim/motion/sim_linkage.h"
#include "sim/resolve/gather.h"

#define ROW_SHARE 20.0 /* logarithm of what a row of bounces loses of its speed within a step, at most */

bool step_is_due(carom_sim *sim, int i, int other, double t)
{
    frame_of_body *f = frame_of(sim, i);
    int hit = mover_of(sim, i)->is_sphere ? other : owner_of(sim, other); /* a ball may fall into an edge of a mesh */
    bool again = f->last_hit == hit && !mover_of(sim, other)->is_movable;
    f->last_hit = hit;
    if (f->stepped || carom_vec3_length(gravity_of(sim, i)) == 0 || (again && mover_of(sim, i)->is_sphere))
        return false;
    if (t - f->window > sim->scene->step) {
        f->window = t;
        f->hits = f->row = 0;
    }
    double e =
        rule_at_rest(sim, i, other).coeffs.e; /* the nearer to one, the longer a row of bounces takes to its end */
    return again ? ++f->row > max(STEP_ROW, ROW_SHARE / (1 - e)) : ++f->hits > STEP_IMPACTS;
}

/* ---- piles ---- */

typedef struct pile_look {
    double t, next;
} pile_look;

static void look_at(carom_sim *sim, int i, int j, void *context)
{
    pile_look *l = context;
    const frame_of_body *f = frame_of(sim, j);
    /* sleepers of a pile this close to one that is hit wake, too */
    if (f->pile && !f->asleep && f->until > l->t && gap_at(sim, i, j, l->t) <= SMALL_SHARE * mover_of(sim, i)->radius)
        l->next = min(l->next, f->until);
}

/* The next step of the pile that body i touches; infinite when it touches none. Balls do not wait for it: they are
 * seldom hit between two steps of a pile, because all balls near it take part in these. */
static double pile_step(carom_sim *sim, int i, double t)
{
    pile_look l = {t, INFINITY};
    if (sim->stepped > STEP_PILE && !mover_of(sim, i)->is_sphere)
        visit_near(sim, i, look_at, &l);
    return l.next;
}

void step_join_pile(carom_sim *sim, int i, double t, bool pile)
{
    frame_of_body *f = frame_of(sim, i);
    f->since = f->pile == pile ? f->since : t;
    f->pile = pile;
}

/* The next step of a body comes at once; bodies held by joints wait for the length of a step, and what is no ball
 * and touches a pile for its next one. */
static double plan_step(carom_sim *sim, int i, double t)
{
    bool at_once = !is_jointed(sim, i);
    double next = pile_step(sim, i, t);
    if (next < INFINITY)
        return next;
    frame_of(sim, i)->due |= at_once;
    sim->step_due |= at_once;
    return at_once ? t : t + sim->scene->step;
}

snap step_place(const carom_sim *sim, int i, double t)
{
    snap s = snap_at(sim, i, t);
    s.q = quat_scale(1 / quat_norm(s.q), s.q);
    return s;
}

/* A stepped body has no contact forces until the step that is due. */
static void wait_for_step(carom_sim *sim, int i, double t, double until, const carom_body *now)
{
    carom_vec3 none = {0, 0, 0};
    course c = course_driven(step_place(sim, i, t), gravity_of(sim, i), none, until);
    c.at.v = now->velocity;
    c.at.w = now->omega;
    motion_begin(sim, i, t, &c);
    frame_of(sim, i)->step_force = none;
}

static void step_push(carom_sim *sim, int i, double t, const carom_body *now)
{
    const mover *m = mover_of(sim, i);
    double speed = carom_vec3_length(carom_vec3_sub(now->velocity, mover_velocity(m, t)));
    double until = frame_of(sim, i)->until;
    /* a hit that would push deeper before the next step begins one */
    bool waits = is_jointed(sim, i) || (frame_of(sim, i)->pile && !m->is_sphere);
    if ((until - t) * speed > SAME * m->radius && !waits)
        until = plan_step(sim, i, t);
    wait_for_step(sim, i, t, until, now);
}

static void enter_one(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    if (f->stepped)
        return;
    drop_contacts(sim, i);
    f->stepped = f->entered = true;
    f->asleep = false;
    f->calm = 0;
    f->step_energy = energy_of(sim, i, t);
    f->step_drive = 0;
    f->since = t;
    sim->exact_until = min(sim->exact_until, t);
    sim->stepped++;
    carom_body now = body_at(sim, i, t);
    wait_for_step(sim, i, t, plan_step(sim, i, t), &now);
}

/* Their pieces end before any contact is dropped, which belongs to two of them. */
static void enter_all(carom_sim *sim, const int *bodies, int count, double t)
{
    for (int m = 0; m < count; m++)
        if (!frame_of(sim, bodies[m])->stepped)
            motion_end(sim, bodies[m], t);
    for (int m = 0; m < count; m++)
        enter_one(sim, bodies[m], t);
}

/* With a body, all of its assembly, and all that it rests on or that rests on it. */
void step_enter(carom_sim *sim, int i, double t)
{
    int number = frame_of(sim, i)->assembly;
    if (!mover_of(sim, i)->is_movable)
        return;
    island x = island_of(sim, i);
    enter_all(sim, x.body, x.count, t);
    if (number >= 0)
        enter_all(sim, store_ints(&sim->jointed) + assembly_at(sim, number)->first, assembly_at(sim, number)->count, t);
}

void step_leave(carom_sim *sim, int i, double t, const carom_body *now)
{
    frame_of_body *f = frame_of(sim, i);
    f->stepped = f->due = f->pile = false;
    f->since = t;
    f->hits = 0;
    f->window = t;
    sim->stepped--;
    set_motion(sim, i, t, now);
}

static void wake_neighbour(carom_sim *sim, int i, int j, void *context)
{
    double t = *(const double *)context;
    if (frame_of(sim, j)->asleep && gap_at(sim, i, j, t) <= SMALL_SHARE * mover_of(sim, i)->radius)
        step_wake(sim, j, t);
}

void step_wake(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    if (!f->asleep)
        return;
    f->asleep = false;
    f->entered = true;
    f->calm = 0;
    f->until = plan_step(sim, i, t);
    motion_mark(sim, i);
    if (f->pile)
        visit_near(sim, i, wake_neighbour, &t);
}

/* ---- impacts ---- */

void set_motion(carom_sim *sim, int i, double t, const carom_body *now)
{
    const mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    pose p = spin_at(&f->turn, t);
    if (f->stepped) {
        step_wake(sim, i, t);
        step_push(sim, i, t, now);
        return;
    }
    f->again = m->t0 == t ? f->again + 1 : 0;
    course c = course_free(sim, i, (snap){mover_position(m, t), now->velocity, p.q, now->omega});
    motion_begin(sim, i, t, &c);
}

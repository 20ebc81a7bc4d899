/* An island of a step: the bodies that may touch each other within it, and their pairs. */
#include "sim/step/step_gather.h"

#include "sim/detect/facets.h"
#include "sim/detect/near.h"
#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/motion/piece_energy.h"
#include "sim/motion/sim_linkage.h"
#include "sim/resolve/sim_road.h"
#include "sim/step/step_aims.h"
#include "sim/step/step_sleep.h"
#include "sim/step/warm_start.h"

#define NEAR_GAP (0.1 * SMALL_SHARE) /* of the radius: a body this close to a sleeper may wake it */

typedef struct look {
    bool pile;       /* of the body that the island grows from */
    double t, h, g;  /* g: of gravity */
    double top, own; /* top: the fastest of those who are due, and of the ground; own: the body that looks */
} look;

static step_pair *pair_at(const carom_sim *sim, int k)
{
    return (step_pair *)sim->step_pairs.data + k;
}

static bool lists(const carom_sim *sim, int i, int j)
{
    int k = frame_of(sim, i)->slot >= 0 ? frame_of(sim, i)->first_pair : -1;
    for (; k >= 0; k = pair_at(sim, k)->next)
        if (pair_at(sim, k)->b == j)
            return true;
    return false;
}

static bool is_listed(const carom_sim *sim, int i, int j)
{
    return lists(sim, i, j) || lists(sim, j, i);
}

static bool take_part(carom_sim *sim, int i, double t)
{
    if (frame_of(sim, i)->slot < 0)
        frame_of(sim, i)->first_pair = -1;
    return involve(sim, i, t) >= 0;
}

static void list_pair(carom_sim *sim, step_pair pair, double t)
{
    step_pair *room = store_push(&sim->step_pairs, &sim->memory);
    if (!room || !take_part(sim, pair.a, t) || !take_part(sim, pair.b, t)) {
        sim->out_of_memory = true;
        return;
    }
    pair.next = frame_of(sim, pair.a)->first_pair;
    frame_of(sim, pair.a)->first_pair = (int)sim->step_pairs.count - 1;
    *room = pair;
}

static bool both_balls(const carom_sim *sim, int i, int j)
{
    return mover_of(sim, i)->is_sphere && mover_of(sim, j)->is_sphere;
}

/* A body in flight that may hit body i within the step takes part in it, and leaves again if it does not. Balls near a
 * pile take part whether they fly or roll, and by all that the step may make of their velocities: a hit between two
 * steps is a new step of all of it. */
static bool flies_in(const carom_sim *sim, int i, int j, const look *l, double gap)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    if (frame_of(sim, j)->assembly >= 0)
        return false;
    if (l->pile && both_balls(sim, i, j))
        return true;
    if (frame_of(sim, i)->pile || b->closed || frame_of(sim, j)->forced)
        return false;
    carom_vec3 v = carom_vec3_sub(mover_velocity(a, l->t), mover_velocity(b, l->t));
    double turn = a->radius * carom_vec3_length(frame_of(sim, i)->turn.w) +
                  b->radius * carom_vec3_length(frame_of(sim, j)->turn.w);
    return gap <= l->h * (carom_vec3_length(v) + turn);
}

/* Do two balls meet within the step, faster than those that forces press? */
static bool strike(const carom_sim *sim, int i, int j, const look *l, double gap)
{
    if (!both_balls(sim, i, j))
        return false;
    carom_vec3 d = separation(sim, i, j, l->t);
    carom_vec3 v = carom_vec3_sub(mover_velocity(mover_of(sim, j), l->t), mover_velocity(mover_of(sim, i), l->t));
    double u = carom_vec3_dot(d, v) / carom_vec3_length(d);
    return u > BOUNCE * l->h * l->g && gap <= l->h * u;
}

static void join(carom_sim *sim, int i, int j, const look *l, double gap)
{
    frame_of_body *f = frame_of(sim, j);
    /* who has just been woken wakes others in turn: a sleeper does not give way, and would stop what hits its row */
    bool wakes = frame_of(sim, i)->calm == 0 || !is_calm(sim, i, l->own);
    double R = mover_of(sim, i)->radius;
    bool near = gap <= VISIBLE * R; /* a body this close to a stepped one is stepped, too */
    if (!f->stepped && (near || flies_in(sim, i, j, l, gap))) {
        step_enter(sim, j, l->t);
        f->entered = near;
    }
    if (f->asleep && f->pile && strike(sim, i, j, l, gap))
        step_wake(sim, j, l->t);
    if (f->asleep && !f->pile && !frame_of(sim, i)->pile && gap <= NEAR_GAP * R && wakes)
        step_wake(sim, j, l->t);
}

/* How near to body i what moves at a speed takes part in its step: by what the step may make of velocities, and by the
 * velocities themselves in piles of other shapes than balls. */
static double near_enough(const carom_sim *sim, int i, const look *l, double speed)
{
    double thrown = frame_of(sim, i)->pile && !mover_of(sim, i)->is_sphere ? 0 : 2 * l->top;
    double most = max(thrown, l->own + speed);
    return l->h * (most + l->h * l->g) + NEAR_GAP * mover_of(sim, i)->radius;
}

static void add_pair(carom_sim *sim, int i, int j, void *context)
{
    const look *l = context;
    bool movable = mover_of(sim, j)->is_movable;
    double reach = near_enough(sim, i, l, fastest(sim, j, l->t));
    if (balls_gap_at(sim, i, j, l->t) > reach || never_collide(sim, i, j) || is_listed(sim, i, j))
        return;
    bool swap = movable && j < i; /* the order of their contacts */
    step_pair pair = {.a = swap ? j : i, .b = swap ? i : j};
    if (!mover_of(sim, i)->is_sphere || !(mover_of(sim, j)->is_sphere || is_plane(sim, j)))
        pair.axis = warm_axis(sim, pair.a, pair.b);
    pair.gap = gap_from(sim, pair.a, pair.b, l->t, &pair.axis);
    if (pair.gap > reach)
        return;
    if (movable)
        join(sim, i, j, l, pair.gap);
    if (!movable || frame_of(sim, j)->stepped)
        list_pair(sim, pair, l->t);
}

/* What the piece of motion before has done is booked, and the next begins where the body is. */
static void prepare(carom_sim *sim, involved *x, double t)
{
    frame_of_body *f = frame_of(sim, x->body);
    carom_vec3 none = {0, 0, 0};
    x->from = f->turn.q;
    course c = course_driven(step_place(sim, x->body, t), mover_of(sim, x->body)->a, none, f->until);
    motion_end(sim, x->body, t);
    x->energy = f->step_energy;
    f->due = false;
    motion_set(sim, x->body, t, &c);
    f->step_force = f->forced ? field_wrench(f->fields, x->now.velocity, x->now.omega).F : none;
}

static double top_speed(const carom_sim *sim, int first, double t)
{
    const int *fixed = store_ints(&sim->fixed);
    double top = fastest(sim, first, t);
    for (size_t k = 0; k < sim->fixed.count; k++)
        top = max(top, fastest(sim, fixed[k], t));
    return top;
}

/* With a body, everyone that joints hold to it. */
static void take_assembly(carom_sim *sim, int i, double t)
{
    int number = frame_of(sim, i)->assembly;
    for (int n = 0; number >= 0 && n < assembly_at(sim, number)->count; n++)
        if (!take_part(sim, assembly_body(sim, number, n), t))
            sim->out_of_memory = true;
}

/* Body i takes part from here on. */
static double take_in(carom_sim *sim, int i, look *l)
{
    involved *x = involved_at(sim, frame_of(sim, i)->slot);
    double rise = work_since(sim, i, l->t).sliding; /* beyond what moving ground has given */
    x->settled = true;
    l->top = max(l->top, fastest(sim, i, l->t));
    prepare(sim, x, l->t);
    take_assembly(sim, i, l->t);
    return rise;
}

/* Those who are near body i take part, too. */
static void look_around(carom_sim *sim, int i, look *l)
{
    l->own = fastest(sim, i, l->t);
    visit_near(sim, i, add_pair, l);
    visit_facets(sim, i, near_enough(sim, i, l, 0), add_pair, l);
}

/* Everyone looks again when one who is faster has joined: it may push them further. Sleepers that wake may have been
 * passed already. */
double step_gather(carom_sim *sim, int first, double t)
{
    look l = {.pile = frame_of(sim, first)->pile, .t = t, .h = sim->scene->step, .top = top_speed(sim, first, t)};
    l.g = carom_vec3_length(sim->scene->gravity);
    double rise = 0, seen = l.top;
    bool grew = take_part(sim, first, t);
    sim->step_pairs.count = 0;
    while (grew) {
        bool again = l.top > seen;
        seen = l.top;
        grew = false;
        for (size_t k = 0; k < sim->involved.count; k++) {
            const involved *x = involved_at(sim, (int)k);
            bool joins = !x->settled;
            if (!is_stepped(sim, x->body) || !(joins || again))
                continue;
            int i = x->body;
            rise += joins ? take_in(sim, i, &l) : 0;
            look_around(sim, i, &l);
            grew |= joins;
        }
        grew |= l.top > seen;
    }
    return rise;
}

#include "sim/step/step_midpoint.h"

#include "core/rotate.h"
#include "sim/detect/impact_time.h"
#include "sim/detect/near.h"
#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/resolve/resolve.h"
#include "sim/step/step_aims.h"
#include "sim/step/warm_start.h"

enum { SWEEP_WORK = 4000, ROUNDS = 2, TURN_TRIES = 3 };
#define STEP_DIP   VISIBLE /* of the radius: an overlap within a step */
#define SAME_POINT 0.2     /* of the radius: contacts further apart are not the same a little later */

/* ---- contacts ---- */

/* Each point has a gap of its own. */
static double gap_of_point(const carom_sim *sim, const touching *c, double t)
{
    if (!is_plane(sim, c->b))
        return mover_of(sim, c->a)->is_sphere && mover_of(sim, c->b)->is_sphere ? -INFINITY : c->gap;
    carom_vec3 point = carom_vec3_add(mover_position(mover_of(sim, c->a), t), c->contact.arm_a);
    carom_vec3 base = mover_position(mover_of(sim, c->b), t);
    return carom_vec3_dot(c->contact.frame.n, carom_vec3_sub(point, base)) - plane_offset(sim, c->b);
}

/* The contact nearest to c among from..to - 1 of its pair, no further away than most; else best. */
static int nearest(const carom_sim *sim, const touching *c, size_t from, size_t to, double *most, int best)
{
    for (size_t k = from; k < to; k++) {
        const touching *other = touching_at(sim, (int)k);
        if (other->a != c->a || other->b != c->b)
            continue;
        double apart = carom_vec3_length(carom_vec3_sub(other->contact.arm_a, c->contact.arm_a));
        if (apart <= *most)
            *most = apart, best = (int)k;
    }
    return best;
}

void step_add_contacts(carom_sim *sim, step_pair *pair, double t)
{
    size_t first = sim->touchings.count;
    bool round = mover_of(sim, pair->a)->is_sphere && (mover_of(sim, pair->b)->is_sphere || is_plane(sim, pair->b));
    near_look look = {pair->axis, INFINITY};
    sim->loose = &look;
    add_touchings(sim, pair->a, pair->b, t);
    sim->loose = NULL;
    double gap = round ? gap_at(sim, pair->a, pair->b, t) : look.gap;
    for (size_t k = first; k < sim->touchings.count; k++)
        touching_at(sim, (int)k)->gap = max(gap, gap_of_point(sim, touching_at(sim, (int)k), t));
    pair->axis = look.axis;
    sort_touchings(sim, first);
}

/* ---- the start of a step: approaches end, and fast ones bounce ---- */

static sweep_row *row_at(const carom_sim *sim, size_t k)
{
    return (sweep_row *)sim->step_rows.data + k;
}

static double kinetic(const carom_sim *sim)
{
    double sum = 0;
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        carom_body b = x->now;
        b.velocity = step_start(sim, s)->v;
        b.omega = step_start(sim, s)->w;
        sum += is_stepped(sim, x->body) ? carom_body_energy(&b) : 0;
    }
    return sum;
}

/* What forces do to velocities in a step: gravity, and what rotation asks for. */
static double strength(const carom_sim *sim, const step_plan *p)
{
    double most = 0;
    for (size_t s = 0; s < sim->involved.count; s++) {
        int i = involved_at(sim, (int)s)->body;
        double w = carom_vec3_length(step_start(sim, s)->w);
        if (is_stepped(sim, i))
            most = max(most, carom_vec3_length(gravity_of(sim, i)) + w * w * mover_of(sim, i)->radius);
    }
    return p->h * most;
}

/* Few contacts get more sweeps: digits are cheap there. */
static int sweeps_for(const step_plan *p, int least)
{
    int afforded = SWEEP_WORK / (int)(p->first + 1);
    return afforded > least ? afforded : least;
}

static sweep_limit limit_of(const carom_sim *sim, const step_plan *p)
{
    /* velocities that no longer change */
    sweep_limit limit = {sweeps_for(p, SWEEPS_MOST), SOLVED * strength(sim, p)};
    return limit;
}

static sweep_limit rough_limit(const carom_sim *sim, const step_plan *p)
{
    sweep_limit limit = {sweeps_for(p, SWEEPS_MOST / 2),
                         VISIBLE * strength(sim, p)}; /* the contacts are not known yet */
    return limit;
}

static double work_of_ground(const carom_sim *sim, size_t from, size_t to, const sweep_body *bodies)
{
    double work = 0;
    for (size_t k = from; k < to; k++) {
        const sweep_row *r = row_at(sim, k);
        const sweep_body *b = &bodies[r->b];
        if (b->inv_mass > 0)
            continue;
        carom_vec3 v = carom_vec3_add(b->v, carom_vec3_cross(b->w, r->arm_b));
        work += carom_vec3_dot(sweep_impulse(r), v);
    }
    return work;
}

static void stop_approaches(carom_sim *sim, const step_plan *p, bool bounce)
{
    sweep_load(sim, step_start(sim, 0));
    for (size_t k = 0; k < p->first; k++) {
        const touching *c = touching_at(sim, (int)k);
        *row_at(sim, k) = sweep_make(sim, c, step_start(sim, 0));
        row_at(sim, k)->aim = bounce ? step_aim(sim, c, p->h) : step_close(c, p->h);
    }
    sweep_rows(row_at(sim, 0), p->first, step_start(sim, 0), limit_of(sim, p));
    for (size_t k = 0; k < p->first; k++)
        row_at(sim, k)->hits = row_at(sim, k)->p_n > 0;
}

/* Velocities at contacts that were found pressed become zero where a hop, and where a slip, ends within the step. */
static void settle_contacts(carom_sim *sim, step_plan *p)
{
    for (size_t k = 0; k < p->first; k++) {
        sweep_row *r = row_at(sim, k);
        r->aim = r->holds ? 0 : step_close(touching_at(sim, (int)k), p->h);
        r->mu = r->p_n = 0;
        r->p_t = carom_vec3_make(0, 0, 0);
    }
    sweep_rows(row_at(sim, 0), p->first, step_start(sim, 0), limit_of(sim, p));
    p->hit += work_of_ground(sim, 0, p->first, step_start(sim, 0));
}

/* ---- the middle of a step: forces ---- */

static void try_motion(carom_sim *sim, size_t slot, double t, const sweep_body *b)
{
    int i = involved_at(sim, (int)slot)->body;
    const frame_of_body *f = frame_of(sim, i);
    carom_vec3 none = {0, 0, 0};
    if (!is_stepped(sim, i))
        return;
    course c = course_driven((snap){mover_of(sim, i)->x, b->v, f->turn.q, b->w}, none, none, f->until);
    motion_set(sim, i, t, &c);
}

static bool turns_freely(const carom_sim *sim, int i)
{
    const double *I = frame_of(sim, i)->moments.I;
    double least = min(I[0], min(I[1], I[2])), most = max(I[0], max(I[1], I[2]));
    return !frame_of(sim, i)->isotropic && sim->scene->dim == 3 && least >= THIN_ROD * most;
}

/* The mean angular velocity of free rotation, by the midpoint rule in body axes, which keeps the energy:
 *     W = exp(h W / 2) w - h/2 I^-1 (W x I W),  I in the middle of the step. */
static carom_vec3 free_turn(const carom_sim *sim, const step_plan *p, size_t slot, carom_vec3 guess)
{
    const involved *x = involved_at(sim, (int)slot);
    carom_vec3 w = step_start(sim, slot)->w, W = guess;
    for (int k = 0; k < TURN_TRIES; k++) {
        carom_quat q = quat_exp(carom_vec3_scale(0.5 * p->h, W));
        carom_sym3 I = quat_turn_sym3(q, x->now.inertia), J = quat_turn_sym3(q, x->now.inv_inertia);
        carom_vec3 gyro = carom_sym3_apply(J, carom_vec3_cross(W, carom_sym3_apply(I, W)));
        W = carom_vec3_sub(quat_turn(q, w), carom_vec3_scale(0.5 * p->h, gyro));
    }
    return W;
}

/* What does not move, or on a path of its own. */
static void mean_of_ground(const carom_sim *sim, const step_plan *p, size_t slot, sweep_body *mean)
{
    const mover *m = mover_of(sim, involved_at(sim, (int)slot)->body);
    *mean = *step_start(sim, slot);
    if (m->is_movable || !m->track)
        return;
    carom_vec3 way = carom_vec3_sub(mover_position(m, p->t + p->h), mover_position(m, p->t));
    mean->v = carom_vec3_scale(1 / p->h, way);
    mean->w = track_omega(m->track, p->t + 0.5 * p->h);
}

/* The mean velocities without contact forces. Half of an impulse over the step counts for them. turn: the mean angular
 * velocity as it is known. */
static void free_mean(carom_sim *sim, const step_plan *p, size_t slot, carom_vec3 turn)
{
    const involved *x = involved_at(sim, (int)slot);
    const frame_of_body *f = frame_of(sim, x->body);
    const sweep_body *start = step_start(sim, slot);
    sweep_body *mean = step_mean(sim, slot);
    if (!is_stepped(sim, x->body)) {
        mean_of_ground(sim, p, slot, mean);
        return;
    }
    carom_vec3 a = carom_vec3_add(gravity_of(sim, x->body), carom_vec3_scale(x->now.inv_mass, f->step_force));
    carom_quat q = quat_exp(carom_vec3_scale(0.5 * p->h, turn));
    carom_sym3 J = f->isotropic ? x->now.inv_inertia : quat_turn_sym3(q, x->now.inv_inertia);
    mean->v = carom_vec3_add(start->v, carom_vec3_scale(0.5 * p->h, a));
    mean->w = turns_freely(sim, x->body) ? free_turn(sim, p, slot, turn) : start->w;
    if (f->forced) {
        carom_vec3 M = field_wrench(f->fields, start->v, start->w).M;
        mean->w = carom_vec3_add(mean->w, carom_vec3_scale(0.5 * p->h, carom_sym3_apply(J, M)));
    }
    mean->inv_mass = 0.5 * x->now.inv_mass;
    mean->inv_inertia = (carom_sym3){0.5 * J.xx, 0.5 * J.xy, 0.5 * J.xz, 0.5 * J.yy, 0.5 * J.yz, 0.5 * J.zz};
}

/* The gap at the start may close, by the mean velocity; overlaps do not grow. */
static double mean_aim(const carom_sim *sim, const step_plan *p, const touching *c)
{
    double gap = c->group >= 0 ? touching_at(sim, c->group)->gap : 2 * c->gap;
    return gap > 0 ? -gap / p->h : 0;
}

/* The contact of the start that this one in the middle has been: of its pair, or one that was missed there. */
static void match_begin(const carom_sim *sim, const step_plan *p, const step_pair *pair, touching *c)
{
    double most = SAME_POINT * mover_of(sim, c->a)->radius;
    c->group = nearest(sim, c, pair->from, pair->to, &most, -1);
    c->group = nearest(sim, c, p->missed, p->first, &most, c->group);
}

/* The contacts in the middle of the step, with the mean velocities as they are known. */
static bool middle_contacts(carom_sim *sim, const step_plan *p)
{
    step_pair *pairs = sim->step_pairs.data;
    sim->touchings.count = p->first;
    for (size_t k = 0; k < sim->step_pairs.count; k++) {
        pairs[k].middle = sim->touchings.count;
        step_add_contacts(sim, &pairs[k], p->t + 0.5 * p->h);
        pairs[k].end = sim->touchings.count;
        for (size_t m = pairs[k].middle; m < pairs[k].end; m++)
            match_begin(sim, p, &pairs[k], touching_at(sim, (int)m));
    }
    return store_resize(&sim->step_rows, &sim->memory, sim->touchings.count);
}

/* By how much the mean velocities have moved points. */
static double change_of(const carom_sim *sim, const sweep_body *old)
{
    double most = 0;
    for (size_t s = 0; s < sim->involved.count; s++) {
        double R = mover_of(sim, involved_at(sim, (int)s)->body)->radius;
        carom_vec3 v = carom_vec3_sub(step_mean(sim, s)->v, old[s].v),
                   w = carom_vec3_sub(step_mean(sim, s)->w, old[s].w);
        if (is_stepped(sim, involved_at(sim, (int)s)->body))
            most = max(most, carom_vec3_length(v) + R * carom_vec3_length(w));
    }
    return most;
}

/* Contact forces at the contacts of the middle that are known. */
static void press(carom_sim *sim, step_plan *p, sweep_limit limit)
{
    sweep_body *old = step_mean(sim, sim->involved.count);
    for (size_t s = 0; s < sim->involved.count; s++) {
        old[s] = *step_mean(sim, s);
        free_mean(sim, p, s, old[s].w);
    }
    for (size_t k = p->first; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        sweep_row *r = row_at(sim, k);
        *r = sweep_make(sim, c, step_mean(sim, 0));
        r->aim = mean_aim(sim, p, c);
        warm_start(sim, c, p->h, r, step_mean(sim, 0));
    }
    sweep_rows(row_at(sim, p->first), sim->touchings.count - p->first, step_mean(sim, 0), limit);
    warm_keep(sim, row_at(sim, 0), p->first, p->h);
    p->moved += change_of(sim, old);
}

/* The contacts where the mean velocities lead to, and the forces there. */
static bool find_middle(carom_sim *sim, step_plan *p, sweep_limit limit)
{
    for (size_t s = 0; s < sim->involved.count; s++)
        try_motion(sim, s, p->t, step_mean(sim, s));
    p->moved = 0;
    if (!middle_contacts(sim, p))
        return false;
    press(sim, p, limit);
    return true;
}

static void mean_from_start(carom_sim *sim)
{
    for (size_t s = 0; s < sim->involved.count; s++)
        *step_mean(sim, s) = *step_start(sim, s);
}

/* Mark the contacts of the start whose hop or slip ends within the step; false: there are no new ones. */
static bool mark_settled(carom_sim *sim, const step_plan *p)
{
    double slow = 0.1 * VISIBLE * strength(sim, p); /* slower hops and slips do not count */
    bool any = false;
    for (size_t k = p->first; k < sim->touchings.count; k++) {
        const sweep_row *r = row_at(sim, k);
        int m = touching_at(sim, (int)k)->group;
        if (m < 0 || !(r->p_n > 0) ||
            /* open at the start of the step */
            touching_at(sim, m)->gap > STEP_DEPTH * mover_of(sim, touching_at(sim, m)->a)->radius)
            continue;
        sweep_row *begin = row_at(sim, (size_t)m);
        double hop = carom_vec3_dot(begin->n, sweep_velocity(begin, step_start(sim, 0)));
        double slip = carom_vec3_length(sweep_slip(begin, step_start(sim, 0)));
        /* within its cone */
        bool sticks = carom_vec3_length(r->p_t) < r->mu * r->p_n * (1 - 0.1 * VISIBLE);
        any |= (!begin->holds && hop > slow) || (!begin->sticks && sticks && slip > slow);
        begin->holds = true;
        begin->sticks |= sticks;
    }
    return any;
}

/* An approach that a step may begin with. One that a contact of the start has is what turning makes of its normal
 * velocity until the middle. Any other is that of a place between the contacts of a face, over which the body tips:
 * with the mean velocity zero it dips by a quarter of its way. */
static double slow_approach(const carom_sim *sim, const step_plan *p, const touching *c, double acts)
{
    return c->group >= 0 ? BOUNCE * acts : 4 * STEP_DEPTH * mover_of(sim, c->a)->radius / p->h;
}

/* Approaches that only the contacts in the middle of the step show join those of the start; false: there are none. */
static bool find_missed(carom_sim *sim, step_plan *p)
{
    size_t count = sim->touchings.count, kept = p->first;
    double acts = strength(sim, p);
    for (size_t k = p->first; k < count; k++) {
        touching c = *touching_at(sim, (int)k);
        const sweep_row *r = row_at(sim, k);
        double speed = carom_vec3_dot(r->n, sweep_velocity(r, step_start(sim, 0))), aim = mean_aim(sim, p, &c);
        if (!(r->p_n > 0) || !(speed < aim - slow_approach(sim, p, &c, acts)))
            continue;
        c.gap = -p->h * aim;
        c.u_n = speed;
        *touching_at(sim, (int)kept++) = c;
    }
    bool any = kept > p->first;
    sim->touchings.count = any ? kept : count;
    p->first = kept;
    return any;
}

/* Bounces must not add energy beyond what moving ground gives; without bounces none is added. */
static void begin_step(carom_sim *sim, step_plan *p)
{
    sweep_load(sim, step_start(sim, 0));
    double energy = kinetic(sim);
    stop_approaches(sim, p, true);
    if (kinetic(sim) - work_of_ground(sim, 0, p->first, step_start(sim, 0)) > energy)
        stop_approaches(sim, p, false);
    p->hit = work_of_ground(sim, 0, p->first, step_start(sim, 0));
}

/* With the contacts of the start that are known. */
static bool rough_step(carom_sim *sim, step_plan *p)
{
    begin_step(sim, p);
    mean_from_start(sim);
    return find_middle(sim, p, rough_limit(sim, p));
}

static bool refine_step(carom_sim *sim, step_plan *p)
{
    bool done = true;
    for (int k = 0; k < ROUNDS && mark_settled(sim, p); k++) {
        settle_contacts(sim, p);
        press(sim, p, rough_limit(sim, p));
    }
    /* less does not move the middle of a step */
    for (int k = 0; k < ROUNDS && done && (k == 0 || p->moved > 0.01 * SMALL_SHARE * strength(sim, p)); k++)
        done = find_middle(sim, p, limit_of(sim, p));
    return done;
}

/* Approaches that the step shows are missed in what it begins with: it begins again. */
bool step_solve(carom_sim *sim, step_plan *p)
{
    sim->touchings.count = p->first;
    if (!store_resize(&sim->step_rows, &sim->memory, p->first) ||
        !store_resize(&sim->step_bodies, &sim->memory, 3 * sim->involved.count))
        return false;
    bool done = rough_step(sim, p);
    for (int k = 0; k < ROUNDS && done && find_missed(sim, p); k++)
        done = rough_step(sim, p);
    done = done && refine_step(sim, p);
    for (int k = 0; k < ROUNDS && done && find_missed(sim, p); k++)
        done = rough_step(sim, p) && refine_step(sim, p);
    p->driven = done ? work_of_ground(sim, p->first, sim->touchings.count, step_mean(sim, 0)) : 0;
    return done;
}

/* ---- the end of a step ---- */

/* The gap of a pair at the end of the step as its contacts in the middle foresee it. */
static double foreseen(const carom_sim *sim, const step_plan *p, const step_pair *pair)
{
    double least = min(pair->gap, 0);
    for (size_t k = pair->middle; k < pair->end; k++) {
        const touching *c = touching_at(sim, (int)k);
        const sweep_row *r = row_at(sim, k);
        double gap = c->group >= 0 ? touching_at(sim, c->group)->gap : 2 * c->gap;
        least = min(least, gap + p->h * carom_vec3_dot(r->n, sweep_velocity(r, step_mean(sim, 0))));
    }
    return least;
}

/* Do bodies overlap in the middle of the step? They come there with the mean velocities of its first half. */
static bool is_deep_in_middle(carom_sim *sim, const step_plan *p)
{
    step_pair *pairs = sim->step_pairs.data;
    for (size_t s = 0; s < sim->involved.count; s++) {
        const sweep_body *start = step_start(sim, s), *mean = step_mean(sim, s);
        sweep_body half = *mean;
        half.v = carom_vec3_scale(0.5, carom_vec3_add(start->v, mean->v));
        half.w = carom_vec3_scale(0.5, carom_vec3_add(start->w, mean->w));
        try_motion(sim, s, p->t, &half);
    }
    for (size_t k = 0; k < sim->step_pairs.count; k++) {
        double gap = gap_from(sim, pairs[k].a, pairs[k].b, p->t + 0.5 * p->h, &pairs[k].axis);
        if (gap < min(pairs[k].gap, 0) - STEP_DIP * mover_of(sim, pairs[k].a)->radius)
            return true;
    }
    return false;
}

static bool is_deep_at_end(carom_sim *sim, const step_plan *p)
{
    step_pair *pairs = sim->step_pairs.data;
    for (size_t s = 0; s < sim->involved.count; s++)
        try_motion(sim, s, p->t, step_mean(sim, s));
    for (size_t k = 0; k < sim->step_pairs.count; k++) {
        double gap = gap_from(sim, pairs[k].a, pairs[k].b, p->t + p->h, &pairs[k].axis);
        if (gap < 0 && foreseen(sim, p, &pairs[k]) - gap > STEP_DEPTH * mover_of(sim, pairs[k].a)->radius)
            return true;
    }
    return false;
}

bool step_is_deep(carom_sim *sim, const step_plan *p)
{
    return is_deep_at_end(sim, p) || is_deep_in_middle(sim, p);
}

carom_vec3 step_last_omega(const carom_sim *sim, const step_plan *p, size_t slot)
{
    carom_vec3 W = step_mean(sim, slot)->w;
    carom_vec3 w = carom_vec3_sub(carom_vec3_scale(2, W), step_start(sim, slot)->w);
    int i = involved_at(sim, (int)slot)->body;
    return turns_freely(sim, i) ? quat_turn(quat_exp(carom_vec3_scale(p->h, W)), w) : w;
}

#include "sim/resolve/resolve.h"

#include "carom/patch.h"
#include "sim/contact/island.h"
#include "sim/detect/facets.h"
#include "sim/detect/near.h"
#include "sim/motion/course.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/resolve_group.h"
#include "sim/resolve/resolve_spheres.h"
#include "sim/resolve/sim_road.h"

bool batch_add(carom_sim *sim, int i, int j)
{
    const pair_of_bodies *known = sim->batch.data;
    for (size_t k = 0; k < sim->batch.count; k++)
        if ((known[k].a == i && known[k].b == j) || (known[k].a == j && known[k].b == i))
            return true;
    pair_of_bodies *p = store_push(&sim->batch, &sim->memory);
    if (!p)
        return false;
    p->a = i;
    p->b = j;
    return true;
}

/* ---- who takes part ---- */

static bool is_listed(const carom_sim *sim, int i, int j)
{
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        if ((c->a == i && c->b == j) || (c->a == j && c->b == i))
            return true;
    }
    return false;
}

/* Rounding of a gap: of the places and sizes that it is a difference of. */
static double touch_length(const carom_sim *sim, int i, int j)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    double place = carom_vec3_length(a->x);
    return TOUCH_TOL * (a->radius + (is_plane(sim, j) ? fabs(plane_offset(sim, j)) : b->radius) + place);
}

static void add_if_touching(carom_sim *sim, int i, int j, void *context)
{
    double t = *(const double *)context;
    if (is_listed(sim, i, j) || never_collide(sim, i, j) ||
        (!mover_of(sim, i)->is_movable && !mover_of(sim, j)->is_movable))
        return;
    /* of a closed contact gap and velocity are zero; what a piece of motion has of them is rounding */
    bool connected = mover_of(sim, i)->closed && mover_of(sim, j)->closed && are_closed(sim, i, j);
    double most = touch_length(sim, i, j);
    if (!connected && (balls_gap_at(sim, i, j, t) > most || gap_at(sim, i, j, t) > most))
        return;
    size_t first = sim->touchings.count, kept = first;
    add_touchings(sim, i, j, t);
    for (size_t k = first; k < sim->touchings.count; k++) {
        touching c = *touching_at(sim, (int)k);
        /* a slower approach is rounding */
        double speed = ROUND_SPEED * (fabs(c.problem.u.t1) + fabs(c.problem.u.t2) + fabs(c.problem.u.n));
        c.hits = c.u_n < -speed;
        if (connected || c.u_n <= speed)
            *touching_at(sim, (int)kept++) = c;
    }
    sim->touchings.count = kept;
}

/* A pair that meets is hit at the contacts that approach; if none does, at the fastest one. */
static void mark_hits(carom_sim *sim, int first)
{
    int count = (int)sim->touchings.count, fastest = first;
    for (int k = first; k < count; k++) {
        touching *c = touching_at(sim, k);
        double speed = ROUND_SPEED * (fabs(c->problem.u.t1) + fabs(c->problem.u.t2) + fabs(c->problem.u.n));
        c->hits = c->u_n < -speed;
        fastest = c->u_n < touching_at(sim, fastest)->u_n ? k : fastest;
    }
    if (first < count)
        touching_at(sim, fastest)->hits = true;
}

static void visit_touching(carom_sim *sim, int i, double *t)
{
    visit_near(sim, i, add_if_touching, t);
    visit_facets(sim, i, 0, add_if_touching, t);
}

/* The contacts of the batch, then everything that touches a body that takes part, and so on. */
static void gather(carom_sim *sim, double t)
{
    const pair_of_bodies *pair = sim->batch.data;
    for (size_t k = 0; k < sim->batch.count; k++) {
        size_t first = sim->touchings.count;
        add_touchings(sim, pair[k].a, pair[k].b, t);
        mark_hits(sim, (int)first);
    }
    for (size_t s = 0; s < sim->involved.count; s++) {
        int i = involved_at(sim, (int)s)->body;
        if (mover_of(sim, i)->is_movable && mover_of(sim, i)->touches)
            visit_touching(sim, i, &t);
    }
}

/* ---- groups: contacts joined by movable bodies ---- */

static bool share_movable(const carom_sim *sim, const touching *x, const touching *y)
{
    int side[2] = {x->a, x->b}, other[2] = {y->a, y->b};
    for (int k = 0; k < 4; k++) {
        int i = side[k / 2], j = other[k % 2];
        if (mover_of(sim, i)->is_movable &&
            (i == j || (is_jointed(sim, i) && frame_of(sim, i)->assembly == frame_of(sim, j)->assembly)))
            return true;
    }
    return false;
}

static void spread_group(carom_sim *sim, int group)
{
    bool grew = true;
    int count = (int)sim->touchings.count;
    while (grew) {
        grew = false;
        for (int k = 0; k < count; k++)
            for (int m = 0; m < count && touching_at(sim, k)->group < 0; m++)
                if (touching_at(sim, m)->group == group &&
                    share_movable(sim, touching_at(sim, k), touching_at(sim, m))) {
                    touching_at(sim, k)->group = group;
                    grew = true;
                }
    }
}

static int make_groups(carom_sim *sim)
{
    int groups = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        if (touching_at(sim, k)->group >= 0)
            continue;
        touching_at(sim, k)->group = groups;
        spread_group(sim, groups);
        groups++;
    }
    return groups;
}

/* ---- afterwards ---- */

static void begin_motions(carom_sim *sim, double t)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        const involved *x = involved_at(sim, (int)s);
        if (mover_of(sim, x->body)->is_movable)
            set_motion(sim, x->body, t, &x->now);
    }
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        remember(sim, c->a, c->b);
        if (mover_of(sim, c->b)->is_movable)
            remember(sim, c->b, c->a);
    }
}

void clear_impact(carom_sim *sim)
{
    for (size_t s = 0; s < sim->involved.count; s++)
        frame_of(sim, involved_at(sim, (int)s)->body)->slot = -1;
    sim->involved.count = sim->touchings.count = sim->own_rules.count = 0;
}

double driven_work(const carom_sim *sim)
{
    double work = 0;
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        if (mover_of(sim, c->b)->is_movable)
            continue;
        const carom_body *wall = &involved_at(sim, frame_of(sim, c->b)->slot)->now;
        carom_vec3 v = carom_vec3_add(wall->velocity, carom_vec3_cross(wall->omega, c->contact.arm_b));
        work += carom_vec3_dot(carom_frame_to_world(c->contact.frame, c->p), v);
        work += carom_vec3_dot(carom_patch_moment(&c->contact, c->m), wall->omega);
    }
    return work;
}

/* All groups, or none: after an error nothing is booked, and the impact is still to come. */
static carom_status solve_groups(carom_sim *sim, double t)
{
    const sums ledger = sim->ledger;
    const long long impacts = sim->impacts, events = sim->events;
    int groups = make_groups(sim);
    carom_status status = CAROM_STATUS_OK;
    for (int g = 0; g < groups && !status; g++)
        status = resolve_group(sim, g, t);
    if (!status)
        return CAROM_STATUS_OK;
    sim->ledger = ledger;
    sim->impacts = impacts;
    sim->events = events;
    return status;
}

carom_status resolve(carom_sim *sim, double t)
{
    if (is_gas(sim) && resolve_spheres(sim, t))
        return CAROM_STATUS_OK;
    sim->time = t;
    gather(sim, t);
    carom_status status = solve_groups(sim, t);
    if (status)
        return status;
    sim->ledger.driven += driven_work(sim);
    begin_motions(sim, t);
    return CAROM_STATUS_OK;
}

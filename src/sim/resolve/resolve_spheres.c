#include "sim/resolve/resolve_spheres.h"

#include "carom/patch.h"
#include "carom/solve.h"
#include "sim/detect/cells.h"
#include "sim/motion/course.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/resolve.h"
#include "sim/resolve/sim_events.h"
#include "sim/resolve/sim_road.h"

typedef struct sphere_hit {
    double t;
    carom_body A, B, before[2];
    touching c;
    carom_outcome outcome;
} sphere_hit;

/* An observer that may veto sees the lists of resolve(). */
static bool is_plain(const carom_sim *sim, const sphere_hit *h)
{
    const mover *a = mover_of(sim, h->c.a), *b = mover_of(sim, h->c.b);
    return a->is_movable && b->is_movable && !a->touches && !b->touches && a->t0 < h->t && b->t0 < h->t &&
           !sim->observer.before;
}

static carom_body sphere_at(const carom_sim *sim, int i, double t)
{
    carom_body body = *core_of(sim, i);
    body.position = mover_position(mover_of(sim, i), t);
    body.velocity = mover_velocity(mover_of(sim, i), t);
    body.omega = frame_of(sim, i)->turn.w;
    return body;
}

static bool solve(const carom_sim *sim, sphere_hit *h)
{
    touching *c = &h->c;
    h->A = h->before[0] = sphere_at(sim, c->a, h->t);
    h->B = h->before[1] = sphere_at(sim, c->b, h->t);
    if (!touching_spheres(sim, c, h->t) || !touching_reduce(sim, c, &h->A, &h->B) ||
        carom_patch_size(&c->rule->coeffs) > 3 || carom_solve(&c->problem, c->rule, NULL, &h->outcome))
        return false;
    c->p = h->outcome.p;
    carom_bodies_apply(&c->contact, c->p, &h->A, &h->B);
    return true;
}

/* Does the pair rebound so fast that its bounces are far from over, and are its numbers finite? */
static bool goes_on(const carom_sim *sim, const sphere_hit *h)
{
    double R = mover_of(sim, h->c.a)->radius;
    double turn = R * (carom_vec3_length(h->A.omega) + carom_vec3_length(h->B.omega));
    double strength = carom_vec3_length(sim->scene->gravity) + turn * turn / R;
    carom_vec3 sum =
        carom_vec3_add(carom_vec3_add(h->A.velocity, h->A.position), carom_vec3_add(h->B.velocity, h->B.position));
    double all = sum.x + sum.y + sum.z;
    /* faster rebounds are looked at later */
    return h->outcome.u_after.n > 2 * SMALL_SHARE * sqrt(strength * R) && all - all == 0;
}

/* The observer sees the bodies as they leave the impact, in the lists of it. */
static void tell(carom_sim *sim, sphere_hit *h)
{
    int a = involve_as(sim, h->c.a, &h->before[0]), b = involve_as(sim, h->c.b, &h->before[1]);
    if (a < 0 || b < 0 || !list_touching(sim, &h->c))
        return;
    involved_at(sim, a)->now = h->A;
    involved_at(sim, b)->now = h->B;
    observe_alone(sim, 0, h->t, &h->outcome);
    clear_impact(sim);
}

static void begin_steps(carom_sim *sim, int a, int b, double t)
{
    carom_vec3 g = sim->scene->gravity;
    if (g.x == 0 && g.y == 0 && g.z == 0)
        return;
    bool due = step_is_due(sim, a, b, t);
    due |= step_is_due(sim, b, a, t);
    if (!due)
        return;
    step_enter(sim, a, t);
    step_enter(sim, b, t);
}

bool resolve_spheres(carom_sim *sim, double t)
{
    const pair_of_bodies *pair = sim->batch.data;
    if (sim->batch.count != 1)
        return false;
    int a = pair->a < pair->b ? pair->a : pair->b, b = pair->a < pair->b ? pair->b : pair->a;
    sphere_hit h;
    h.t = t;
    h.c = (touching){.a = a, .b = b, .hits = true};
    if (!is_plain(sim, &h) || !solve(sim, &h) || !goes_on(sim, &h))
        return false;
    sim->time = t;
    sim->error = (carom_sim_error){CAROM_STATUS_OK, -1, -1, 0};
    sim->ledger.normal += h.outcome.energy.normal;
    sim->ledger.friction += h.outcome.energy.friction;
    sim->impacts++;
    sim->events++;
    if (sim->observer.after)
        tell(sim, &h);
    motion_rebound(sim, a, t, &h.A);
    motion_rebound(sim, b, t, &h.B);
    remember(sim, a, b);
    remember(sim, b, a);
    begin_steps(sim, a, b, t);
    return true;
}

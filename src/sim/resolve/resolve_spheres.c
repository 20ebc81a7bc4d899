#include "sim/resolve/resolve_spheres.h"

#include "carom/patch.h"
#include "carom/solve.h"
#include "sim/motion/course.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/resolve.h"
#include "sim/resolve/sim_events.h"
#include "sim/resolve/sim_road.h"

/* An observer that may veto sees the lists of resolve(). */
static bool is_plain(const carom_sim *sim, int i, int j, double t)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    return a->is_movable && b->is_movable && !a->touches && !b->touches && a->t0 < t && b->t0 < t &&
           !sim->observer.before;
}

/* body_at() of a sphere in free flight, which reads less of it. */
static bool involve_sphere(carom_sim *sim, int i, double t)
{
    carom_body body = *core_of(sim, i);
    body.position = mover_position(mover_of(sim, i), t);
    body.velocity = mover_velocity(mover_of(sim, i), t);
    body.omega = frame_of(sim, i)->turn.w;
    return involve_as(sim, i, &body) >= 0;
}

/* The contact of bodies a < b, and its answer. */
static bool solve(carom_sim *sim, int a, int b, double t, carom_outcome *outcome)
{
    if (!involve_sphere(sim, a, t) || !involve_sphere(sim, b, t) || add_touchings(sim, a, b, t) != 1)
        return false;
    touching *c = touching_at(sim, 0);
    if (carom_patch_size(&c->rule->coeffs) > 3 || carom_solve(&c->problem, c->rule, NULL, outcome))
        return false;
    c->p = outcome->p;
    carom_bodies_apply(&c->contact, c->p, &involved_at(sim, 0)->now, &involved_at(sim, 1)->now);
    return true;
}

/* Does the pair rebound so fast that its bounces are far from over, and are its numbers finite? */
static bool goes_on(const carom_sim *sim, const carom_outcome *outcome)
{
    const carom_body *A = &involved_at(sim, 0)->now, *B = &involved_at(sim, 1)->now;
    double R = mover_of(sim, involved_at(sim, 0)->body)->radius;
    double turn = R * (carom_vec3_length(A->omega) + carom_vec3_length(B->omega));
    double strength = carom_vec3_length(sim->scene->gravity) + turn * turn / R;
    carom_vec3 sum = carom_vec3_add(carom_vec3_add(A->velocity, A->position), carom_vec3_add(B->velocity, B->position));
    double all = sum.x + sum.y + sum.z;
    /* faster rebounds are looked at later */
    return outcome->u_after.n > 2 * SMALL_SHARE * sqrt(strength * R) && all - all == 0;
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
    int a = pair->a < pair->b ? pair->a : pair->b, b = pair->a < pair->b ? pair->b : pair->a;
    carom_outcome outcome;
    if (sim->batch.count != 1 || !is_plain(sim, a, b, t))
        return false;
    if (!solve(sim, a, b, t, &outcome) || !goes_on(sim, &outcome)) {
        clear_impact(sim);
        return false;
    }
    sim->time = t;
    sim->error = (carom_sim_error){CAROM_STATUS_OK, -1, -1, 0};
    sim->ledger.normal += outcome.energy.normal;
    sim->ledger.friction += outcome.energy.friction;
    sim->impacts++;
    sim->events++;
    observe_alone(sim, 0, t, &outcome);
    motion_rebound(sim, a, t, &involved_at(sim, 0)->now);
    motion_rebound(sim, b, t, &involved_at(sim, 1)->now);
    remember(sim, a, b);
    remember(sim, b, a);
    clear_impact(sim);
    begin_steps(sim, a, b, t);
    return true;
}

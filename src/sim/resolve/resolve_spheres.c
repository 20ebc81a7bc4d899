#include "sim/resolve/resolve_spheres.h"

#include "carom/solve.h"
#include "sim/detect/cells.h"
#include "sim/motion/course.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/sim_road.h"

typedef struct sphere_hit {
    int a, b;
    double t;
    carom_body A, B; /* before the impact, then after it */
    carom_contact contact;
    carom_outcome outcome;
} sphere_hit;

/* An observer sees the lists of collide(). */
static bool is_plain(const carom_sim *sim, const sphere_hit *h)
{
    const mover *a = mover_of(sim, h->a), *b = mover_of(sim, h->b);
    return a->is_movable && b->is_movable && !a->touches && !b->touches && a->t0 < h->t && b->t0 < h->t &&
           !sim->observer.before && !sim->observer.after;
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
    carom_problem problem;
    h->A = sphere_at(sim, h->a, h->t);
    h->B = sphere_at(sim, h->b, h->t);
    if (!sphere_contact(sim, h->a, h->b, h->t, &h->contact) ||
        carom_bodies_reduce(&h->A, &h->B, &h->contact, &problem) ||
        carom_solve(&problem, rule_of(sim, h->a, h->b), NULL, &h->outcome))
        return false;
    carom_bodies_apply(&h->contact, h->outcome.p, &h->A, &h->B);
    return true;
}

/* Does the pair rebound so fast that its bounces are far from over, and are its numbers finite? */
static bool goes_on(const carom_sim *sim, const sphere_hit *h)
{
    double R = mover_of(sim, h->a)->radius, turn = R * (carom_vec3_length(h->A.omega) + carom_vec3_length(h->B.omega));
    double strength = carom_vec3_length(sim->scene->gravity) + turn * turn / R;
    carom_vec3 sum =
        carom_vec3_add(carom_vec3_add(h->A.velocity, h->A.position), carom_vec3_add(h->B.velocity, h->B.position));
    double all = sum.x + sum.y + sum.z;
    return h->outcome.u_after.n > 2 * SLOW * sqrt(strength * R) && all - all == 0;
}

/* As set_motion; a sphere in a gas turns steadily before and after. */
static void begin_motion(carom_sim *sim, int i, const sphere_hit *h, const carom_body *now)
{
    carom_quat q = spin_steadily(&frame_of(sim, i)->turn, h->t);
    course c = course_free(sim, i, (snap){now->position, now->velocity, q, now->omega});
    motion_begin(sim, i, h->t, &c);
    frame_of(sim, i)->again = 0;
    remember(sim, i, i == h->a ? h->b : h->a);
}

static void begin_steps(carom_sim *sim, const sphere_hit *h)
{
    carom_vec3 g = sim->scene->gravity;
    if (g.x == 0 && g.y == 0 && g.z == 0)
        return;
    bool due = step_is_due(sim, h->a, h->b, h->t);
    due |= step_is_due(sim, h->b, h->a, h->t);
    if (!due)
        return;
    step_enter(sim, h->a, h->t);
    step_enter(sim, h->b, h->t);
}

bool resolve_spheres(carom_sim *sim, double t)
{
    const pair_index *pair = sim->batch.data;
    if (sim->batch.count != 1 || !is_gas(sim))
        return false;
    sphere_hit h;
    h.a = pair->a < pair->b ? pair->a : pair->b;
    h.b = pair->a < pair->b ? pair->b : pair->a;
    h.t = t;
    if (!is_plain(sim, &h) || !solve(sim, &h) || !goes_on(sim, &h))
        return false;
    sim->time = t;
    sim->error = (carom_sim_error){CAROM_STATUS_OK, -1, -1, 0};
    sim->ledger.normal += h.outcome.energy.normal;
    sim->ledger.friction += h.outcome.energy.friction;
    sim->impacts++;
    sim->events++;
    begin_motion(sim, h.a, &h, &h.A);
    begin_motion(sim, h.b, &h, &h.B);
    begin_steps(sim, &h);
    return true;
}

#include "sim/world/world.h"

#include "carom/assert.h"
#include "sim/detect/facets.h"
#include "sim/detect/impact_time.h"
#include "sim/detect/near.h"
#include "sim/motion/piece_energy.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/resolve.h"
#include "sim/rest/ride.h"
#include "sim/rest/settle.h"
#include "sim/schedule/queue.h"

double carom_sim_time(const carom_sim *sim)
{
    return sim->time;
}

long long carom_sim_impacts(const carom_sim *sim)
{
    return sim->impacts;
}

long long carom_sim_events(const carom_sim *sim)
{
    return sim->events;
}

/* ---- bodies ---- */

/* A body as the impacts of this instant have left it so far, or null: its next motion has not begun yet. */
static const carom_body *struck(const carom_sim *sim, int i)
{
    int slot = frame_of(sim, i)->slot;
    return sim->tells_impact && slot >= 0 && mover_of(sim, i)->is_movable ? &involved_at(sim, slot)->now : NULL;
}

double carom_sim_exact_until(const carom_sim *sim)
{
    return sim->exact_until;
}

static carom_sim_road road_of(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return f->pile ? CAROM_SIM_ROAD_PILE : f->stepped ? CAROM_SIM_ROAD_STEPPED : CAROM_SIM_ROAD_EXACT;
}

/* On the exact road again, an error of the velocity goes on to be one of the place. */
static double error_of(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return f->error.x + (f->stepped || is_resting(sim, i) ? 0 : f->error.v * (sim->time - f->since));
}

carom_sim_state carom_sim_body(const carom_sim *sim, int i)
{
    CAROM_ASSERT(i >= 0 && i < sim->given);
    const mover *m = mover_of(sim, i);
    const carom_body *after = struck(sim, i);
    pose p = spin_at(&frame_of(sim, i)->turn, sim->time);
    carom_sim_state s = {.position = mover_position(m, sim->time),
                         .orientation = p.q,
                         .velocity = mover_velocity(m, sim->time),
                         .omega = p.w,
                         .resting = is_resting(sim, i),
                         .road = road_of(sim, i),
                         .since = frame_of(sim, i)->since,
                         .error = error_of(sim, i)};
    if (after) {
        s.velocity = after->velocity;
        s.omega = after->omega;
        s.resting = false;
    }
    return s;
}

/* The gap between two bodies; a mesh is as near as its nearest facet. */
static double distance_between(const carom_sim *sim, int i, int j)
{
    if (sim->scene->bodies[i].solid.kind == CAROM_SOLID_MESH)
        return sim->scene->bodies[j].solid.kind == CAROM_SOLID_MESH ? INFINITY : distance_between(sim, j, i);
    if (sim->scene->bodies[j].solid.kind != CAROM_SOLID_MESH)
        return gap_at(sim, i, j, sim->time);
    double least = INFINITY;
    for (int k = sim->given; k < sim->count; k++)
        if (owner_of(sim, k) == j && ball_gap(sim, i, k, sim->time) < least)
            least = min(least, gap_at(sim, i, k, sim->time));
    return least;
}

double carom_sim_distance(const carom_sim *sim, int i, int j)
{
    CAROM_ASSERT(i >= 0 && i < sim->given && j >= 0 && j < sim->given && i != j);
    return distance_between(sim, i, j);
}

/* ---- closed contacts ---- */

int carom_sim_touch_count(const carom_sim *sim)
{
    return (int)sim->closed.count;
}

carom_sim_touch carom_sim_touch_at(const carom_sim *sim, int k)
{
    const closed_contact *c = (const closed_contact *)sim->closed.data + k;
    carom_vec3 normal, arm = closed_arm(sim, c, sim->time, &normal);
    carom_vec3 point = carom_vec3_add(mover_position(mover_of(sim, c->a), sim->time), arm);
    carom_sim_touch t = {c->a, owner_of(sim, c->b), point, normal, c->slips};
    return t;
}

/* ---- energy ---- */

double carom_sim_reach(const carom_sim *sim, int i)
{
    return is_plane(sim, i) ? INFINITY : mover_of(sim, i)->radius;
}

static carom_body body_now(const carom_sim *sim, int i)
{
    carom_body b = body_at(sim, i, sim->time);
    const carom_body *after = struck(sim, i);
    if (after) {
        b.velocity = after->velocity;
        b.omega = after->omega;
    }
    return b;
}

static void add_body(const carom_sim *sim, int i, carom_sim_ledger *out)
{
    carom_body b = body_now(sim, i);
    carom_vec3 linear = carom_vec3_scale(b.mass, b.velocity);
    piece_work w = work_since(sim, i, sim->time);
    out->after += carom_body_energy(&b) - b.mass * carom_vec3_dot(gravity_of(sim, i), b.position);
    out->sliding += w.sliding;
    out->spin += w.spin;
    out->fields += w.fields;
    out->driven += w.driven;
    out->momentum = carom_vec3_add(out->momentum, linear);
    out->angular = carom_vec3_add(
        out->angular, carom_vec3_add(carom_vec3_cross(b.position, linear), carom_sym3_apply(b.inertia, b.omega)));
}

carom_sim_ledger carom_sim_energy(const carom_sim *sim)
{
    carom_sim_ledger out = {.before = sim->energy_before,
                            .normal = sim->ledger.normal,
                            .friction = sim->ledger.friction,
                            .rest = sim->ledger.rest,
                            .sliding = sim->ledger.sliding,
                            .spin = sim->ledger.spin,
                            .fields = sim->ledger.fields,
                            .driven = sim->ledger.driven + (sim->tells_impact ? driven_work(sim) : 0)};
    for (size_t k = 0; k < sim->movable.count; k++)
        add_body(sim, store_ints(&sim->movable)[k], &out);
    out.residual = out.after - out.before - out.normal - out.friction - out.rest - out.sliding - out.fields -
                   out.driven - out.spin;
    return out;
}

/* ---- what comes ---- */

double carom_sim_next(const carom_sim *sim)
{
    int first = queue_first(sim);
    return first >= 0 ? queued_of(sim, first)->time : INFINITY;
}

static bool note_impact(void *context, const carom_sim_event *event)
{
    carom_sim_meeting *next = context;
    if (event->kind != CAROM_SIM_EVENT_IMPACT)
        return true;
    if (next->time == INFINITY)
        *next = (carom_sim_meeting){event->time, event->contacts->a, event->contacts->b};
    return false;
}

/* The run goes on to the impact, unseen, and back. */
carom_status carom_sim_next_impact(carom_sim *sim, double end, carom_sim_meeting *next)
{
    const carom_sim_observer observer = sim->observer, look = {.after = note_impact, .context = next};
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    *next = (carom_sim_meeting){INFINITY, -1, -1};
    if (sim->in_callback)
        return CAROM_STATUS_BUSY;
    size_t size = carom_sim_snapshot_size(sim);
    void *now = sim->memory.resize(sim->memory.context, NULL, size);
    if (!now)
        return CAROM_STATUS_NO_MEMORY;
    carom_sim_save(sim, now);
    carom_sim_observe(sim, &look);
    until.time = end;
    carom_status status = carom_sim_advance(sim, &until, &stop);
    carom_sim_error error = sim->error;
    carom_status back = carom_sim_restore(sim, now);
    sim->observer = observer;
    sim->error = status ? error : sim->error;
    sim->memory.resize(sim->memory.context, now, 0);
    return status ? status : back;
}

/* From event to event. */
#include "carom/assert.h"
#include "sim/detect/cells.h"
#include "sim/detect/near.h"
#include "sim/motion/course.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/resolve.h"
#include "sim/resolve/sim_road.h"
#include "sim/rest/air_flight.h"
#include "sim/rest/settle.h"
#include "sim/schedule/forecast.h"
#include "sim/schedule/queue.h"
#include "sim/schedule/spheres.h"
#include "sim/step/step.h"

void carom_sim_observe(carom_sim *sim, const carom_sim_observer *observer)
{
    static const carom_sim_observer nobody;
    sim->observer = observer ? *observer : nobody;
}

carom_sim_until carom_sim_until_default(void)
{
    carom_sim_until until = {.time = INFINITY, .impacts = -1, .events = -1, .instants = -1};
    return until;
}

/* ---- one instant ---- */

/* Every impact of body i until then joins the batch. */
static bool meet_until(carom_sim *sim, int i, double end)
{
    const outlook *o = outlook_of(sim, i);
    for (int k = 0; k < o->count && o->meet[k].time <= end; k++)
        if (is_valid(sim, &o->meet[k]) && !batch_add(sim, i, o->meet[k].partner))
            return false;
    expect_change(sim, i, NEXT_NOTHING, INFINITY);
    return true;
}

/* What comes next for every body whose motion has changed. Where memory has ended some have no motion yet: they stay
 * marked. */
static void look_ahead(carom_sim *sim, double t, carom_status status)
{
    if (status != CAROM_STATUS_NO_MEMORY)
        forecast(sim, t);
}

/* The event of body i is due: an impact joins the batch, the rest is done at once. */
static carom_status take(carom_sim *sim, int i, double t)
{
    double now = queued_of(sim, i)->time;
    switch (outlook_of(sim, i)->kind) {
    case NEXT_IMPACT:
        if (!is_valid(sim, &outlook_of(sim, i)->meet[0]))
            predict_again(sim, i, now);
        else if (!meet_until(sim, i, t + tie_of(t)))
            return CAROM_STATUS_NO_MEMORY;
        return CAROM_STATUS_OK;
    case NEXT_CELL:
        predict_crossing(sim, i, now);
        return CAROM_STATUS_OK;
    case NEXT_PIECE:
        expect_change(sim, i, NEXT_NOTHING, INFINITY);
        carom_status status = end_piece(sim, i, now);
        look_ahead(sim, now, status);
        return status;
    default:
        predict(sim, i, t);
        return CAROM_STATUS_OK;
    }
}

static void forget_ghosts(carom_sim *sim, double t)
{
    ghost *g = sim->ghosts.data;
    size_t kept = 0, count = sim->ghosts.count;
    for (size_t k = 0; k < count; k++)
        if (g[k].until > 0 ? g[k].until > t : gap_at(sim, g[k].a, g[k].b, t) <= 0)
            g[kept++] = g[k];
    sim->ghosts.count = kept;
}

/* Bodies of the batch look for their next event, also where their contact turned out to be none. */
static void clear_batch(carom_sim *sim)
{
    const pair_of_bodies *pair = sim->batch.data;
    for (size_t k = 0; k < sim->batch.count; k++) {
        motion_mark(sim, pair[k].a);
        motion_mark(sim, pair[k].b);
    }
    sim->batch.count = 0;
}

/* Every event that is due. */
static carom_status take_due(carom_sim *sim, double t)
{
    double end = t + tie_of(t);
    int limit = INSTANT_MOST * (INSTANT_MOST + sim->count);
    carom_status status = CAROM_STATUS_OK;
    if (sim->ghosts.count)
        forget_ghosts(sim, t);
    sim->instant_events = t > sim->instant ? 0 : sim->instant_events + 1;
    sim->instant = t > sim->instant ? t : sim->instant;
    if (sim->instant_events > limit)
        return CAROM_STATUS_ENDLESS;
    for (int k = 0; k < limit && !status; k++) {
        int i = queue_first(sim);
        if (i < 0 || !(queued_of(sim, i)->time <= end))
            break;
        status = take(sim, i, t);
    }
    return status;
}

/* Everything that happens at the next instant, which is t. Each stage changes motions by the one writer, which marks
 * the bodies; what comes next is looked for when all are done. */
static carom_status do_instant(carom_sim *sim, double t)
{
    carom_status status = take_due(sim, t);                          /* pairs that meet join the batch */
    status = status || !sim->batch.count ? status : resolve(sim, t); /* contacts, groups, laws: velocities */
    status = status || !has_flights(sim) ? status : fly_all(sim, t); /* through the air and on joints */
    status = status ? status : settle(sim, t);                       /* contacts close and open */
    status = status || !sim->step_due ? status : step(sim, t);       /* what exact motion does not cover */
    status = status || !has_flights(sim) ? status : fly_all(sim, t); /* what has left the steps */
    clear_impact(sim);
    clear_batch(sim);
    look_ahead(sim, t, status);
    return !status && sim->out_of_memory ? CAROM_STATUS_NO_MEMORY : status;
}

/* ---- until ---- */

static bool all_rest(const carom_sim *sim)
{
    for (size_t k = 0; k < sim->movable.count; k++)
        if (!is_resting(sim, store_ints(&sim->movable)[k]))
            return false;
    return true;
}

static carom_status stopped(carom_sim_stop *stop, carom_sim_stop why)
{
    *stop = why;
    return CAROM_STATUS_OK;
}

carom_status carom_sim_advance(carom_sim *sim, const carom_sim_until *until, carom_sim_stop *stop)
{
    CAROM_ASSERT(sim && until);
    carom_sim_stop ignored;
    stop = stop ? stop : &ignored;
    long long last = until->events >= 0 ? sim->events + until->events : -1;
    *stop = CAROM_SIM_STOP_ERROR;
    if (sim->in_callback)
        return CAROM_STATUS_BUSY;
    if (!(until->time >= sim->time))
        return CAROM_STATUS_BAD_TIME;
    sim->stop_asked = false;
    for (long long instants = 0;; instants++) {
        int first = queue_first(sim);
        double t = first >= 0 ? queued_of(sim, first)->time : INFINITY;
        if (until->exact && sim->exact_until < INFINITY)
            return stopped(stop, CAROM_SIM_STOP_INEXACT);
        if (until->impacts >= 0 && sim->impacts >= until->impacts)
            return stopped(stop, CAROM_SIM_STOP_IMPACTS);
        if (last >= 0 && sim->events >= last)
            return stopped(stop, CAROM_SIM_STOP_EVENTS);
        if (t == INFINITY && (until->rest || until->time == INFINITY) && all_rest(sim))
            return stopped(stop, CAROM_SIM_STOP_REST);
        if (t > until->time) {
            sim->time = until->time;
            return stopped(stop, CAROM_SIM_STOP_TIME);
        }
        if (t == INFINITY)
            return stopped(stop, CAROM_SIM_STOP_IDLE);
        if (until->instants >= 0 && instants >= until->instants)
            return stopped(stop, CAROM_SIM_STOP_INSTANTS);
        carom_status status = do_instant(sim, t);
        if (status)
            return status;
        if (sim->stop_asked)
            return stopped(stop, CAROM_SIM_STOP_OBSERVER);
    }
}

carom_sim_error carom_sim_blame(const carom_sim *sim)
{
    carom_sim_error error = sim->error;
    error.body = error.body < 0 ? error.body : owner_of(sim, error.body);
    error.other = error.other < 0 ? error.other : owner_of(sim, error.other);
    return error;
}

carom_status carom_sim_to_event(carom_sim *sim)
{
    carom_sim_until until = carom_sim_until_default();
    until.events = 1;
    return carom_sim_advance(sim, &until, NULL);
}

carom_status carom_sim_to_time(carom_sim *sim, double time)
{
    carom_sim_until until = carom_sim_until_default();
    until.time = time;
    return carom_sim_advance(sim, &until, NULL);
}

carom_status carom_sim_to_impacts(carom_sim *sim, long long impacts)
{
    carom_sim_until until = carom_sim_until_default();
    until.impacts = impacts;
    return carom_sim_advance(sim, &until, NULL);
}

carom_status carom_sim_to_rest(carom_sim *sim, double time)
{
    carom_sim_until until = carom_sim_until_default();
    until.time = time;
    until.rest = true;
    return carom_sim_advance(sim, &until, NULL);
}

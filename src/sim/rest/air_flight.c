#include "sim/rest/air_flight.h"

#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/motion/sim_linkage.h"
#include "sim/rest/ride.h"

static carom_status blame(carom_sim *sim, carom_status status, int i)
{
    sim->error = (carom_sim_error){status, i, -1, 0};
    return status;
}

carom_status fly(carom_sim *sim, int i, double t)
{
    const mover *m = mover_of(sim, i);
    const frame_of_body *f = frame_of(sim, i);
    ride r;
    double y[STATE];
    island alone = island_alone(i);
    bool flies = m->track && m->t0 == t;
    if (flies || !f->forced || !m->is_movable || m->closed || f->stepped || is_jointed(sim, i))
        return CAROM_STATUS_OK;
    track *k = track_of(sim, i);
    double least = SMALL_SHARE * sim->scene->resting_time; /* forces that need shorter pieces are refused */
    if (!k)
        return CAROM_STATUS_NO_MEMORY;
    motion_end(sim, i, t);
    state_of(sim, i, t, y);
    arena_mark mark = arena_now(sim->arena);
    bool made = ride_make(sim, &alone, &r) && ride_piece(&r, t, y, INFINITY, &k) != RIDE_FAILS && k->h > least;
    arena_back(sim->arena, mark);
    if (!made)
        return blame(sim, sim->arena->failed ? CAROM_STATUS_NO_MEMORY : CAROM_STATUS_STEP_LIMIT, i);
    course c = course_on_track(sim, i, y, k);
    c.turn = r.m[0].steady ? COURSE_KEEPS_TURNING : COURSE_TURNS_ON_TRACK;
    motion_begin(sim, i, t, &c);
    return CAROM_STATUS_OK;
}

carom_status fly_all(carom_sim *sim, double t)
{
    carom_status status = jointed_fly_all(sim, t);
    for (size_t k = 0; sim->forced && k < sim->marked.count && !status; k++)
        status = fly(sim, store_ints(&sim->marked)[k], t);
    return status;
}

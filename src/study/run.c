/* A run sampled at a rate: the one loop of the program and of the packages. */
#include "carom/run.h"

#include <math.h>

static void take_sample(carom_run *run)
{
    if (run->rate > 0 && !run->failed)
        run->failed = !run->sample(run->context);
}

void carom_run_start(carom_run *run)
{
    run->next = run->rate > 0 ? (long long)floor(carom_sim_time(run->sim) * run->rate) + 1 : 0;
    run->status = CAROM_STATUS_OK;
    run->failed = run->over = false;
    take_sample(run);
    run->over = run->failed;
}

/* To the next sample, the end, or for so many instants; true at a sample that is not the end. */
static bool advance(carom_run *run, long long instants)
{
    carom_sim_until until = run->until;
    const double sample = run->rate > 0 ? (double)run->next / run->rate : INFINITY;
    until.time = fmin(run->until.time, sample);
    until.instants = instants;
    const long long before = carom_sim_events(run->sim);
    run->status = carom_sim_advance(run->sim, &until, &run->stop);
    const long long done = carom_sim_events(run->sim) - before; /* an instant may hold more than were asked for */
    if (run->until.events >= 0)
        run->until.events = done < run->until.events ? run->until.events - done : 0;
    return run->status == CAROM_STATUS_OK && run->stop == CAROM_SIM_STOP_TIME && until.time == sample &&
           sample < run->until.time;
}

bool carom_run_on(carom_run *run, long long instants)
{
    while (!run->over) {
        const bool at_sample = advance(run, instants);
        if (at_sample) {
            take_sample(run);
            run->next++;
            run->over = run->failed;
        } else if (run->status == CAROM_STATUS_OK && run->stop == CAROM_SIM_STOP_INSTANTS)
            return true;
        else {
            run->over = true;
            if (run->status == CAROM_STATUS_OK && run->stop != CAROM_SIM_STOP_OBSERVER)
                take_sample(run);
        }
        if (at_sample && instants >= 0)
            return !run->over;
    }
    return false;
}

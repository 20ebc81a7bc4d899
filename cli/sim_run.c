#include "sim_run.h"

#include <stdio.h>

#include "carom/heap.h"
#include "cli.h"
#include "output.h"

const carom_memory sim_memory = {carom_heap_resize, NULL};

bool sim_run_start(sim_run *run, const carom_scene_file *file)
{
    carom_case_error error;
    if (!carom_scene_run_start(run, file, &error))
        return complain_error("sim", &error), false;
    if (carom_scene_warn(file, run->sim, &error))
        tell_warning(NULL, CAROM_WARNING_COUNT, &error);
    return true;
}

static bool watch(void *context, double share)
{
    sim_progress *p = context;
    if (progress_is_due(&p->bar)) {
        char note[96] = "";
        if (p->run)
            snprintf(note, sizeof note, "%.4g s, %.0f impacts, %.4g J", carom_sim_time(p->run->sim),
                     (double)carom_sim_impacts(p->run->sim), carom_sim_energy(p->run->sim).after);
        progress_note(&p->bar, share, note);
    }
    return !output_is_stopped();
}

carom_watcher sim_watcher(sim_progress *p)
{
    p->bar = progress_start(false);
    return (carom_watcher){watch, p};
}

void sim_run_go(sim_run *run)
{
    sim_progress p = {.run = run};
    run->watcher = sim_watcher(&p);
    carom_scene_run_go(run);
    run->watcher = (carom_watcher){NULL, NULL};
    progress_end(&p.bar);
}

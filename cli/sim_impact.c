#include "sim_impact.h"

#include "cli.h"
#include "sim_run.h"

int sim_impact_print(carom_scene_file *file, long long number, FILE *out)
{
    carom_run_impact w = {number, 0, NULL};
    sim_run run = {.rate = 0};
    int status = BAD_INPUT;
    if (file->until.impacts < 0 || file->until.impacts > number)
        file->until.impacts = number;
    if (sim_run_start(&run, file)) {
        carom_scene_run_want(&run, &w);
        sim_run_go(&run);
        if (w.tree) {
            json_print(out, w.tree, false);
            status = FINE;
        } else
            complain("--impact: the run has %lld impacts", w.seen);
    }
    json_decref(w.tree);
    carom_scene_run_free(&run);
    return status;
}

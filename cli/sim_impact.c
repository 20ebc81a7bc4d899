#include "sim_impact.h"

#include "cli.h"
#include "sim_run.h"

typedef struct wanted {
    long long number, seen;
    json_t *tree;
} wanted;

/* A linkage keeps its coordinates, which are known before the impact. */
static bool keep_linkage(void *context, const sim_run *run, const carom_sim_event *event)
{
    wanted *w = context;
    if (w->seen + 1 == w->number)
        w->tree = carom_event_linkage(run->file, run->sim, event);
    return true;
}

static bool keep_wanted(void *context, const sim_run *run, const carom_sim_event *event)
{
    wanted *w = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && ++w->seen == w->number && !w->tree)
        w->tree = carom_event_case(run->file, event);
    return true;
}

int sim_impact_print(carom_scene_file *file, long long number, FILE *out)
{
    wanted w = {number, 0, NULL};
    sim_run run = {.rate = 0};
    sim_sink sink = {.before = keep_linkage, .event = keep_wanted, .context = &w};
    int status = BAD_INPUT;
    if (file->until.impacts < 0 || file->until.impacts > number)
        file->until.impacts = number;
    if (sim_run_start(&run, file)) {
        carom_scene_run_add(&run, &sink);
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

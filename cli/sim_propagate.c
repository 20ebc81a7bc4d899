/* carom propagate: how far outcomes spread, to first order. */
#include "sim_propagate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/propagate.h"
#include "sim_report.h"
#include "table.h"

static void print_outcomes(const carom_propagation *p)
{
    static const char *const heads[] = {"outcome", "mean", "deviation", "drawn mean", "drawn deviation"};
    table t = table_start("lrrrr", heads);
    for (int i = 0; i < p->outcomes; i++) {
        double x[] = {p->g.of.list[i].value, carom_propagation_deviation(p, i), p->drawn_mean[i],
                      carom_propagation_drawn(p, i)};
        char text[4][CAROM_NUMBER_SIZE];
        const char *cells[5] = {p->g.of.list[i].name};
        for (int k = 0; k < 4; k++) {
            snprintf(text[k], sizeof text[k], "%.6g", x[k] + 0.0);
            cells[k + 1] = isfinite(x[k]) ? text[k] : "";
        }
        table_add(&t, ROW_PLAIN, cells);
    }
    table_end(&t);
}

static void print_shares(const carom_propagation *p)
{
    static const char *const heads[] = {"variance of", "from", "mean", "deviation", "share"};
    table t = table_start("llrrr", heads);
    for (int i = 0; i < p->outcomes; i++)
        for (int k = 0; k < p->inputs; k++) {
            char mean[CAROM_NUMBER_SIZE], deviation[CAROM_NUMBER_SIZE], share[CAROM_NUMBER_SIZE];
            snprintf(mean, sizeof mean, "%.6g", p->mean[k] + 0.0);
            snprintf(deviation, sizeof deviation, "%.6g", p->deviation[k]);
            snprintf(share, sizeof share, "%.1f %%", 100 * carom_propagation_share(p, i, k));
            table_add(
                &t, ROW_PLAIN,
                (const char *[]){k ? "" : p->g.of.list[i].name, p->task->v->list[k].name, mean, deviation, share});
        }
    printf("\n");
    table_end(&t);
}

static void print_all(const carom_propagation *p, bool json)
{
    if (json) {
        json_t *summary = carom_scene_run_json(&p->g.run, true);
        json_object_set_new(summary, "propagation", carom_propagation_json(p));
        json_print(stdout, summary, false);
        json_decref(summary);
    } else {
        sim_report_head(&p->g.run);
        print_outcomes(p);
        print_shares(p);
    }
    for (int i = 0; i < p->warnings; i++)
        fprintf(stderr, "warning: propagate: %s\n", p->warning[i]);
}

int propagate_print(const carom_propagation_task *task, const carom_scene_file *file, bool json)
{
    carom_propagation *p = must_have(calloc(1, sizeof *p));
    carom_case_error error;
    sim_progress shown = {.run = NULL};
    carom_propagation_task watched = *task;
    watched.watcher = sim_watcher(&shown);
    bool fine = carom_propagate(p, file, &watched, &error);
    progress_end(&shown.bar);
    if (fine)
        print_all(p, json);
    else
        complain_error("propagate", &error);
    carom_propagation_free(p);
    free(p);
    return fine ? FINE : BAD_INPUT;
}

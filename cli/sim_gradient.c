#include "sim_gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "sim_report.h"
#include "table.h"

enum { SHOWN_COLUMNS = 4 };

/* ---- printing ---- */

/* A table of a few outputs, one row per input. */
static void print_columns(const carom_scene_gradient *g, int first, int count)
{
    const char *heads[SHOWN_COLUMNS + 1] = {"by"};
    static const char *const align[SHOWN_COLUMNS + 1] = {"l", "lr", "lrr", "lrrr", "lrrrr"};
    table t = table_start(align[count], heads);
    for (int c = 0; c < count; c++)
        heads[c + 1] = g->of.list[first + c].name;
    for (int k = 0; k < g->by.count; k++) {
        char text[SHOWN_COLUMNS][CAROM_NUMBER_SIZE];
        const char *cells[SHOWN_COLUMNS + 1] = {g->by.list[k].name};
        for (int c = 0; c < count; c++) {
            snprintf(text[c], sizeof text[c], "%.13g",
                     g->matrix[(size_t)(first + c) * (size_t)g->by.count + (size_t)k] + 0.0);
            cells[c + 1] = text[c];
        }
        table_add(&t, ROW_PLAIN, cells);
    }
    table_end(&t);
}

static int columns_that_fit(const carom_scene_gradient *g, int first)
{
    size_t width = 0;
    for (int k = 0; k < g->by.count; k++)
        width = strlen(g->by.list[k].name) > width ? strlen(g->by.list[k].name) : width;
    int count = 0;
    while (count < SHOWN_COLUMNS && first + count < g->of.count) {
        size_t name = strlen(g->of.list[first + count].name);
        width += 2 + (name > 20 ? name : 20);
        if (count > 0 && width > TABLE_WIDTH)
            break;
        count++;
    }
    return count;
}

static void print_text(const carom_scene_gradient *g)
{
    const carom_gradient_about about = carom_gradient_describe(g->gradient);
    sim_report_head(&g->run);
    for (int i = 0; i < g->of.count; i++)
        if (isfinite(g->of.list[i].value)) {
            printf("  ");
            text_put(g->of.list[i].name);
            printf(" = %.13g\n", g->of.list[i].value + 0.0);
        }
    for (int first = 0, count; first < g->of.count; first += count) {
        count = columns_that_fit(g, first);
        printf("\n");
        print_columns(g, first, count);
    }
    if (about.kinks)
        printf("\nimpacts on a border of their law: %lld; derivatives belong to the branches taken\n", about.kinks);
    else if (isfinite(about.distance))
        printf("\nnearest border of a law: %s, %.3g away, at t = %.6g s\n", about.border, about.distance,
               about.distance_time);
    if (about.grazing)
        printf("impacts that nearly graze: %lld; their share of the gradient grows like 1/u_n\n", about.grazing);
}

int gradient_print(const carom_scene_file *file, const carom_gradient_task *task, bool json)
{
    carom_scene_gradient g;
    carom_case_error error;
    carom_gradient_task watched = *task;
    sim_progress p = {.run = &g.run};
    watched.watcher = sim_watcher(&p);
    bool fine = carom_scene_gradient_go(&g, file, &watched, &error);
    progress_end(&p.bar);
    if (!fine)
        complain_error("gradient", &error);
    else if (json) {
        json_t *summary = carom_scene_run_json(&g.run, true);
        json_object_set_new(summary, "gradient", carom_scene_gradient_json(&g));
        json_print(stdout, summary, false);
        json_decref(summary);
    } else
        print_text(&g);
    carom_scene_gradient_free(&g);
    return fine ? FINE : BAD_INPUT;
}

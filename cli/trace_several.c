#include "trace_several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/plot.h"
#include "json.h"
#include "output.h"

enum { CURVES_MOST = 12, WORD = 24 };

/* Points of the path: time, then per contact its impulse, velocity and compression. */
typedef struct path_points {
    int count, room, width, m, dim;
    double *numbers;
    char (*events)[WORD]; /* of each point, or "" */
    bool lost;
} path_points;

static void keep(path_points *p, const carom_together_state *at, const char *event)
{
    if (p->count == p->room) {
        int room = 2 * p->room + 256;
        double *numbers = realloc(p->numbers, (size_t)room * (size_t)p->width * sizeof *numbers);
        p->numbers = numbers ? numbers : p->numbers;
        char(*events)[WORD] = realloc(p->events, (size_t)room * sizeof *events);
        p->events = events ? events : p->events;
        p->lost |= !numbers || !events;
        if (p->lost)
            return;
        p->room = room;
    }
    double *row = p->numbers + (ptrdiff_t)p->count * p->width;
    *row++ = at->time;
    for (int i = 0; i < p->m; i++) {
        for (int a = 0; a < p->dim; a++)
            *row++ = at->p[i * p->dim + a];
        for (int a = 0; a < p->dim; a++)
            *row++ = at->u[i * p->dim + a];
        *row++ = at->compression[i];
    }
    snprintf(p->events[p->count++], WORD, "%s", event);
}

static void keep_step(void *context, const carom_together_state *at)
{
    keep(context, at, "");
}

static void keep_event(void *context, const carom_together_event *event)
{
    char word[WORD];
    snprintf(word, sizeof word, "%s%d", carom_together_event_word(event->kind), event->contact + 1);
    keep(context, &event->at, word);
}

/* Solve and keep the path; an exit status. */
static int take(carom_case *c, path_points *points)
{
    const carom_several *s = c->several;
    carom_case_error error;
    points->m = s->problem.count;
    points->dim = s->problem.dim;
    points->width = 1 + points->m * (2 * points->dim + 1);
    size_t n = (size_t)(points->m * points->dim);
    double *arrays = must_have(malloc(2 * n * sizeof *arrays));
    void *work = must_have(malloc(carom_together_work(&s->problem, &s->rule)));
    carom_together_outcome out = {.p = arrays, .u_after = arrays + n};
    carom_together_tracer tracer = {keep_event, keep_step, NULL, points};
    carom_status status = carom_together_solve(&s->problem, &s->rule, &tracer, work, &out);
    free(arrays);
    free(work);
    if (points->lost)
        return complain("trace: out of memory");
    if (carom_status_is_refusal(status)) {
        carom_case_refuse(c, status, &error);
        fprintf(stderr, "%s\n", error.message);
        return BAD_INPUT;
    }
    return carom_status_is_answer(status) ? FINE : FAILED;
}

static void free_points(path_points *points)
{
    free(points->numbers);
    free(points->events);
}

/* ---- trace ---- */

static void write_csv(FILE *out, const path_points *p)
{
    fputs("time,", out);
    for (int i = 1; i <= p->m; i++)
        if (p->dim == 3)
            fprintf(out, "p_t1_%d,p_t2_%d,p_n_%d,u_t1_%d,u_t2_%d,u_n_%d,compression_%d,", i, i, i, i, i, i, i);
        else
            fprintf(out, "p_t_%d,p_n_%d,u_t_%d,u_n_%d,compression_%d,", i, i, i, i, i);
    fputs("event\n", out);
    for (int k = 0; k < p->count; k++) {
        for (int i = 0; i < p->width; i++) {
            char text[CAROM_NUMBER_SIZE];
            carom_number_print(text, p->numbers[k * p->width + i] + 0.0);
            fprintf(out, "%s,", text);
        }
        fprintf(out, "%s\n", p->events[k]);
    }
}

static json_t *numbers_json(int count, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(x[i] + 0.0));
    return array;
}

static void write_json(FILE *out, const carom_case *c, const path_points *p)
{
    json_t *all = json_object(), *points = json_array();
    if (c->name)
        json_object_set_new(all, "name", json_string(c->name));
    json_object_set_new(all, "law", json_string(carom_case_law(c)));
    for (int k = 0; k < p->count; k++) {
        const double *row = p->numbers + (ptrdiff_t)k * p->width + 1;
        json_t *point = json_object(), *impulse = json_array(), *u = json_array(), *compression = json_array();
        json_object_set_new(point, "time", json_real(row[-1]));
        for (int i = 0; i < p->m; i++, row += 2 * p->dim + 1) {
            json_array_append_new(impulse, numbers_json(p->dim, row));
            json_array_append_new(u, numbers_json(p->dim, row + p->dim));
            json_array_append_new(compression, json_real(row[2 * p->dim]));
        }
        json_object_set_new(point, "p", impulse);
        json_object_set_new(point, "u", u);
        json_object_set_new(point, "compression", compression);
        if (p->events[k][0])
            json_object_set_new(point, "event", json_string(p->events[k]));
        json_array_append_new(points, point);
    }
    json_object_set_new(all, "points", points);
    json_print(out, all, false);
    json_decref(all);
}

int trace_several(carom_case *c, bool json, const char *output)
{
    path_points points = {0};
    int status = take(c, &points);
    output_file f = {0};
    if (status != BAD_INPUT && output)
        f = output_open(output);
    FILE *out = output ? f.file : stdout;
    if (status != BAD_INPUT && !out)
        status = BAD_INPUT;
    if (status != BAD_INPUT && json)
        write_json(out, c, &points);
    else if (status != BAD_INPUT)
        write_csv(out, &points);
    if (status != BAD_INPUT && output && !output_close(&f, true))
        status = BAD_INPUT;
    free_points(&points);
    return status;
}

/* ---- plot ---- */

/* Column i of the points, at stride, as one array each; x first. */
static void fill_columns(const path_points *p, double *columns)
{
    for (int k = 0; k < p->count; k++)
        for (int i = 0; i < p->width; i++)
            columns[i * p->count + k] = p->numbers[k * p->width + i];
}

static carom_picture *draw(const carom_case *c, const path_points *p, double *columns)
{
    static char labels[CURVES_MOST][WORD];
    carom_curve force[CURVES_MOST], speed[CURVES_MOST], depth[CURVES_MOST];
    int count = p->m < CURVES_MOST ? p->m : CURVES_MOST, block = 2 * p->dim + 1;
    for (int i = 0; i < count; i++) {
        snprintf(labels[i], WORD, "contact %d", i + 1);
        const double *first = columns + (ptrdiff_t)(1 + i * block) * p->count;
        force[i] = (carom_curve){labels[i], columns, first + (ptrdiff_t)(p->dim - 1) * p->count, p->count, false, 0};
        speed[i] =
            (carom_curve){labels[i], columns, first + (ptrdiff_t)(2 * p->dim - 1) * p->count, p->count, false, 0};
        depth[i] = (carom_curve){labels[i], columns, first + (ptrdiff_t)(2 * p->dim) * p->count, p->count, false, 0};
    }
    carom_chart chart = {.title = c->name ? c->name : "Inside the impact",
                         .subtitle = carom_case_law(c),
                         .x_label = "fictitious time",
                         .panels = {{"normal impulse  *p*_n  (N s)", force, count},
                                    {"normal velocity  *u*_n  (m/s)", speed, count},
                                    {"compression  (scaled)", depth, count}},
                         .count = 3};
    return carom_chart_draw(&chart);
}

int plot_several(carom_case *c, const char *output)
{
    path_points points = {0};
    char why[512] = "out of memory";
    int status = take(c, &points);
    if (status == BAD_INPUT) {
        free_points(&points);
        return status;
    }
    double *columns = must_have(malloc((size_t)points.count * (size_t)points.width * sizeof *columns));
    fill_columns(&points, columns);
    carom_picture *picture = draw(c, &points, columns);
    output_hold_signals(); /* while writing */
    bool fine = picture && carom_picture_write(picture, output, why, sizeof why);
    carom_picture_free(picture);
    free(columns);
    free_points(&points);
    return fine ? status : complain("%s", why);
}

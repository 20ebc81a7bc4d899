#include "plot_path_together.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/plot.h"
#include "carom/trace.h"
#include "output.h"

enum { CURVES_MOST = 12, LABEL = 24 };

/* Numbers of the points, one array after the other; the first is time. */
static double *columns_of(const carom_trace *t)
{
    double *columns = must_have(malloc((size_t)t->count * (size_t)t->width * sizeof *columns + 1));
    for (int k = 0; k < t->count; k++)
        for (int i = 0; i < t->width; i++)
            columns[(size_t)i * (size_t)t->count + (size_t)k] = t->numbers[(size_t)k * (size_t)t->width + (size_t)i];
    return columns;
}

/* The curve of a field at a contact; the last number of it. */
static carom_curve curve_of(const carom_trace *t, const double *columns, int field, int contact)
{
    const carom_trace_field *f = &t->fields[field];
    const size_t column = (size_t)(f->at + (contact + 1) * f->size - 1);
    return (carom_curve){NULL, columns, columns + column * (size_t)t->count, t->count, false, 0};
}

/* A curve of a field at every contact. */
static carom_chart_panel panel_of(const char *label, const carom_trace *t, const double *columns, int field,
                                  carom_curve *curves)
{
    static char names[CURVES_MOST][LABEL];
    const int count = t->contacts < CURVES_MOST ? t->contacts : CURVES_MOST;
    for (int i = 0; i < count; i++) {
        snprintf(names[i], LABEL, "contact %d", i + 1);
        curves[i] = curve_of(t, columns, field, i);
        curves[i].label = names[i];
    }
    return (carom_chart_panel){label, curves, count};
}

enum { TIME, P, U, COMPRESSION, SPRING, MODE };

/* Compressions become forces, and the springs of a contact one length, in place. */
static void form_forces(const carom_case *c, const carom_trace *t, double *columns)
{
    const size_t count = (size_t)t->count;
    for (int i = 0; i < t->contacts; i++)
        for (size_t k = 0; k < count; k++) {
            columns[(size_t)(t->fields[COMPRESSION].at + i) * count + k] *= c->coeffs[i].stiffness;
            if (t->field_count <= SPRING || t->dim == 2)
                continue;
            double *spring = columns + (size_t)(t->fields[SPRING].at + 2 * i) * count + k;
            spring[count] = hypot(spring[0], spring[count]); /* the last number is drawn */
        }
}

static carom_picture *draw(const carom_case *c, const carom_trace *t, double *columns, bool forces)
{
    carom_curve curves[CAROM_CHART_PANELS][CURVES_MOST];
    carom_chart chart = {.title = c->name ? c->name : "Inside the impact",
                         .subtitle = carom_case_law(c),
                         .x_label = "fictitious time",
                         .count = 3};
    if (forces) {
        form_forces(c, t, columns);
        chart.count = t->field_count > SPRING ? 3 : 1;
        chart.panels[0] = panel_of("normal force  (scaled)", t, columns, COMPRESSION, curves[0]);
        if (chart.count == 3) {
            chart.panels[1] = panel_of("tangential spring  (scaled)", t, columns, SPRING, curves[1]);
            chart.panels[2] = panel_of("0 open, 1 free, 2 sticks, 3 slips", t, columns, MODE, curves[2]);
        }
        return carom_chart_draw(&chart);
    }
    chart.panels[0] = panel_of("normal impulse  *p*_n  (N s)", t, columns, P, curves[0]);
    chart.panels[1] = panel_of("normal velocity  *u*_n  (m/s)", t, columns, U, curves[1]);
    chart.panels[2] = panel_of("compression  (scaled)", t, columns, COMPRESSION, curves[2]);
    return carom_chart_draw(&chart);
}

int plot_path_together(carom_case *c, bool forces, const char *output)
{
    carom_trace t = {0};
    carom_case_error error;
    char why[512] = "out of memory";
    if (!carom_trace_take(&t, c, &error)) {
        fprintf(stderr, "%s\n", error.message);
        carom_trace_free(&t);
        return BAD_INPUT;
    }
    double *columns = columns_of(&t);
    carom_picture *picture = draw(c, &t, columns, forces);
    output_hold_signals(); /* while writing */
    bool fine = picture && carom_picture_write(picture, output, why, sizeof why);
    int status = carom_status_is_answer(t.status) ? FINE : FAILED;
    carom_picture_free(picture);
    free(columns);
    carom_trace_free(&t);
    return fine ? status : complain("%s", why);
}

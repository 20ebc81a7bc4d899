#include "plot_path_several.h"

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

static carom_picture *draw(const carom_case *c, const carom_trace *t, const double *columns)
{
    enum { TIME, P, U, COMPRESSION, PANELS = 3 };
    char labels[CURVES_MOST][LABEL];
    carom_curve curves[PANELS][CURVES_MOST];
    const int count = t->contacts < CURVES_MOST ? t->contacts : CURVES_MOST;
    for (int i = 0; i < count; i++) {
        snprintf(labels[i], LABEL, "contact %d", i + 1);
        for (int k = 0; k < PANELS; k++) {
            curves[k][i] = curve_of(t, columns, P + k, i);
            curves[k][i].label = labels[i];
        }
    }
    carom_chart chart = {.title = c->name ? c->name : "Inside the impact",
                         .subtitle = carom_case_law(c),
                         .x_label = "fictitious time",
                         .panels = {{"normal impulse  *p*_n  (N s)", curves[0], count},
                                    {"normal velocity  *u*_n  (m/s)", curves[1], count},
                                    {"compression  (scaled)", curves[2], count}},
                         .count = 3};
    return carom_chart_draw(&chart);
}

int plot_path_several(carom_case *c, const char *output)
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
    carom_picture *picture = draw(c, &t, columns);
    output_hold_signals(); /* while writing */
    bool fine = picture && carom_picture_write(picture, output, why, sizeof why);
    int status = carom_status_is_answer(t.status) ? FINE : FAILED;
    carom_picture_free(picture);
    free(columns);
    carom_trace_free(&t);
    return fine ? status : complain("%s", why);
}

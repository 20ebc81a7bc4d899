#include "fit_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/fit_plan.h"
#include "fit_input.h"
#include "output.h"

enum { LAWS_MOST = 6, DENSE = 241, PROFILE = 81, TEXT = 400, SLOTS = 3 };

#define DEGREES   57.29577951308232
#define SAME_K    1e-9 /* relative */
#define SAME_RATE 0.02 /* spread of speeds, relative */
#define QUANTILE  3.841458820694124
#define MARGIN    2   /* degrees beyond the data */
#define REACH     3.2 /* of a profile, in standard deviations */

typedef struct figure {
    const fit_figure *request;
    carom_fit_data data;
    fit_file file;
    int count;
    carom_fit_answers made[LAWS_MOST];
    const carom_fit_answer *answers[LAWS_MOST];
    int *order;   /* impacts by x */
    bool uniform; /* one K, one speed, u_after measured: laws are curves of the angle */
    bool orderly; /* one K, one speed: impacts differ by the angle alone */
    const char *labels[2];
    double *memory; /* of all curves */
    size_t used;
    carom_curve curves[SLOTS][LAWS_MOST + 4];
    char texts[LAWS_MOST][TEXT / 4];
} figure;

/* ---- fits ---- */

static bool fit_laws(figure *f)
{
    carom_fit_plan plan = carom_fit_plan_default();
    carom_case_error error;
    const carom_plot *plot = f->request->plot;
    plan.settings = *f->request->settings;
    plan.intervals = false;
    plan.folds = 0;
    for (; f->count < plot->law_count && f->count < LAWS_MOST; f->count++) {
        plan.law = plot->laws[f->count];
        if (!carom_fit_run(&plan, &f->data, NULL, &f->made[f->count], &error)) {
            complain_error(strcmp(error.key, "data") == 0 ? (error.key[0] = 0, f->request->data) : "fit", &error);
            return false;
        }
        f->answers[f->count] = &f->made[f->count].list[0];
    }
    return true;
}

/* ---- data ---- */

static double x_of(const figure *f, int i)
{
    return f->request->speed ? f->data.rows[i].speed : f->data.rows[i].angle * DEGREES;
}

static void sort_impacts(figure *f)
{
    for (int i = 0; i < f->data.count; i++) {
        int k = i;
        for (; k > 0 && x_of(f, f->order[k - 1]) > x_of(f, i); k--)
            f->order[k] = f->order[k - 1];
        f->order[k] = i;
    }
}

static bool is_orderly(const figure *f)
{
    const carom_problem *first = &f->data.impacts[0].problem;
    double low = INFINITY, high = 0;
    for (int i = 0; i < f->data.count; i++) {
        const carom_problem *p = &f->data.impacts[i].problem;
        const double *a = &p->K.t11, *b = &first->K.t11;
        for (int k = 0; k < 6; k++)
            if (fabs(a[k] - b[k]) > SAME_K * first->K.nn)
                return false;
        low = fmin(low, f->data.rows[i].speed);
        high = fmax(high, f->data.rows[i].speed);
        if (p->u.t2 != 0 || p->u.t1 < 0)
            return false;
    }
    return !f->request->speed && high - low <= SAME_RATE * high;
}

static bool knows_velocities(const figure *f)
{
    for (int i = 0; i < f->data.count; i++)
        if (!f->data.rows[i].u_known)
            return false;
    return true;
}

/* The first two numbers that were measured. */
static void choose_labels(figure *f)
{
    for (int i = 0; i < f->data.count; i++)
        for (int k = 0; k < f->data.rows[i].count; k++) {
            const char *label = f->data.rows[i].label[k];
            if (!f->labels[0])
                f->labels[0] = label;
            else if (!f->labels[1] && strcmp(label, f->labels[0]) != 0)
                f->labels[1] = label;
        }
    if (f->labels[0] && f->labels[1] && strcmp(f->labels[0], "u_n") == 0) {
        const char *other = f->labels[0];
        f->labels[0] = f->labels[1];
        f->labels[1] = other;
    }
}

static double *room(figure *f, int count)
{
    double *block = f->memory + f->used;
    f->used += (size_t)count;
    return block;
}

static int place_of(const carom_fit_row *row, const char *label)
{
    for (int k = 0; k < row->count; k++)
        if (strcmp(row->label[k], label) == 0)
            return k;
    return -1;
}

/* ---- curves ---- */

static carom_curve measured_curve(figure *f, const char *label)
{
    carom_curve c = {.label = "measured", .dots = true, .style = f->count + 1};
    double *x = room(f, f->data.count), *y = room(f, f->data.count);
    for (int n = 0; n < f->data.count; n++) {
        const carom_fit_row *row = &f->data.rows[f->order[n]];
        int k = place_of(row, label);
        if (k < 0)
            continue;
        x[c.count] = x_of(f, f->order[n]);
        y[c.count++] = row->measured[k];
    }
    c.x = x;
    c.y = y;
    return c;
}

/* What a number of impact i is drawn over: the speed, the angle, or where neither orders the impacts its measured
 * value. */
static double place_over(const figure *f, int i, int k)
{
    return f->request->speed || f->orderly ? x_of(f, i) : f->data.rows[i].measured[k];
}

/* Predictions at the impacts: dots, or a line where these differ by the angle alone. */
static carom_curve predicted_curve(figure *f, const carom_fit_answer *a, const char *label)
{
    carom_curve c = {.label = a->task.rule.law->id, .dots = !f->orderly};
    double *x = room(f, f->data.count), *y = room(f, f->data.count);
    for (int n = 0; n < f->data.count; n++) {
        carom_fit_case d;
        int i = f->order[n], k = place_of(&f->data.rows[i], label);
        if (k < 0 || carom_fit_diagnose(&a->task, &a->result, i, &d) != CAROM_STATUS_OK)
            continue;
        const double *A = f->data.rows[i].A + 3 * k;
        x[c.count] = place_over(f, i, k);
        y[c.count++] = f->data.rows[i].before[k] + A[0] * d.p.t1 + A[1] * d.p.t2 + A[2] * d.p.n;
    }
    c.x = x;
    c.y = y;
    return c;
}

/* Where predictions and measurements are the same. */
static carom_curve diagonal(figure *f, const char *label)
{
    carom_curve c = {.label = "predicted = measured", .count = 2, .style = f->count + 1};
    double *x = room(f, 2), low = INFINITY, high = -INFINITY;
    for (int i = 0; i < f->data.count; i++) {
        int k = place_of(&f->data.rows[i], label);
        low = k < 0 ? low : fmin(low, f->data.rows[i].measured[k]);
        high = k < 0 ? high : fmax(high, f->data.rows[i].measured[k]);
    }
    x[0] = low, x[1] = high;
    c.x = c.y = x;
    return c;
}

/* The same as a curve of the angle, where all impacts have one K and one speed. */
static carom_curve dense_curve(figure *f, const carom_fit_answer *a, const char *label)
{
    carom_curve c = {.label = a->task.rule.law->id, .count = DENSE};
    double *x = room(f, DENSE), *y = room(f, DENSE), speed = 0;
    double from = fmax(x_of(f, f->order[0]) - MARGIN, 0), to = fmin(x_of(f, f->order[f->data.count - 1]) + MARGIN, 90);
    carom_rule rule = a->task.rule;
    for (int j = 0; j < a->result.shared_count; j++)
        if (a->result.parameters[j].coeff < CAROM_COEFF_COUNT)
            carom_coeffs_set(&rule.coeffs, (carom_coeff)a->result.parameters[j].coeff, a->result.parameters[j].value);
    for (int i = 0; i < f->data.count; i++)
        speed += f->data.rows[i].speed / f->data.count;
    for (int n = 0; n < DENSE; n++) {
        carom_problem p = f->data.impacts[0].problem;
        carom_outcome out;
        double angle = from + (to - from) * n / (DENSE - 1);
        p.u = carom_cvec_make(speed * sin(angle / DEGREES), 0, -speed * cos(angle / DEGREES));
        bool fine = !carom_status_is_refusal(carom_solve(&p, &rule, NULL, &out));
        x[n] = angle;
        y[n] = !fine ? NAN : strcmp(label, "u_n") == 0 ? out.u_after.n : out.u_after.t1;
    }
    c.x = x;
    c.y = y;
    return c;
}

/* Standardised residuals of a law, as dots. */
static carom_curve residual_curve(figure *f, const carom_fit_answer *a, const char *label, char *text)
{
    carom_curve c = {.label = text, .dots = true};
    double *x = room(f, f->data.count), *y = room(f, f->data.count);
    snprintf(text, TEXT / 4, "residual of %s", label);
    for (int n = 0; n < f->data.count; n++) {
        carom_fit_case d;
        int i = f->order[n], k = place_of(&f->data.rows[i], label);
        if (k < 0 || carom_fit_diagnose(&a->task, &a->result, i, &d) != CAROM_STATUS_OK)
            continue;
        x[c.count] = place_over(f, i, k);
        y[c.count++] = d.standard[k];
    }
    c.x = x;
    c.y = y;
    return c;
}

/* ---- the picture ---- */

/* "bilinear: e 0.970, e_t 0.433" */
static void describe(const carom_fit_answer *a, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s:", a->task.rule.law->id);
    for (int j = 0; j < a->result.shared_count && used < size; j++) {
        const carom_fit_estimate *p = &a->result.parameters[j];
        if (carom_fit_is_determined(p))
            used += (size_t)snprintf(text + used, size - used, "%s %s %.3g", j ? "," : "", carom_fit_name(p->coeff),
                                     p->value);
    }
    if (used < size)
        snprintf(text + used, size - used, "; chi2 %.1f", a->result.chi2);
}

/* "u_t" becomes "*u*_t^+" for the axis. */
static void axis_label(const char *label, char *text)
{
    if (strncmp(label, "u_", 2) == 0)
        snprintf(text, TEXT / 4, "*u*_{%s} after (m/s)", label + 2);
    else
        snprintf(text, TEXT / 4, "%s after", label);
}

static carom_picture *draw_fit(figure *f)
{
    carom_chart chart = {.title = f->request->plot->title ? f->request->plot->title : f->request->data};
    char subtitle[TEXT], axes[2][TEXT / 4], residuals[TEXT / 4];
    describe(f->answers[0], subtitle, sizeof subtitle);
    chart.subtitle = subtitle;
    chart.x_label = f->request->speed ? "speed (m/s)"
                    : f->orderly      ? "angle of incidence from the normal (degrees)"
                                      : "measured";
    for (int s = 0; s < 2 && f->labels[s]; s++) {
        carom_curve *curves = f->curves[s];
        int count = 0;
        for (int i = 0; i < f->count; i++)
            curves[count++] = f->uniform ? dense_curve(f, f->answers[i], f->labels[s])
                                         : predicted_curve(f, f->answers[i], f->labels[s]);
        curves[count++] = f->orderly || f->request->speed ? measured_curve(f, f->labels[s]) : diagonal(f, f->labels[s]);
        axis_label(f->labels[s], axes[s]);
        chart.panels[chart.count++] = (carom_chart_panel){axes[s], curves, count};
    }
    int count = 0;
    for (int s = 0; s < 2 && f->labels[s]; s++)
        f->curves[2][count++] = residual_curve(f, f->answers[0], f->labels[s], f->texts[s]);
    snprintf(residuals, sizeof residuals, "residuals of %s", f->answers[0]->task.rule.law->id);
    chart.panels[chart.count++] = (carom_chart_panel){residuals, f->curves[2], count};
    return carom_chart_draw(&chart);
}

/* chi2 above its minimum against one coefficient, the others refitted. */
static carom_curve profile_curve(figure *f, const carom_fit_answer *a, int j)
{
    carom_curve c = {.label = a->task.rule.law->id};
    const carom_fit_estimate *p = &a->result.parameters[j];
    const carom_fit_free *free_ = &a->task.free[0];
    for (int i = 0; i < a->task.free_count; i++)
        free_ = a->task.free[i].coeff == p->coeff ? &a->task.free[i] : free_;
    double width = isfinite(p->std) ? REACH * p->std : (free_->max - free_->min) / 4;
    double low = fmax(p->value - width, free_->min), high = fmin(p->value + width, free_->max);
    double *x = room(f, PROFILE), *y = room(f, PROFILE);
    void *memory = must_have(malloc(carom_fit_memory(&a->task)));
    for (int n = 0; n < PROFILE; n++) {
        double value = low + (high - low) * n / (PROFILE - 1), objective;
        if (carom_fit_profile(&a->task, &a->result, j, value, memory, &objective) != CAROM_STATUS_OK)
            continue;
        x[c.count] = value;
        y[c.count++] = objective - a->result.objective;
    }
    free(memory);
    c.x = x;
    c.y = y;
    return c;
}

static carom_picture *draw_profile(figure *f)
{
    const carom_plot *plot = f->request->plot;
    const char *name = plot->shown_count > 0 ? plot->shown[0] : "mu";
    carom_chart chart = {.title = plot->title ? plot->title : f->request->data, .x_label = name};
    char subtitle[TEXT];
    carom_curve *curves = f->curves[0];
    int count = 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < f->count; i++)
        for (int j = 0; j < f->answers[i]->result.shared_count; j++)
            if (strcmp(carom_fit_name(f->answers[i]->result.parameters[j].coeff), name) == 0) {
                curves[count] = profile_curve(f, f->answers[i], j);
                low = fmin(low, curves[count].x[0]);
                high = fmax(high, curves[count].x[curves[count].count - 1]);
                count++;
            }
    if (count == 0)
        return NULL;
    double *x = room(f, 2), *y = room(f, 2);
    x[0] = low, x[1] = high, y[0] = y[1] = QUANTILE;
    curves[count++] = (carom_curve){.label = "95 %: 3.84", .x = x, .y = y, .count = 2};
    describe(f->answers[0], subtitle, sizeof subtitle);
    chart.subtitle = subtitle;
    chart.panels[chart.count++] = (carom_chart_panel){"chi2 above its minimum, others refitted", curves, count};
    return carom_chart_draw(&chart);
}

static int draw(figure *f)
{
    char why[512] = "";
    size_t points = (size_t)f->data.count * 2 * (LAWS_MOST + 4) * SLOTS + (size_t)DENSE * 4 * (LAWS_MOST + 1);
    f->memory = must_have(calloc(points, sizeof *f->memory));
    f->order = must_have(calloc((size_t)f->data.count, sizeof *f->order));
    sort_impacts(f);
    choose_labels(f);
    f->orderly = is_orderly(f);
    f->uniform = f->orderly && knows_velocities(f);
    carom_picture *picture = f->request->profile ? draw_profile(f) : draw_fit(f);
    if (!picture)
        return complain("plot profile: --show must name a free coefficient of the law");
    bool fine = carom_picture_write(picture, f->request->output, why, sizeof why);
    carom_picture_free(picture);
    return fine ? FINE : complain("%s", why);
}

int fit_figure_draw(const fit_figure *request)
{
    figure *f = must_have(calloc(1, sizeof *f));
    int status = BAD_INPUT;
    f->request = request;
    output_hold_signals();
    if (request->plot->law_count == 0)
        complain("plot: give the laws to fit: --law ID[,ID...]");
    else if (fit_input_read(request->data, &f->file, &f->data) && fit_laws(f))
        status = draw(f);
    for (int i = 0; i < LAWS_MOST; i++)
        carom_fit_answers_free(&f->made[i]);
    carom_fit_data_free(&f->data);
    free(f->memory);
    free(f->order);
    free(f);
    return status;
}

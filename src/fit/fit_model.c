/* The model of a fit: parameters to coefficients, impulses, residuals and their derivatives. */
#include <math.h>

#include "carom/derivative.h"
#include "carom/elementary.h"
#include "carom/solve.h"
#include "core/num.h"
#include "fit/fit_core.h"

/* Central differences: the step is this part of the size of a parameter. The error of the slope is about its square,
 * and rounding over it, both near 1e-10 of the slope. */
#define STEP_PART 1e-5

#define SIZE_LEAST 1e-2 /* of a parameter, for its step */

/* ---- parameters ---- */

const carom_fit_free *fit_free(const fit_work *w, int at)
{
    int position = at < w->shared ? w->of_shared[at] : w->of_local[(at - w->shared) % w->local];
    return &w->task->free[position];
}

/* Where a coefficient is in x for a unit, or -1. */
static int place_of(const fit_work *w, int unit, int coeff)
{
    for (int j = 0; j < w->shared; j++)
        if (w->task->free[w->of_shared[j]].coeff == coeff)
            return j;
    for (int j = 0; j < w->local; j++)
        if (w->task->free[w->of_local[j]].coeff == coeff)
            return w->shared + unit * w->local + j;
    return -1;
}

/* s_1 + s_2 <= 1: the excess is taken from both. */
static void project_shares(const fit_work *w, int unit, double *x)
{
    int one = place_of(w, unit, CAROM_COEFF_s_1), two = place_of(w, unit, CAROM_COEFF_s_2);
    double s_1 = one >= 0 ? x[one] : w->task->rule.coeffs.s_1, s_2 = two >= 0 ? x[two] : w->task->rule.coeffs.s_2;
    double excess = s_1 + s_2 - 1;
    if (excess <= 0 || (one < 0 && two < 0))
        return;
    double first = one < 0 ? 0 : two < 0 ? excess : min(excess / 2, s_1);
    double second = excess - first;
    if (two >= 0 && one >= 0 && second > s_2)
        first += second - s_2, second = s_2;
    if (one >= 0)
        x[one] -= first;
    if (two >= 0)
        x[two] = one >= 0 ? min(x[two] - second, 1 - x[one]) : x[two] - second;
}

/* mu_s >= mu. */
static void project_friction(const fit_work *w, int unit, double *x)
{
    int kinetic = place_of(w, unit, CAROM_COEFF_mu), stat = place_of(w, unit, CAROM_COEFF_mu_s);
    double mu = kinetic >= 0 ? x[kinetic] : w->task->rule.coeffs.mu;
    if (stat >= 0)
        x[stat] = max(x[stat], mu);
}

void fit_project(const fit_work *w, double *x)
{
    for (int j = 0; j < w->total; j++)
        x[j] = min(max(x[j], fit_free(w, j)->min), fit_free(w, j)->max);
    for (int unit = 0; unit < w->units; unit++) {
        project_shares(w, unit, x);
        project_friction(w, unit, x);
    }
}

/* The coefficients of impact i before they are taken at its speed. */
static carom_coeffs functions_of(const fit_work *w, int i, const double *x)
{
    int unit = fit_unit(w, i);
    carom_coeffs c = w->task->rule.coeffs;
    const carom_of_speed e = c.e_of_speed, mu = c.mu_of_speed;
    for (int j = 0; j < w->local + w->shared; j++) {
        int at = fit_place(w, unit, j), coeff = fit_free(w, at)->coeff;
        if (coeff < CAROM_COEFF_COUNT)
            carom_coeffs_set(&c, (carom_coeff)coeff, x[at]);
    }
    c.e_of_speed = e;
    c.mu_of_speed = mu;
    for (int j = 0; j < w->local + w->shared; j++) {
        int at = fit_place(w, unit, j), coeff = fit_free(w, at)->coeff;
        if (coeff >= CAROM_COEFF_COUNT)
            *(coeff == CAROM_FIT_Q ? &c.e_of_speed.q : &c.mu_of_speed.q) = x[at];
    }
    return c;
}

/* Are e and mu of a function held in their ranges at this speed? */
static bool are_held(const carom_coeffs *c, double v)
{
    double e = carom_of_speed_value(&c->e_of_speed, c->e, v, NULL);
    double mu = carom_of_speed_value(&c->mu_of_speed, c->mu, v, NULL);
    return (c->e_of_speed.form && !(e >= 0 && e <= 1)) || (c->mu_of_speed.form && !(mu >= 0));
}

bool fit_coeffs(const fit_work *w, int i, const double *x, carom_coeffs *coeffs)
{
    double v = -w->task->impacts[i].problem.u.n;
    *coeffs = functions_of(w, i, x);
    if (!carom_coeffs_vary(coeffs))
        return false;
    bool held = are_held(coeffs, v);
    *coeffs = carom_coeffs_at_speed(coeffs, v);
    return held;
}

/* ---- the loss ---- */

double fit_loss(const carom_fit_task *task, double r)
{
    double k = task->loss_parameter;
    if (task->loss == CAROM_FIT_HUBER && fabs(r) > k)
        return 2 * k * fabs(r) - k * k;
    return task->loss == CAROM_FIT_STUDENT ? (k + 1) * carom_log1p(r * r / k) : r * r;
}

double fit_loss_weight(const carom_fit_task *task, double r)
{
    double k = task->loss_parameter;
    if (task->loss == CAROM_FIT_HUBER && fabs(r) > k)
        return k / fabs(r);
    return task->loss == CAROM_FIT_STUDENT ? (k + 1) / (k + r * r) : 1;
}

double fit_loss_curvature(const carom_fit_task *task, double r)
{
    double k = task->loss_parameter;
    if (task->loss == CAROM_FIT_HUBER)
        return fabs(r) <= k;
    return task->loss == CAROM_FIT_STUDENT ? (k + 1) * (k - r * r) / square(k + r * r) : 1;
}

/* ---- residuals ---- */

bool fit_is_left_out(const fit_work *w, int i)
{
    int record = w->task->impacts[i].record;
    if (w->stride > 1 && i % w->stride != 0)
        return true;
    return w->folds > 0 && (record > 0 ? record - 1 : i) % w->folds == w->fold;
}

carom_coeffs fit_impulse_coeffs(const fit_work *w, int i, const double *x)
{
    carom_coeffs c;
    if (w->task->together)
        return functions_of(w, i, x);
    fit_coeffs(w, i, x, &c);
    return c;
}

static bool solve(const fit_work *w, int i, const double *x, double *p, carom_outcome *outcome)
{
    const carom_coeffs c = fit_impulse_coeffs(w, i, x);
    return !carom_status_is_refusal(fit_impulse(w->task, &w->task->impacts[i], &c, p, outcome));
}

static double along(const double *row, const double *p, int width)
{
    double sum = row[0] * p[0];
    for (int k = 1; k < width; k++)
        sum += row[k] * p[k];
    return sum;
}

bool fit_residuals(const fit_work *w, int i, const double *x, double *r, carom_outcome *outcome)
{
    const carom_fit_impact *impact = &w->task->impacts[i];
    const int width = carom_fit_width(impact);
    double p[CAROM_FIT_WIDTH];
    if (!solve(w, i, x, p, outcome))
        return false;
    for (int k = 0; k < impact->count; k++)
        r[k] = impact->offset[k] + along(impact->A + width * k, p, width);
    return true;
}

/* The sum over all impacts of the loss, or of the squares. */
static double sum(fit_work *w, const double *x, bool squares)
{
    double r[CAROM_FIT_MEASURED], total = 0;
    carom_outcome outcome;
    for (int i = 0; i < w->task->impact_count; i++) {
        if (fit_is_left_out(w, i))
            continue;
        if (!fit_residuals(w, i, x, r, &outcome))
            return INFINITY;
        double part = 0;
        for (int k = 0; k < w->task->impacts[i].count; k++)
            part += squares ? r[k] * r[k] : fit_loss(w->task, r[k]);
        total += w->task->impacts[i].weight * part;
    }
    return isfinite(total) ? total : INFINITY;
}

double fit_objective(fit_work *w, const double *x)
{
    return sum(w, x, w->task->loss == CAROM_FIT_SQUARES);
}

double fit_chi2(fit_work *w, const double *x)
{
    return sum(w, x, true);
}

/* ---- derivatives ---- */

/* dp / d x[at] of impact i by differences inside the bounds; on a border of what the law allows to one side. */
static bool impulse_slope(const fit_work *w, int i, double *x, int at, double *slope)
{
    const carom_fit_free *f = fit_free(w, at);
    const int numbers = carom_fit_width(&w->task->impacts[i]);
    carom_outcome outcome;
    double before[CAROM_FIT_WIDTH], after[CAROM_FIT_WIDTH];
    double value = x[at], h = STEP_PART * max(fabs(value), SIZE_LEAST);
    double high = min(value + h, f->max), low = max(value - h, f->min);
    x[at] = high;
    bool fine = solve(w, i, x, after, &outcome);
    if (!fine) {
        x[at] = high = value;
        fine = solve(w, i, x, after, &outcome);
    }
    x[at] = low;
    if (fine && !solve(w, i, x, before, &outcome)) {
        x[at] = low = value;
        fine = solve(w, i, x, before, &outcome);
    }
    x[at] = value;
    for (int k = 0; k < numbers; k++)
        slope[k] = high > low ? (after[k] - before[k]) / (high - low) : 0;
    return fine;
}

/* The slope of e or mu at the speed of impact i along itself or its q; 0 where it is held in its range. */
static double speed_slope(const fit_work *w, int i, const double *x, carom_coeff of, bool along_q)
{
    const carom_coeffs c = functions_of(w, i, x);
    const carom_of_speed *f = of == CAROM_COEFF_e ? &c.e_of_speed : &c.mu_of_speed;
    double slopes[2],
        value = carom_of_speed_value(f, of == CAROM_COEFF_e ? c.e : c.mu, -w->task->impacts[i].problem.u.n, slopes);
    bool held = f->form && !(value >= 0 && (of == CAROM_COEFF_mu || value <= 1));
    return held ? 0 : slopes[along_q];
}

/* The same from the derivative of the law: dp/de times how e(v) depends on e and q, and mu likewise. */
static void exact_slope(const fit_work *w, int i, const double *x, int at, const carom_derivative *d, double *slope)
{
    int coeff = fit_free(w, at)->coeff;
    int from = coeff == CAROM_FIT_Q ? CAROM_COEFF_e : coeff == CAROM_FIT_Q_MU ? CAROM_COEFF_mu : coeff;
    bool varies = from == CAROM_COEFF_e || from == CAROM_COEFF_mu;
    double factor = varies ? speed_slope(w, i, x, (carom_coeff)from, coeff >= CAROM_COEFF_COUNT) : 1;
    carom_cvec p = d->p.coeffs[from];
    slope[0] = factor * p.t1;
    slope[1] = factor * p.t2;
    slope[2] = factor * p.n;
}

/* Has the law a derivative here? Rough descents take differences, which are faster. */
static bool differentiate(const fit_work *w, int i, const double *x, carom_derivative *d)
{
    carom_rule rule = w->task->rule;
    if (w->rough || w->task->together || !carom_law_has_derivatives(rule.law))
        return false;
    fit_coeffs(w, i, x, &rule.coeffs);
    return carom_derivative_solve(&w->task->impacts[i].problem, &rule, NULL, d) == CAROM_STATUS_OK;
}

double fit_border(const fit_work *w, int i, const double *x)
{
    carom_derivative d;
    return differentiate(w, i, x, &d) ? fabs(d.distance) : INFINITY;
}

bool fit_rows(const fit_work *w, int i, const double *x, double (*rows)[FIT_COLUMNS])
{
    const carom_fit_impact *impact = &w->task->impacts[i];
    int last = fit_columns(w) - 1, unit = fit_unit(w, i), width = carom_fit_width(impact);
    double r[CAROM_FIT_MEASURED];
    carom_outcome outcome;
    carom_derivative d;
    if (!fit_residuals(w, i, x, r, &outcome))
        return false;
    bool exact = differentiate(w, i, x, &d);
    for (int j = 0; j < last; j++) {
        int at = fit_place(w, unit, j);
        double slope[CAROM_FIT_WIDTH];
        if (exact && fit_free(w, at)->coeff != CAROM_COEFF_mu_s)
            exact_slope(w, i, x, at, &d, slope);
        else if (!impulse_slope(w, i, (double *)x, at, slope))
            return false;
        for (int k = 0; k < impact->count; k++)
            rows[k][j] = along(impact->A + width * k, slope, width);
    }
    for (int k = 0; k < impact->count; k++)
        rows[k][last] = r[k];
    return true;
}

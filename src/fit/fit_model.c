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

#define SIZE_LEAST   1e-2 /* of a parameter, for its step */
#define VISCOELASTIC 0.2  /* exponents of e(v) */
#define PLASTIC      0.25

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

/* e at the speed of approach v. True when it was clipped. */
static bool restitution(const carom_fit_task *task, double v, double q, double *e)
{
    double s = v / task->v_ref, value = *e;
    if (task->speed == CAROM_FIT_CONSTANT)
        return false;
    if (task->speed == CAROM_FIT_VISCOELASTIC)
        value = 1 - (1 - value) * carom_pow(s, VISCOELASTIC);
    else
        value *= carom_pow(s, task->speed == CAROM_FIT_PLASTIC ? -PLASTIC : -q);
    *e = min(max(value, 0), 1);
    return *e != value;
}

bool fit_coeffs(const fit_work *w, int i, const double *x, carom_coeffs *coeffs)
{
    int unit = fit_unit(w, i);
    double q = 0;
    *coeffs = w->task->rule.coeffs;
    for (int j = 0; j < w->local + w->shared; j++) {
        int at = fit_place(w, unit, j), coeff = fit_free(w, at)->coeff;
        if (coeff == CAROM_FIT_Q)
            q = x[at];
        else
            carom_coeffs_set(coeffs, (carom_coeff)coeff, x[at]);
    }
    return restitution(w->task, -w->task->impacts[i].problem.u.n, q, &coeffs->e);
}

/* q of impact i. */
static double speed_exponent(const fit_work *w, int i, const double *x)
{
    int at = place_of(w, fit_unit(w, i), CAROM_FIT_Q);
    return w->task->speed == CAROM_FIT_PLASTIC ? PLASTIC : at >= 0 ? x[at] : 0;
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

static bool solve(const fit_work *w, int i, const double *x, carom_outcome *outcome)
{
    carom_rule rule = w->task->rule;
    fit_coeffs(w, i, x, &rule.coeffs);
    return !carom_status_is_refusal(carom_solve(&w->task->impacts[i].problem, &rule, NULL, outcome));
}

static double along(const double *row, carom_cvec p)
{
    return row[0] * p.t1 + row[1] * p.t2 + row[2] * p.n;
}

bool fit_residuals(const fit_work *w, int i, const double *x, double *r, carom_outcome *outcome)
{
    const carom_fit_impact *impact = &w->task->impacts[i];
    if (!solve(w, i, x, outcome))
        return false;
    for (int k = 0; k < impact->count; k++)
        r[k] = impact->offset[k] + along(impact->A + 3 * k, outcome->p);
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
static bool impulse_slope(const fit_work *w, int i, double *x, int at, carom_cvec *slope)
{
    const carom_fit_free *f = fit_free(w, at);
    carom_outcome before, after;
    double value = x[at], h = STEP_PART * max(fabs(value), SIZE_LEAST);
    double high = min(value + h, f->max), low = max(value - h, f->min);
    x[at] = high;
    if (!solve(w, i, x, &after))
        x[at] = high = value;
    bool fine = solve(w, i, x, &after);
    x[at] = low;
    if (!solve(w, i, x, &before))
        x[at] = low = value;
    fine = fine && solve(w, i, x, &before);
    x[at] = value;
    double width = high - low;
    if (!(width > 0))
        return *slope = carom_cvec_make(0, 0, 0), fine;
    *slope = carom_cvec_make((after.p.t1 - before.p.t1) / width, (after.p.t2 - before.p.t2) / width,
                             (after.p.n - before.p.n) / width);
    return fine;
}

/* The same from the derivative of the law: dp/de times how e(v) depends on e and q. */
static carom_cvec exact_slope(const fit_work *w, int i, const double *x, int at, const carom_derivative *d)
{
    const carom_fit_task *task = w->task;
    int coeff = fit_free(w, at)->coeff, from = coeff == CAROM_FIT_Q ? CAROM_COEFF_e : coeff;
    double factor = 1;
    if (task->speed != CAROM_FIT_CONSTANT && from == CAROM_COEFF_e) {
        carom_coeffs coeffs;
        double s = -task->impacts[i].problem.u.n / task->v_ref;
        bool clipped = fit_coeffs(w, i, x, &coeffs);
        factor = task->speed == CAROM_FIT_VISCOELASTIC ? carom_pow(s, VISCOELASTIC)
                 : coeff == CAROM_FIT_Q                ? -coeffs.e * carom_log(s)
                                                       : carom_pow(s, -speed_exponent(w, i, x));
        factor = clipped ? 0 : factor;
    }
    carom_cvec p = d->p.coeffs[from];
    return carom_cvec_make(factor * p.t1, factor * p.t2, factor * p.n);
}

/* Has the law a derivative here? Rough descents take differences, which are faster. */
static bool differentiate(const fit_work *w, int i, const double *x, carom_derivative *d)
{
    carom_rule rule = w->task->rule;
    if (w->rough || !carom_law_has_derivatives(rule.law))
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
    int last = fit_columns(w) - 1, unit = fit_unit(w, i);
    double r[CAROM_FIT_MEASURED];
    carom_outcome outcome;
    carom_derivative d;
    if (!fit_residuals(w, i, x, r, &outcome))
        return false;
    bool exact = differentiate(w, i, x, &d);
    for (int j = 0; j < last; j++) {
        int at = fit_place(w, unit, j);
        carom_cvec slope;
        if (exact && fit_free(w, at)->coeff != CAROM_COEFF_mu_s)
            slope = exact_slope(w, i, x, at, &d);
        else if (!impulse_slope(w, i, (double *)x, at, &slope))
            return false;
        for (int k = 0; k < impact->count; k++)
            rows[k][j] = along(impact->A + 3 * k, slope);
    }
    for (int k = 0; k < impact->count; k++)
        rows[k][last] = r[k];
    return true;
}

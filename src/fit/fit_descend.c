/* Levenberg-Marquardt within bounds.
 *
 * Each impact adds its rows to the triangle of its unit: columns of the local parameters, of the shared ones, and the
 * residual. With local parameters the normal equations are bordered-diagonal: the local ones of each unit are
 * eliminated and what is left of its triangle goes into that of the shared ones, so that the full matrix is never
 * formed. A parameter on a bound whose gradient points out has its column taken out of the step. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/num.h"
#include "fit/fit_core.h"

enum { ITERATIONS = 200, ROUGH_ITERATIONS = 40 };

#define LAMBDA_START 1e-3
#define LAMBDA_LEAST 1e-15
#define LAMBDA_MOST  1e12
#define LAMBDA_DOWN  0.2
#define LAMBDA_UP    4

#define STEP_DONE  1e-11 /* a step this small, in standard deviations, ends the descent; */
#define STEP_ROUGH 1e-3  /* and this one a rough descent, */
#define DAMP_ROUGH 1e4   /* which also ends with this damping */
#define STEP_TINY  1e-4  /* up to this size a step may raise the objective by rounding: */
#define ROUNDING   1e-13 /* of the objective */
#define ON_BOUND   1e-12 /* distance from a bound, of the range */
#define FLAT_SCALE 1     /* damping of a column of zeros */

/* ---- triangles ---- */

bool fit_build(fit_work *w, const double *x)
{
    double rows[CAROM_FIT_MEASURED][FIT_COLUMNS];
    int n = fit_columns(w);
    memset(w->units_T, 0, (size_t)(w->units * n * n) * sizeof *w->units_T);
    for (int i = 0; i < w->task->impact_count; i++) {
        if (fit_is_left_out(w, i))
            continue;
        if (!fit_rows(w, i, x, rows))
            return false;
        for (int k = 0; k < w->task->impacts[i].count; k++) {
            double size = sqrt(w->task->impacts[i].weight * fit_loss_weight(w->task, rows[k][n - 1]));
            for (int j = 0; j < n; j++)
                rows[k][j] *= size;
            triangle_add(n, w->units_T + fit_unit(w, i) * n * n, rows[k], 0);
        }
    }
    return true;
}

void fit_norms(const fit_work *w, double *norms)
{
    int n = fit_columns(w);
    memset(norms, 0, (size_t)w->total * sizeof *norms);
    for (int unit = 0; unit < w->units; unit++)
        for (int j = 0; j < n - 1; j++)
            for (int i = 0; i <= j; i++) {
                double *norm = norms + fit_place(w, unit, j);
                *norm = carom_hypot(*norm, w->units_T[(unit * n + i) * n + j]);
            }
}

void fit_gradient(const fit_work *w, double *gradient)
{
    int n = fit_columns(w);
    memset(gradient, 0, (size_t)w->total * sizeof *gradient);
    for (int unit = 0; unit < w->units; unit++)
        for (int j = 0; j < n - 1; j++)
            for (int i = 0; i <= j; i++) {
                const double *row = w->units_T + (unit * n + i) * n;
                gradient[fit_place(w, unit, j)] += row[j] * row[n - 1];
            }
}

static bool is_still(const fit_work *w, int at)
{
    return w->held[at] || w->stuck[at];
}

/* A row of a triangle without the columns that do not move. */
static void masked_row(const fit_work *w, int unit, const double *from, double *row)
{
    int n = fit_columns(w);
    for (int j = 0; j < n; j++)
        row[j] = j < n - 1 && is_still(w, fit_place(w, unit, j)) ? 0 : from[j];
}

static void add_damping(const fit_work *w, int j, double size, double *R)
{
    double row[FIT_COLUMNS] = {0};
    row[j] = size;
    triangle_add(fit_columns(w), R, row, j);
}

static double damping(const fit_work *w, int at, double lambda, const double *scale)
{
    if (is_still(w, at) || scale[at] == 0)
        return FLAT_SCALE;
    return sqrt(lambda) * scale[at];
}

/* The triangle of one unit with damping for its local parameters. */
static void damp_unit(fit_work *w, int unit, double lambda, const double *scale)
{
    int n = fit_columns(w);
    double *R = w->units_R + unit * n * n, row[FIT_COLUMNS];
    triangle_clear(n, R);
    for (int i = 0; i < n; i++) {
        masked_row(w, unit, w->units_T + (unit * n + i) * n, row);
        triangle_add(n, R, row, 0);
    }
    for (int j = 0; j < w->local; j++) {
        double size = damping(w, fit_place(w, unit, j), lambda, scale);
        if (size > 0)
            add_damping(w, j, size, R);
    }
}

void fit_eliminate(fit_work *w, double lambda, const double *scale, double *S)
{
    int n = fit_columns(w), m = w->shared + 1;
    double row[FIT_COLUMNS] = {0};
    triangle_clear(m, S);
    for (int unit = 0; unit < w->units; unit++) {
        damp_unit(w, unit, lambda, scale);
        for (int i = w->local; i < n; i++) {
            memcpy(row, w->units_R + (unit * n + i) * n + w->local, (size_t)m * sizeof *row);
            triangle_add(m, S, row, 0);
        }
    }
    for (int j = 0; j < w->shared; j++) {
        memset(row, 0, sizeof row);
        row[j] = damping(w, j, lambda, scale);
        triangle_add(m, S, row, j);
    }
}

/* ---- one step ---- */

void fit_find_stuck(fit_work *w, const double *x, const double *gradient)
{
    for (int j = 0; j < w->total; j++) {
        const carom_fit_free *f = fit_free(w, j);
        double near = ON_BOUND * (f->max - f->min);
        w->stuck[j] = (x[j] <= f->min + near && gradient[j] > 0) || (x[j] >= f->max - near && gradient[j] < 0);
    }
}

/* Both s_1 and s_2 on s_1 + s_2 = 1, with the objective falling beyond it: s_2 gives way to s_1. */
static bool is_tied(const fit_work *w, const double *x, const double *gradient, int *one, int *two)
{
    *one = *two = -1;
    for (int j = 0; j < w->shared; j++) {
        *one = fit_free(w, j)->coeff == CAROM_COEFF_s_1 ? j : *one;
        *two = fit_free(w, j)->coeff == CAROM_COEFF_s_2 ? j : *two;
    }
    return *one >= 0 && *two >= 0 && !is_still(w, *one) && !is_still(w, *two) && x[*one] + x[*two] >= 1 - ON_BOUND &&
           gradient[*one] + gradient[*two] < 0;
}

/* Subtract the column of `two` from the column of `one` in all triangles. */
static void tie_columns(fit_work *w, int one, int two)
{
    int n = fit_columns(w);
    double row[FIT_COLUMNS], R[FIT_COLUMNS * FIT_COLUMNS];
    for (int unit = 0; unit < w->units; unit++) {
        double *T = w->units_T + unit * n * n;
        triangle_clear(n, R);
        for (int i = 0; i < n; i++) {
            memcpy(row, T + i * n, (size_t)n * sizeof *row);
            row[w->local + one] -= row[w->local + two];
            row[w->local + two] = 0;
            triangle_add(n, R, row, 0);
        }
        memcpy(T, R, (size_t)(n * n) * sizeof *T);
    }
}

/* The step -(J^T J + lambda D^2)^-1 J^T r into w->step; its length in units of D. */
static double find_step(fit_work *w, double lambda, const double *scale)
{
    int n = fit_columns(w), m = w->shared + 1;
    double S[FIT_COLUMNS * FIT_COLUMNS], length = 0, part[FIT_COLUMNS];
    fit_eliminate(w, lambda, scale, S);
    triangle_solve(m, w->shared, S, w->shared, w->step);
    for (int unit = 0; unit < w->units && w->local > 0; unit++) {
        const double *R = w->units_R + unit * n * n;
        for (int i = w->local - 1; i >= 0; i--) {
            double rest = R[i * n + n - 1];
            for (int j = i + 1; j < n - 1; j++)
                rest -= R[i * n + j] * (j < w->local ? part[j] : w->step[j - w->local]);
            part[i] = R[i * n + i] != 0 ? rest / R[i * n + i] : 0;
            w->step[fit_place(w, unit, i)] = part[i];
        }
    }
    for (int j = 0; j < w->total; j++) {
        w->step[j] = is_still(w, j) ? 0 : -w->step[j];
        length = carom_hypot(length, scale[j] * w->step[j]);
    }
    return length;
}

/* Try the step with growing damping until the objective falls. False when it does not. */
static bool advance(fit_work *w, double *x, double *objective, double *lambda, double *length)
{
    int one, two;
    bool tied = is_tied(w, x, w->spare, &one, &two);
    if (tied)
        tie_columns(w, one, two);
    fit_norms(w, w->stds);
    for (; *lambda < LAMBDA_MOST; *lambda *= LAMBDA_UP) {
        *length = find_step(w, *lambda, w->stds);
        if (tied)
            w->step[two] = -w->step[one];
        for (int j = 0; j < w->total; j++)
            w->try[j] = x[j] + w->step[j];
        fit_project(w, w->try);
        double there = fit_objective(w, w->try);
        double allowed = *length < STEP_TINY ? *objective * (1 + ROUNDING) : *objective;
        if (there < *objective || (*length < STEP_TINY && there <= allowed)) {
            memcpy(x, w->try, (size_t)w->total * sizeof *x);
            *objective = there;
            *lambda = max(*lambda * LAMBDA_DOWN, LAMBDA_LEAST);
            return true;
        }
        if (*length < STEP_DONE || (w->rough && *lambda > DAMP_ROUGH))
            return false;
    }
    return false;
}

double fit_descend(fit_work *w, double *x)
{
    double objective = fit_objective(w, x), lambda = LAMBDA_START, length = INFINITY;
    double done = w->rough ? STEP_ROUGH : STEP_DONE;
    int most = w->rough ? ROUGH_ITERATIONS : ITERATIONS;
    for (int k = 0; k < most && isfinite(objective) && length > done; k++) {
        if (!fit_build(w, x))
            break;
        fit_gradient(w, w->spare);
        fit_find_stuck(w, x, w->spare);
        if (!advance(w, x, &objective, &lambda, &length))
            break;
    }
    return objective;
}

/* What follows from a minimum: states, covariance, criteria. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/lu.h"
#include "core/num.h"
#include "fit/fit_core.h"

#define LOG_2_PI    1.8378770664093453
#define FLAT        1e-6 /* a deviation above 1e6 ranges: the objective does not depend on the parameter */
#define DEPENDENT   1e-6 /* smallest singular value of the scaled columns below this: a combination is undetermined */
#define PARTICIPANT 0.05 /* part of a parameter in that combination */

#define ON_BORDER 1e-6 /* relative distance of an impact to a border of the law */

enum { K_MOST = CAROM_FIT_PARAMETERS };

/* ---- which parameters are determined ---- */

static void start_estimates(const fit_work *w, carom_fit_result *result)
{
    for (int j = 0; j < w->total; j++) {
        const carom_fit_free *f = fit_free(w, j);
        carom_fit_estimate p = {f->coeff,
                                j < w->shared ? -1 : (j - w->shared) / w->local,
                                CAROM_FIT_ESTIMATED,
                                w->x[j],
                                INFINITY,
                                -INFINITY,
                                INFINITY,
                                -INFINITY,
                                INFINITY};
        if (w->stds[j] * (f->max - f->min) < FLAT)
            p.state = CAROM_FIT_FLAT;
        else if (w->stuck[j])
            p.state = w->x[j] - f->min < f->max - w->x[j] ? CAROM_FIT_AT_MIN : CAROM_FIT_AT_MAX;
        result->parameters[j] = p;
        w->held[j] = p.state != CAROM_FIT_ESTIMATED;
    }
}

/* The columns of the shared parameters that are determined, each of length one; how many there are. */
static int scaled_columns(const fit_work *w, const double *S, int *at, double *A)
{
    int k = 0, m = w->shared + 1;
    for (int j = 0; j < w->shared; j++)
        if (!w->held[j])
            at[k++] = j;
    for (int c = 0; c < k; c++) {
        double norm = 0;
        for (int i = 0; i < w->shared; i++)
            norm = carom_hypot(norm, S[i * m + at[c]]);
        for (int r = 0; r < k; r++)
            A[r * k + c] = norm > 0 ? S[at[r] * m + at[c]] / norm : 0;
    }
    return k;
}

/* Parameters of which only a combination is determined. */
static bool find_combination(fit_work *w, carom_fit_result *result, double *S)
{
    int at[K_MOST];
    double A[K_MOST * K_MOST], vector[K_MOST];
    fit_eliminate(w, 0, w->stds, S);
    int k = scaled_columns(w, S, at, A);
    if (k < 2 || smallest_singular(k, A, vector) >= DEPENDENT)
        return false;
    for (int i = 0; i < k; i++)
        if (fabs(vector[i]) > PARTICIPANT) {
            result->parameters[at[i]].state = CAROM_FIT_COMBINED;
            w->held[at[i]] = true;
        }
    return true;
}

/* ---- covariance ---- */

/* The triangle of one unit's local and the shared parameters, and its inverse. */
static void invert_unit(fit_work *w, int unit, const double *S)
{
    int n = fit_columns(w), k = n - 1, m = w->shared + 1;
    double U[FIT_COLUMNS * FIT_COLUMNS] = {0};
    for (int i = 0; i < k; i++)
        for (int j = i; j < k; j++)
            U[i * n + j] = i < w->local ? w->units_R[(unit * n + i) * n + j] : S[(i - w->local) * m + j - w->local];
    triangle_inverse(n, k, U, w->inverse + unit * k * k);
}

/* Covariance of columns a and b of a unit. */
static double product(const fit_work *w, int unit, int a, int b)
{
    int k = fit_columns(w) - 1;
    const double *inverse = w->inverse + unit * k * k;
    double sum = 0;
    for (int j = 0; j < k; j++)
        sum += inverse[a * k + j] * inverse[b * k + j];
    return sum;
}

static void plain_covariance(const fit_work *w, carom_fit_result *result, double factor)
{
    for (int a = 0; a < w->shared; a++)
        for (int b = 0; b < w->shared; b++)
            result->covariance[a * w->shared + b] =
                w->held[a] || w->held[b] ? 0 : factor * product(w, 0, w->local + a, w->local + b);
    for (int j = 0; j < w->total; j++) {
        int unit = j < w->shared ? 0 : (j - w->shared) / w->local;
        int column = j < w->shared ? w->local + j : (j - w->shared) % w->local;
        if (!w->held[j])
            result->parameters[j].std = sqrt(factor * product(w, unit, column, column));
    }
}

/* Sums over all rows of J^T J with the second derivatives of the loss, and with the squares of its first. */
static bool sandwich_parts(const fit_work *w, double *H, double *G)
{
    double rows[CAROM_FIT_MEASURED][FIT_COLUMNS];
    int k = w->shared;
    for (int i = 0; i < w->task->impact_count; i++) {
        double weight = w->task->impacts[i].weight;
        if (!fit_rows(w, i, w->x, rows))
            return false;
        for (int q = 0; q < w->task->impacts[i].count; q++) {
            double r = rows[q][k], curvature = weight * fit_loss_curvature(w->task, r);
            double slope = weight * fit_loss_weight(w->task, r) * r;
            for (int a = 0; a < k; a++)
                for (int b = 0; b < k; b++) {
                    H[a * k + b] += w->held[a] || w->held[b] ? 0 : curvature * rows[q][a] * rows[q][b];
                    G[a * k + b] += w->held[a] || w->held[b] ? 0 : slope * slope * rows[q][a] * rows[q][b];
                }
        }
    }
    return true;
}

/* H^-1 G H^-1: right whatever the errors are distributed like. */
static void sandwich_covariance(const fit_work *w, carom_fit_result *result)
{
    double H[K_MOST * K_MOST] = {0}, G[K_MOST * K_MOST] = {0}, X[K_MOST * K_MOST], column[K_MOST];
    int k = w->shared, pivot[K_MOST];
    if (!sandwich_parts(w, H, G))
        return;
    for (int j = 0; j < k; j++)
        H[j * k + j] += w->held[j];
    if (!(lu_factor(k, H, pivot) > EPS))
        return;
    for (int round = 0; round < 2; round++) { /* G := (H^-1 G)^T, twice */
        for (int b = 0; b < k; b++) {
            for (int a = 0; a < k; a++)
                column[a] = G[a * k + b];
            lu_solve(k, H, pivot, column);
            for (int a = 0; a < k; a++)
                X[b * k + a] = column[a];
        }
        memcpy(G, X, sizeof G);
    }
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
            result->covariance[a * k + b] = G[a * k + b];
    for (int j = 0; j < k; j++)
        if (!w->held[j])
            result->parameters[j].std = sqrt(G[j * k + j]);
}

/* ---- criteria ---- */

static carom_fit_criteria criteria(double minus_2_log_likelihood, int k, int n)
{
    double L = minus_2_log_likelihood, aic = L + 2.0 * k;
    carom_fit_criteria c = {
        L, aic, n > k + 1 ? aic + 2.0 * k * (k + 1) / (n - k - 1) : INFINITY, L + k * carom_log((double)n), k, n};
    return c;
}

static void judge(const fit_work *w, carom_fit_result *result)
{
    double constant = 0;
    int n = 0, k = w->total;
    for (int i = 0; i < w->task->impact_count; i++) {
        constant += w->task->impacts[i].log_det + w->task->impacts[i].count * LOG_2_PI;
        n += w->task->impacts[i].count;
    }
    double s2 = result->chi2 / n;
    result->scale = sqrt(s2);
    result->scale_unbiased = n > k ? sqrt(result->chi2 / (n - k)) : INFINITY;
    result->p_value = n > k ? carom_fit_chi2_tail(result->chi2, n - k) : 1;
    result->criteria = criteria(result->chi2 + constant, k, n);
    result->criteria_scale = criteria(n * carom_log(s2) + n + constant, k + 1, n);
}

static void count_special(const fit_work *w, carom_fit_result *result)
{
    carom_coeffs coeffs;
    for (int i = 0; i < w->task->impact_count; i++) {
        result->clipped += fit_coeffs(w, i, w->x, &coeffs);
        result->border_count += fit_border(w, i, w->x) < ON_BORDER;
    }
}

void fit_report(fit_work *w, carom_fit_result *result)
{
    double S[FIT_COLUMNS * FIT_COLUMNS];
    result->parameter_count = w->total;
    result->shared_count = w->shared;
    result->chi2 = fit_chi2(w, w->x);
    fit_build(w, w->x);
    fit_gradient(w, w->spare);
    fit_find_stuck(w, w->x, w->spare);
    fit_norms(w, w->stds);
    start_estimates(w, result);
    for (int i = 0; i < w->shared && find_combination(w, result, S); i++)
        continue;
    fit_eliminate(w, 0, w->stds, S);
    for (int unit = 0; unit < w->units; unit++)
        invert_unit(w, unit, S);
    judge(w, result);
    plain_covariance(w, result, w->task->scale ? square(result->scale) : 1);
    if (w->task->loss != CAROM_FIT_SQUARES && w->local == 0)
        sandwich_covariance(w, result);
    for (int j = 0; j < w->total; j++)
        if (!w->held[j])
            result->gradient = max(result->gradient, fabs(2 * w->spare[j] * result->parameters[j].std));
    count_special(w, result);
    memset(w->held, 0, (size_t)w->total * sizeof *w->held);
    memset(w->stuck, 0, (size_t)w->total * sizeof *w->stuck);
}

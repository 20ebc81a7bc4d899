/* Diagnostics of a fit: whitening, one impact at the estimate, tests of the residuals. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/cholesky.h"
#include "core/dense.h"
#include "core/lu.h"
#include "core/num.h"
#include "fit/fit_core.h"

enum { TERMS = 10000, RUNS_LEAST = 10, STIRLING = 20 };

#define HALF_LOG_2_PI 0.91893853320467274

#define HALF_WEIGHT 0.5   /* a scalar with less marks its impact as downweighted */
#define DEFINITE    1e-12 /* a pivot of the covariance below this part of its diagonal entry: singular */

/* ---- whitening ---- */

carom_status carom_fit_whiten(int count, int width, double *covariance, double *A, double *offset, double *log_det)
{
    double *S = covariance;
    *log_det = 0;
    if (count < 0 || count > CAROM_FIT_MEASURED || width < 1 || width > CAROM_FIT_WIDTH)
        return CAROM_STATUS_BAD_SIZE;
    if (!dense_finite(S, (size_t)(count * count)) || !dense_symmetric(count, S) ||
        !cholesky_factor(count, S, DEFINITE, S))
        return CAROM_STATUS_BAD_MATRIX;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            offset[i] -= S[i * count + j] * offset[j];
            for (int c = 0; c < width; c++)
                A[width * i + c] -= S[i * count + j] * A[width * j + c];
        }
        double pivot = S[i * count + i];
        offset[i] /= pivot;
        for (int c = 0; c < width; c++)
            A[width * i + c] /= pivot;
        *log_det += 2 * carom_log(pivot);
    }
    return CAROM_STATUS_OK;
}

/* ---- one impact ---- */

/* Row of derivatives times R^-1: its length squared is the leverage. */
static void project_row(const fit_work *w, const carom_fit_result *result, int i, const double *row, double *z)
{
    int k = fit_columns(w) - 1, unit = fit_unit(w, i);
    const double *inverse = result->inverse + unit * k * k;
    for (int c = 0; c < k; c++) {
        z[c] = 0;
        for (int r = 0; r <= c; r++) {
            bool known = isfinite(result->parameters[fit_place(w, unit, r)].std);
            z[c] += known ? inverse[r * k + c] * row[r] : 0;
        }
    }
}

/* H of one impact: count x count by rows. */
static void leverage_block(const fit_work *w, const carom_fit_result *result, int i, double (*rows)[FIT_COLUMNS],
                           double *H)
{
    int m = w->task->impacts[i].count, k = fit_columns(w) - 1;
    double Z[CAROM_FIT_MEASURED][FIT_COLUMNS];
    for (int a = 0; a < m; a++)
        project_row(w, result, i, rows[a], Z[a]);
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) {
            double sum = 0;
            for (int c = 0; c < k; c++)
                sum += Z[a][c] * Z[b][c];
            H[a * m + b] = w->task->impacts[i].weight * sum;
        }
}

/* Cook's distance: with s = (I - H)^-1 r, s^T H s over the number of parameters. */
static double cook(int m, const double *H, const double *r, int k)
{
    double A[CAROM_FIT_MEASURED * CAROM_FIT_MEASURED], s[CAROM_FIT_MEASURED], sum = 0;
    int pivot[CAROM_FIT_MEASURED];
    for (int i = 0; i < m * m; i++)
        A[i] = (i / m == i % m) - H[i];
    memcpy(s, r, (size_t)m * sizeof *s);
    if (!(lu_factor(m, A, pivot) > EPS))
        return INFINITY;
    lu_solve(m, A, pivot, s);
    for (int i = 0; i < m * m; i++)
        sum += s[i / m] * H[i] * s[i % m];
    return max(sum, 0) / k;
}

void fit_bare(fit_work *w, const carom_fit_task *task)
{
    static const fit_work nothing;
    *w = nothing;
    w->task = task;
    for (int i = 0; i < task->free_count; i++)
        if (task->free[i].local)
            w->of_local[w->local++] = i;
        else
            w->of_shared[w->shared++] = i;
    w->units = w->local > 0 ? task->unit_count : 1;
    w->total = w->shared + w->units * w->local;
}

/* The parameters of one unit at their places. */
void fit_fill_unit(const fit_work *w, const carom_fit_result *result, int unit, double *x)
{
    for (int j = 0; j < w->shared; j++)
        x[j] = result->parameters[j].value;
    for (int j = 0; j < w->local; j++)
        x[w->shared + j] = result->parameters[fit_place(w, unit, j)].value;
}

carom_status carom_fit_diagnose(const carom_fit_task *task, const carom_fit_result *result, int i, carom_fit_case *d)
{
    static const carom_fit_case nothing;
    double rows[CAROM_FIT_MEASURED][FIT_COLUMNS], H[CAROM_FIT_MEASURED * CAROM_FIT_MEASURED], x[FIT_COLUMNS];
    carom_fit_impact alone = task->impacts[i];
    carom_fit_task one = *task;
    carom_outcome outcome;
    fit_work w;
    *d = nothing;
    fit_bare(&w, task);
    fit_fill_unit(&w, result, fit_unit(&w, i), x);
    alone.unit = 0; /* a task of this impact alone, whose vector has one unit */
    one.impacts = &alone;
    w.task = &one;
    if (!fit_residuals(&w, 0, x, d->residual, &outcome) || !fit_rows(&w, 0, x, rows))
        return outcome.status;
    carom_fit_result here = *result;
    carom_fit_estimate parameters[FIT_COLUMNS];
    int k = fit_columns(&w) - 1, unit = w.local ? task->impacts[i].unit : 0;
    here.parameters = parameters;
    here.inverse = result->inverse + unit * k * k;
    for (int j = 0; j < k; j++)
        parameters[fit_place(&w, 0, j)] = result->parameters[fit_place(&w, unit, j)];
    leverage_block(&w, &here, 0, rows, H);
    d->count = alone.count;
    d->mode = outcome.mode;
    d->u_after = outcome.u_after;
    d->p = outcome.p;
    d->border = fit_border(&w, 0, x);
    d->friction_ratio = outcome.friction_ratio;
    d->cook = cook(d->count, H, d->residual, result->parameter_count);
    double scale = task->scale ? result->scale : 1;
    for (int a = 0; a < d->count; a++) {
        double leverage = min(H[a * d->count + a], 1);
        d->leverage += leverage;
        d->standard[a] = leverage < 1 ? d->residual[a] / (scale * sqrt(1 - leverage)) : 0;
        d->downweighted |= fit_loss_weight(task, d->residual[a]) < HALF_WEIGHT;
    }
    return CAROM_STATUS_OK;
}

/* ---- tests ---- */

double carom_fit_runs(int count, const double *signs, int *runs)
{
    double plus = 0, minus = 0;
    *runs = count > 0;
    for (int i = 0; i < count; i++) {
        plus += signs[i] >= 0;
        minus += signs[i] < 0;
        *runs += i > 0 && (signs[i] >= 0) != (signs[i - 1] >= 0);
    }
    double n = plus + minus, both = 2 * plus * minus;
    if (count < RUNS_LEAST || plus == 0 || minus == 0)
        return 1;
    double mean = both / n + 1, variance = both * (both - n) / (n * n * (n - 1));
    return erfc(fabs(*runs - mean) / sqrt(2 * variance));
}

/* log Gamma(a) by Stirling's series beyond STIRLING, and by its recurrence below. */
static double log_gamma(double a)
{
    double product = 1;
    for (; a < STIRLING; a++)
        product *= a;
    double z = 1 / (a * a), series = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z / 1680))) / a;
    return (a - 0.5) * carom_log(a) - a + HALF_LOG_2_PI + series - carom_log(product);
}

/* The regularised incomplete gamma function by its series, P(a, x). */
static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int i = 1; i < TERMS && term > EPS * sum; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return sum * carom_exp(a * carom_log(x) - x - log_gamma(a));
}

/* The same by its continued fraction (Lentz), Q(a, x). */
static double gamma_fraction(double a, double x)
{
    double b = x + 1 - a, c = 1 / DBL_MIN, d = 1 / b, h = d;
    for (int i = 1; i < TERMS; i++) {
        double an = -i * (i - a);
        b += 2;
        d = an * d + b;
        d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
        c = b + an / c;
        c = fabs(c) < DBL_MIN ? DBL_MIN : c;
        h *= c * d;
        if (fabs(c * d - 1) < EPS)
            break;
    }
    return h * carom_exp(a * carom_log(x) - x - log_gamma(a));
}

double carom_fit_chi2_tail(double chi2, double degrees)
{
    double a = degrees / 2, x = chi2 / 2;
    if (!(x > 0) || !(a > 0))
        return 1;
    return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

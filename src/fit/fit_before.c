/* Errors in variables: the velocities before an impact have errors too, which reach the prediction through the law. */
#include <math.h>
#include <string.h>

#include "carom/fit_study.h"
#include "carom/solve.h"
#include "core/num.h"
#include "fit/fit_core.h"

#define STEP 1e-6 /* of the speed of approach and of slip: for differences of the impulse by u */

/* The rule of impact i at the estimate. */
static carom_rule rule_of(const carom_fit_task *task, const carom_fit_result *result, int i)
{
    double x[FIT_COLUMNS];
    carom_rule rule = task->rule;
    carom_fit_impact alone = task->impacts[i];
    carom_fit_task one = *task;
    fit_work w;
    fit_bare(&w, task);
    fit_fill_unit(&w, result, fit_unit(&w, i), x);
    alone.unit = 0;
    one.impacts = &alone;
    w.task = &one;
    fit_coeffs(&w, 0, x, &rule.coeffs);
    return rule;
}

/* dp/du by central differences: columns t1, t2, n. Zero where the law has no answer on one side. */
static void impulse_by_u(const carom_problem *problem, const carom_rule *rule, double P[3][3])
{
    double h = STEP * (fabs(problem->u.t1) + fabs(problem->u.t2) + fabs(problem->u.n));
    for (int j = 0; j < 3; j++) {
        carom_problem up = *problem, down = *problem;
        carom_outcome high, low;
        double *u[2] = {j == 0   ? &up.u.t1
                        : j == 1 ? &up.u.t2
                                 : &up.u.n,
                        j == 0   ? &down.u.t1
                        : j == 1 ? &down.u.t2
                                 : &down.u.n};
        *u[0] += h;
        *u[1] -= h;
        bool planar = j == 1 && problem->K.t22 == 0;
        bool fine = !planar && !carom_status_is_refusal(carom_solve(&up, rule, NULL, &high)) &&
                    !carom_status_is_refusal(carom_solve(&down, rule, NULL, &low));
        P[0][j] = fine ? (high.p.t1 - low.p.t1) / (2 * h) : 0;
        P[1][j] = fine ? (high.p.t2 - low.p.t2) / (2 * h) : 0;
        P[2][j] = fine ? (high.p.n - low.p.n) / (2 * h) : 0;
    }
}

/* D: what is measured by the velocities before, count x before_count. */
static void change_by_before(const carom_fit_row *row, double P[3][3], double *D)
{
    int m = row->before_count;
    for (int i = 0; i < row->count; i++)
        for (int j = 0; j < m; j++) {
            double sum = row->slot[i] == j;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    sum += row->A[3 * i + a] * P[a][b] * row->before_G[3 * j + b];
            D[i * m + j] = sum;
        }
}

/* S + D before_S D^T, times the square of the scale. */
static void total_covariance(const carom_fit_row *row, const double *D, double scale, double *S)
{
    int n = row->count, m = row->before_count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = row->S[i * n + j];
            for (int a = 0; a < m; a++)
                for (int b = 0; b < m; b++)
                    sum += D[i * m + a] * row->before_S[a * m + b] * D[j * m + b];
            S[i * n + j] = S[j * n + i] = scale * scale * sum;
        }
}

carom_status carom_fit_weigh(const carom_fit_task *task, const carom_fit_row *rows, const carom_fit_result *result,
                             const double *scale, carom_fit_impact *impacts)
{
    enum { MOST = CAROM_FIT_MEASURED };
    double S[MOST * MOST], D[MOST * MOST], P[3][3];
    for (int i = 0; i < task->impact_count; i++) {
        const carom_fit_row *row = &rows[i];
        double *A = (double *)impacts[i].A, *offset = (double *)impacts[i].offset;
        memset(P, 0, sizeof P);
        if (row->before_count > 0 && result) {
            carom_rule rule = rule_of(task, result, i);
            impulse_by_u(&task->impacts[i].problem, &rule, P);
        }
        change_by_before(row, P, D);
        total_covariance(row, D, scale ? scale[row->group] : 1, S);
        memcpy(A, row->A, 3 * (size_t)row->count * sizeof *A);
        for (int k = 0; k < row->count; k++)
            offset[k] = row->before[k] - row->measured[k];
        carom_status status = carom_fit_whiten(row->count, S, A, offset, &impacts[i].log_det);
        if (status != CAROM_STATUS_OK)
            return status;
    }
    return CAROM_STATUS_OK;
}

/* Errors in variables: the velocities before an impact have errors too, which reach the prediction through the law. */
#include <math.h>
#include <string.h>

#include "carom/fit_study.h"
#include "carom/solve.h"
#include "core/num.h"
#include "fit/fit_core.h"

#define STEP 1e-6 /* of the speed of approach and of slip: for differences of the impulse by u */

/* The coefficients of impact i at the estimate. */
static carom_coeffs coeffs_of(const carom_fit_task *task, const carom_fit_result *result, int i)
{
    double x[FIT_COLUMNS];
    carom_fit_impact alone = task->impacts[i];
    carom_fit_task one = *task;
    fit_work w;
    fit_bare(&w, task);
    fit_fill_unit(&w, result, fit_unit(&w, i), x);
    alone.unit = 0;
    one.impacts = &alone;
    w.task = &one;
    return fit_impulse_coeffs(&w, 0, x);
}

/* An impact whose velocities may be changed. */
typedef struct moved_impact {
    carom_fit_impact impact;
    carom_contacts contacts;
    double u[CAROM_FIT_WIDTH];
} moved_impact;

static void copy_impact(const carom_fit_impact *from, moved_impact *to)
{
    to->impact = *from;
    if (!from->contacts)
        return;
    to->contacts = *from->contacts;
    memcpy(to->u, from->contacts->u, (size_t)carom_fit_width(from) * sizeof *to->u);
    to->contacts.u = to->u;
    to->impact.contacts = &to->contacts;
}

static double *velocity(moved_impact *m, int j)
{
    carom_cvec *u = &m->impact.problem.u;
    return m->impact.contacts ? &m->u[j] : j == 0 ? &u->t1 : j == 1 ? &u->t2 : &u->n;
}

/* A step of the velocities: small against those of the impact. */
static double step_of(const carom_fit_impact *impact)
{
    const carom_problem *p = &impact->problem;
    return STEP * (fabs(p->u.t1) + fabs(p->u.t2) + fabs(p->u.n));
}

/* dp/du by central differences, width x width by rows. Zero where the law has no answer on one side. */
static void impulse_by_u(const carom_fit_task *task, const carom_fit_impact *impact, const carom_coeffs *coeffs,
                         double *P)
{
    const int width = carom_fit_width(impact);
    const double h = step_of(impact);
    for (int j = 0; j < width; j++) {
        double high[CAROM_FIT_WIDTH], low[CAROM_FIT_WIDTH];
        moved_impact up, down;
        carom_outcome outcome;
        copy_impact(impact, &up);
        copy_impact(impact, &down);
        *velocity(&up, j) += h;
        *velocity(&down, j) -= h;
        bool planar = !impact->contacts && j == 1 && impact->problem.K.t22 == 0;
        bool fine = !planar && !carom_status_is_refusal(fit_impulse(task, &up.impact, coeffs, high, &outcome)) &&
                    !carom_status_is_refusal(fit_impulse(task, &down.impact, coeffs, low, &outcome));
        for (int i = 0; i < width; i++)
            P[i * width + j] = fine ? (high[i] - low[i]) / (2 * h) : 0;
    }
}

/* D: what is measured by the velocities before, count x before_count. */
static void change_by_before(const carom_fit_row *row, int width, const double *P, double *D)
{
    int m = row->before_count;
    for (int i = 0; i < row->count; i++)
        for (int j = 0; j < m; j++) {
            double sum = row->slot[i] == j;
            for (int a = 0; a < width; a++)
                for (int b = 0; b < width; b++)
                    sum += row->A[width * i + a] * P[width * a + b] * row->before_G[width * j + b];
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
    double S[MOST * MOST], D[MOST * MOST], P[CAROM_FIT_WIDTH * CAROM_FIT_WIDTH];
    for (int i = 0; i < task->impact_count; i++) {
        const carom_fit_row *row = &rows[i];
        const int width = carom_fit_width(&task->impacts[i]);
        double *A = (double *)impacts[i].A, *offset = (double *)impacts[i].offset;
        memset(P, 0, sizeof P);
        if (row->before_count > 0 && result) {
            const carom_coeffs coeffs = coeffs_of(task, result, i);
            impulse_by_u(task, &task->impacts[i], &coeffs, P);
        }
        change_by_before(row, width, P, D);
        total_covariance(row, D, scale ? scale[row->group] : 1, S);
        memcpy(A, row->A, (size_t)(width * row->count) * sizeof *A);
        for (int k = 0; k < row->count; k++)
            offset[k] = row->before[k] - row->measured[k];
        carom_status status = carom_fit_whiten(row->count, width, S, A, offset, &impacts[i].log_det);
        if (status != CAROM_STATUS_OK)
            return status;
    }
    return CAROM_STATUS_OK;
}

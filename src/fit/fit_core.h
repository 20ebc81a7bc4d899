/* The inside of a fit: the parameters as one vector, rows of residuals and derivatives, triangles. */
#ifndef CAROM_FIT_CORE_H
#define CAROM_FIT_CORE_H

#include <stdbool.h>

#include "carom/fit.h"

enum { FIT_COLUMNS = CAROM_FIT_PARAMETERS + 1 }; /* derivatives by the local, then the shared parameters; residual */

/* A fit at work. The vector x holds the shared parameters, then the parameters of each unit. */
typedef struct fit_work {
    const carom_fit_task *task;
    int shared, local, units, total;                                     /* total = shared + units local */
    int of_shared[CAROM_FIT_PARAMETERS], of_local[CAROM_FIT_PARAMETERS]; /* positions in task->free */
    int fold, folds;     /* impacts with i mod folds = fold are left out; folds 0: none */
    int stride;          /* above 1: only every stride-th impact counts, while starts are sought */
    double *x;           /* total: the best point */
    double *trial, *try; /* total */
    double *step;        /* total */
    bool *held;          /* total: does not move */
    bool *stuck;         /* total: does not move in this step, being on a bound */
    double *units_T;     /* units x columns^2: the triangle of each unit */
    double *units_R;     /* units x columns^2: the same with damping */
    double *spare;       /* total: gradients */
    double *stds;        /* total: norms of columns */
    double *warm, *near; /* total: starts of profiles */
    double *inverse;     /* units x (columns - 1)^2: R^-1 at the estimate */
    double done, whole;  /* work for the watch */
    bool rough;          /* descents for starts only: few digits */
    bool coarse;         /* the simplex looks for a better valley only, once */
    bool stopped;
} fit_work;

/* ---- the model ---- */

/* The place of parameter j of the shared ones, or of the local ones of a unit, in x; and its bounds. */
const carom_fit_free *fit_free(const fit_work *w, int at);

/* Move x into its bounds, and s_1 + s_2 to at most one, mu_s to at least mu. */
void fit_project(const fit_work *w, double *x);

/* The coefficients of impact i at x. True when e(v) or mu(v) is held in its range. */
bool fit_coeffs(const fit_work *w, int i, const double *x, carom_coeffs *coeffs);

bool fit_is_left_out(const fit_work *w, int i);

/* The objective at x, infinite where the law has no answer. */
double fit_objective(fit_work *w, const double *x);
double fit_chi2(fit_work *w, const double *x);

/* Loss of one residual, the weight of its square in a reweighted step, and half its second derivative. */
double fit_loss(const carom_fit_task *task, double r);
double fit_loss_weight(const carom_fit_task *task, double r);
double fit_loss_curvature(const carom_fit_task *task, double r);

/* Rows of impact i: count rows of columns numbers, derivatives by the local and the shared parameters, then the
 * residual; unweighted. False where the law has no answer. */
bool fit_rows(const fit_work *w, int i, const double *x, double (*rows)[FIT_COLUMNS]);

/* The distance of impact i to the nearest border of its law, relative to its numbers; infinite where that is not known.
 */
double fit_border(const fit_work *w, int i, const double *x);

/* The impulse of an impact with these coefficients, carom_fit_width numbers. Those of several contacts that depend on
 * the speed are taken at the speed of each. */
carom_status fit_impulse(const carom_fit_task *task, const carom_fit_impact *impact, const carom_coeffs *coeffs,
                         double *p, carom_outcome *outcome);

/* The coefficients of impact i for fit_impulse. */
carom_coeffs fit_impulse_coeffs(const fit_work *w, int i, const double *x);

/* The residuals alone. */
bool fit_residuals(const fit_work *w, int i, const double *x, double *r, carom_outcome *outcome);

static inline int fit_columns(const fit_work *w)
{
    return w->local + w->shared + 1;
}

/* Where column j of the rows of a unit is in x. */
static inline int fit_place(const fit_work *w, int unit, int j)
{
    return j < w->local ? w->shared + unit * w->local + j : j - w->local;
}

static inline int fit_unit(const fit_work *w, int i)
{
    return w->local ? w->task->impacts[i].unit : 0;
}

/* ---- triangles: R of a QR factorisation, n x n by rows, built row by row ---- */

void triangle_clear(int n, double *R);

/* One more row, which is used up, from its column `first` on. */
void triangle_add(int n, double *R, double *row, int first);

/* R x = b for the upper left k x k part. b is a column of R with this index; x may be anything apart from R. */
void triangle_solve(int n, int k, const double *R, int b, double *x);

/* The inverse of the upper left k x k part, k x k by rows. */
void triangle_inverse(int n, int k, const double *R, double *inverse);

/* The smallest singular value of the k x k matrix A by rows, and its right vector. A is overwritten. */
double smallest_singular(int k, double *A, double *vector);

/* ---- minimisers: x is the start and becomes the minimum, the objective is returned ---- */

/* Triangles of all units at x into w->units_T; false where the law has no answer. sandwich: see fit_report.c. */
bool fit_build(fit_work *w, const double *x);

/* Levenberg-Marquardt within bounds. */
double fit_descend(fit_work *w, double *x);

/* Eliminate the local parameters: the triangle of the shared ones and the residual, (shared + 1)^2, from the triangles
 * in w->units_T, with columns of parameters that do not move taken out. lambda is the damping; scale (total) its units.
 * The triangles of the units are left in w->units_R. */
void fit_eliminate(fit_work *w, double lambda, const double *scale, double *S);

/* Parameters on a bound where the objective falls beyond it, into w->stuck. */
void fit_find_stuck(fit_work *w, const double *x, const double *gradient);

/* Norms of the columns, and the gradient of half the objective. */
void fit_norms(const fit_work *w, double *norms);
void fit_gradient(const fit_work *w, double *gradient);

/* Nelder and Mead's simplex over the shared parameters that move; sizes are relative to deviations. */
double fit_polish(fit_work *w, double *x);

/* Several starts, the best minimum into w->x. */
double fit_search(fit_work *w);

/* Tell the watch; false when it ends the fit. */
bool fit_tell(fit_work *w, double more);

/* ---- results ---- */

/* A work without memory, for one impact: its parameters at the estimate belong to its unit. */
void fit_bare(fit_work *w, const carom_fit_task *task);
void fit_fill_unit(const fit_work *w, const carom_fit_result *result, int unit, double *x);

void fit_report(fit_work *w, carom_fit_result *result);

/* The objective with x[at] = value and the others minimised, from x, which becomes the minimum; with the simplex where
 * there may be kinks. */
double fit_profile(fit_work *w, int at, double value, double *x, bool kinks);
void fit_intervals(fit_work *w, carom_fit_result *result);

#endif

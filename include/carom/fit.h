/* Carom: the coefficients of a law from recorded impacts.
 *
 *     carom_fit_impact impacts[24] = ...;                      (K, u) and what was measured, in units of its errors
 *     carom_fit_task task = carom_fit_task_default(carom_law_find("bilinear"), 24, impacts);
 *     void *memory = malloc(carom_fit_memory(&task));
 *     carom_fit_result result;
 *     carom_status status = carom_fit_solve(&task, memory, &result);
 *     result.parameters[0].value, .std, .low, .high            estimate, standard deviation, 95 % profile interval
 *
 * Each impact measures y = y0 + A p + error, linear in the impulse p, whatever the impact comes from: u_after, the
 * velocities of bodies, the speeds of a mechanism. carom_fit_whiten divides by the errors, so that the residuals
 *
 *     r = offset + A p(K, u, coefficients)
 *
 * have variance one. Several contacts have one p, the impulses of all, and a law of carom/together.h. The fit minimises
 * chi2, the sum of their squares, or a robust loss of them. docs/theory/fit.md explains the method. The memory is the
 * caller's, the numbers are the same on every run. */
#ifndef CAROM_FIT_H
#define CAROM_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/export.h"
#include "carom/law.h"
#include "carom/problem.h"
#include "carom/status.h"
#include "carom/together.h"

CAROM_BEGIN

/* ---- data ---- */

enum { CAROM_FIT_CONTACTS = 8, CAROM_FIT_WIDTH = 3 * CAROM_FIT_CONTACTS }; /* of one impact, at most; numbers of p */

/* One recorded impact. */
typedef struct carom_fit_impact {
    carom_problem problem;          /* of several contacts the one that approaches fastest */
    const carom_contacts *contacts; /* null: problem is the only one */
    int count;                      /* scalars measured */
    const double *A;                /* count x width by rows, columns t1, t2, n, or those of all contacts: whitened */
    const double *offset;           /* count: whitened residuals of an impulse of zero, prediction - measurement */
    double log_det;                 /* log of the determinant of their covariance */
    double weight;                  /* factor of its part of chi2; 1 */
    int unit;                       /* which values of the local parameters it has, from 0 */
    int record; /* from 1: impacts of one record are left out together in cross-validation; 0: alone */
} carom_fit_impact;

enum { CAROM_FIT_MEASURED = 64 }; /* scalars of one impact, at most */

/* Numbers of the impulse: 3, or dim for each of several contacts. */
static inline int carom_fit_width(const carom_fit_impact *impact)
{
    return impact->contacts ? impact->contacts->dim * impact->contacts->count : 3;
}

/* Whiten the measurement of one impact in place: with covariance = L L^T, A := L^-1 A and offset := L^-1 offset. A has
 * width columns. covariance is count x count by rows and is overwritten. CAROM_STATUS_BAD_MATRIX when it is not
 * symmetric positive definite. */
CAROM_API CAROM_MUST_USE carom_status carom_fit_whiten(int count, int width, double *covariance, double *A,
                                                       double *offset, double *log_det);

/* ---- the task ---- */

/* Where e or mu depends on the speed (rule.coeffs.e_of_speed), its q is a parameter beside the coefficients. */
enum { CAROM_FIT_Q = CAROM_COEFF_COUNT, CAROM_FIT_Q_MU, CAROM_FIT_COUNT };

enum { CAROM_FIT_SHARED = 8, CAROM_FIT_LOCAL = 2, CAROM_FIT_PARAMETERS = CAROM_FIT_SHARED + CAROM_FIT_LOCAL };

/* A free coefficient and its bounds, which are finite. A local one has a value per unit of impacts. */
typedef struct carom_fit_free {
    int coeff; /* a carom_coeff, CAROM_FIT_Q or CAROM_FIT_Q_MU */
    double min, max;
    bool local;
} carom_fit_free;

typedef enum carom_fit_loss {
    CAROM_FIT_SQUARES, /* r^2 */
    CAROM_FIT_HUBER,   /* r^2 up to |r| = k, 2 k |r| - k^2 beyond */
    CAROM_FIT_STUDENT  /* (nu + 1) log(1 + r^2 / nu) */
} carom_fit_loss;

/* Called now and then with the part of the work done; false ends the fit with CAROM_STATUS_ITERATION_LIMIT. */
typedef bool carom_fit_watch(void *context, double share);

typedef struct carom_fit_task {
    carom_rule rule;                /* the law, its fixed coefficients and its options */
    const carom_together *together; /* or null: a law of several contacts, and rule.law is the one that it repeats */
    void *workspace;                /* of together: carom_fit_workspace bytes */
    int free_count;
    carom_fit_free free[CAROM_FIT_PARAMETERS];
    int impact_count;
    const carom_fit_impact *impacts;
    int unit_count; /* 1 without local parameters */
    carom_fit_loss loss;
    double loss_parameter; /* k or nu */
    bool scale;            /* the errors are known up to a common factor, which is estimated */
    bool intervals;        /* profile intervals; they take longer than the fit */
    uint64_t seed;         /* of the starts */
    bool coarse;           /* one round of the simplex: for fits whose weights are found in turn */
    const double *start;   /* null; or values of the shared parameters to descend from, in place of a search */
    carom_fit_watch *watch;
    void *context;
    double room[14]; /* zero */
} carom_fit_task;

/* Least squares with every coefficient that the law uses and that a fit can find, between its default bounds: its
 * range, and mu <= 10, eta and kappa in 0.05...10, ratios in -10...10. mu_s follows mu; ratio_2 and turn are free in
 * spatial problems only; stiffnesses and dampings stay as the rule has them. */
CAROM_API carom_fit_task carom_fit_task_default(const carom_law *law, int impact_count,
                                                const carom_fit_impact *impacts);

/* The same for a law of several contacts; base is the law that sequential repeats, null for newton. The caller sets
 * the workspace. Every contact has the same coefficients, functions of the speed at its own speed. */
CAROM_API carom_fit_task carom_fit_task_together(const carom_together *law, const carom_law *base, int impact_count,
                                                 const carom_fit_impact *impacts);

/* Bytes that a law of several contacts needs for these impacts; 0 without one. */
CAROM_API size_t carom_fit_workspace(const carom_fit_task *task);

/* The coefficients that the law of the task uses, as CAROM_USES. */
CAROM_API uint64_t carom_fit_uses(const carom_fit_task *task);

/* The default bounds of a coefficient; false when it has none, and a fit needs bounds to free it. */
CAROM_API bool carom_fit_bounds(const carom_law *law, int coeff, double *min, double *max);

/* The name of the coefficient, or "q" and "q_mu". */
CAROM_API int carom_fit_find(const char *name); /* CAROM_FIT_COUNT: there is none */
CAROM_API const char *carom_fit_name(int coeff);

/* ---- the result ---- */

typedef enum carom_fit_state {
    CAROM_FIT_ESTIMATED,
    CAROM_FIT_AT_MIN, /* on its bound, and chi2 falls beyond it */
    CAROM_FIT_AT_MAX,
    CAROM_FIT_FLAT,    /* chi2 does not depend on it here */
    CAROM_FIT_COMBINED /* only a combination with the other parameters of this state is determined */
} carom_fit_state;

/* One parameter. Members that do not exist are infinite. */
typedef struct carom_fit_estimate {
    int coeff, unit; /* unit is -1 for shared ones */
    carom_fit_state state;
    double value, std;
    double low, high;           /* 95 % profile interval; infinite where the bound is met first */
    double flat_low, flat_high; /* CAROM_FIT_FLAT: where chi2 is constant around the value */
} carom_fit_estimate;

/* -2 log likelihood and what follows from it; not for robust losses. */
typedef struct carom_fit_criteria {
    double minus_2_log_likelihood, aic, aicc, bic; /* aicc is infinite where n <= k + 1 */
    int k, n;                                      /* free parameters, with the scale if it is one; scalars */
} carom_fit_criteria;

typedef struct carom_fit_result {
    carom_status status;
    double objective, chi2;       /* the same unless the loss is robust */
    double gradient;              /* largest |d objective / d parameter| std of those that are free to move */
    double scale, scale_unbiased; /* sqrt(chi2 / n), sqrt(chi2 / (n - k)) */
    double p_value;               /* of chi2 with n - k degrees of freedom; 1 where there are none */
    int border_count, clipped;    /* impacts within 1e-6 of a border of the law; with e(v) or mu(v) held in its range */
    int parameter_count;          /* shared ones first, then unit 0, 1, ... */
    carom_fit_estimate *parameters; /* in the memory of the fit */
    int shared_count;
    double *covariance;    /* shared_count x shared_count by rows; zero rows for those without a deviation */
    const double *inverse; /* for carom_fit_diagnose */
    carom_fit_criteria criteria, criteria_scale;
    double room[16];
} carom_fit_result;

/* Bytes of memory, aligned for doubles. It belongs to the result until the caller is done with that. */
CAROM_API size_t carom_fit_memory(const carom_fit_task *task);

/* Fit. CAROM_STATUS_BAD_SIZE: no impacts, no or too many parameters, or fewer scalars than parameters;
 * CAROM_STATUS_BAD_COEFFICIENT: bounds; a refusal of the law for the first impact that it does not allow;
 * CAROM_STATUS_ITERATION_LIMIT: the watch ended it. */
CAROM_API CAROM_MUST_USE carom_status carom_fit_solve(const carom_fit_task *task, void *memory,
                                                      carom_fit_result *result);

/* The cross-validated score: fold i mod folds is left out, the rest fitted from the estimate of the result; the score
 * is the mean square residual of what was left out. Shared parameters only. */
CAROM_API CAROM_MUST_USE carom_status carom_fit_cross_validate(const carom_fit_task *task, int folds,
                                                               const carom_fit_result *result, void *memory,
                                                               double *score);

/* The objective at value of parameter i with all others refitted, from the estimate of the result. */
CAROM_API CAROM_MUST_USE carom_status carom_fit_profile(const carom_fit_task *task, const carom_fit_result *result,
                                                        int i, double value, void *memory, double *objective);

/* ---- diagnostics ---- */

/* One impact at the estimate; arrays of CAROM_FIT_MEASURED. */
typedef struct carom_fit_case {
    const char *mode;
    int count;
    double residual[CAROM_FIT_MEASURED]; /* whitened, prediction - measurement */
    double standard[CAROM_FIT_MEASURED]; /* over sqrt(1 - leverage), and over the scale if that is estimated */
    double leverage;                     /* sum over its scalars */
    double cook;                         /* how far the estimate moves without it, in its own covariance, over k */
    double border;                       /* relative distance to the nearest border of the law; infinite: not known */
    bool downweighted;                   /* by a robust loss: a scalar counts less than half */
    carom_cvec p, u_after;               /* predicted; of several contacts zero */
    double friction_ratio;
} carom_fit_case;

CAROM_API CAROM_MUST_USE carom_status carom_fit_diagnose(const carom_fit_task *task, const carom_fit_result *result,
                                                         int i, carom_fit_case *diagnosis);

/* The runs test of signs in the order given: how often they change is too seldom or too frequent for chance. Two-sided
 * normal approximation; 1 when all signs are the same or fewer than ten are given. */
CAROM_API double carom_fit_runs(int count, const double *signs, int *runs);

/* Upper tail of the chi-square distribution. */
CAROM_API double carom_fit_chi2_tail(double chi2, double degrees);

CAROM_END

#endif

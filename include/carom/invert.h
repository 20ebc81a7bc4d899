/* Carom: inverse impacts. Which approach, stroke or coefficients give this rebound?
 *
 *     carom_invert_task task = carom_invert_task_default();
 *     task.outcome = my_outcome, task.context = &mine;                  controls to outcome: any chain that ends in
 *     task.control_count = 2, task.wish_count = 2;                      carom_solve
 *     task.start[0] = ..., task.scale[0] = ..., task.wish[0] = ...;
 *     carom_invert_result result;
 *     carom_status status = carom_invert(&task, &result);
 *     result.solutions[0].controls                                      met, or the nearest that can be reached
 *
 * carom_invert_approach is the same for u of a given (K, law). Newton's method with least change where the wish does
 * not determine the controls, damped, from the start and from one point of every branch that is met near it.
 * Thread-safe, allocates nothing; the numbers are the same on every run. */
#ifndef CAROM_INVERT_H
#define CAROM_INVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/export.h"
#include "carom/law.h"
#include "carom/problem.h"
#include "carom/status.h"

CAROM_BEGIN

enum { CAROM_INVERT_CONTROLS = 8, CAROM_INVERT_WISHES = 12, CAROM_INVERT_SOLUTIONS = 12 };

/* The outcome at these controls, and its branch. A status that is a refusal: there is none here. */
typedef carom_status carom_invert_outcome(void *context, const double *controls, double *outcome, const char **mode);

typedef struct carom_invert_task {
    int control_count, wish_count;
    double start[CAROM_INVERT_CONTROLS];
    double min[CAROM_INVERT_CONTROLS], max[CAROM_INVERT_CONTROLS]; /* may be infinite */
    double
        scale[CAROM_INVERT_CONTROLS]; /* a change of this size matters: units of "least change", width of the search */
    double wish[CAROM_INVERT_WISHES];
    double wish_scale; /* size of the outcome: a wish is met to 1e-12 of it */
    /* Standard deviations of the wishes, all > 0: they weigh the distance, so that units do not mix, and give the
     * solution its covariance. All zero: wishes are exact and count alike. */
    double deviation[CAROM_INVERT_WISHES];
    carom_invert_outcome *outcome;
    void *context;
    int scattered; /* points that look for further branches; 0: only the start, and more when it fails */
    uint64_t seed;
    double room[8];
} carom_invert_task;

typedef struct carom_invert_solution {
    double controls[CAROM_INVERT_CONTROLS];
    double outcome[CAROM_INVERT_WISHES];
    double distance; /* of the outcome from the wish */
    double change;   /* of the controls from the start, in their scales */
    const char *mode;
    int rank;              /* of the Jacobian: below control_count, the wish does not determine the controls */
    unsigned undetermined; /* bits of controls that have no influence here */
    bool met;
    /* Covariance of the controls, from the deviations of the wishes, to first order; what the wishes do not determine
     * is left out. Zero without deviations. */
    double covariance[CAROM_INVERT_CONTROLS][CAROM_INVERT_CONTROLS];
} carom_invert_solution;

typedef struct carom_invert_result {
    carom_status status;
    bool reachable; /* solutions are those that meet the wish, by branch; else there is one, the nearest */
    int count;
    carom_invert_solution solutions[CAROM_INVERT_SOLUTIONS];
} carom_invert_result;

/* 400 points, unit scales, no bounds. */
CAROM_API carom_invert_task carom_invert_task_default(void);

/* CAROM_STATUS_BAD_SIZE, or the refusal at the start when there is no outcome anywhere near it. */
CAROM_API CAROM_MUST_USE carom_status carom_invert(const carom_invert_task *task, carom_invert_result *result);

/* Find the u that gives u_after = wish; the search starts from problem->u. The controls are u.t1, u.t2, u.n, or u.t1,
 * u.n in a planar problem. CAROM_STATUS_INADMISSIBLE when wish.n < 0: the bodies would penetrate. */
CAROM_API CAROM_MUST_USE carom_status carom_invert_approach(const carom_problem *problem, const carom_rule *rule,
                                                            carom_cvec wish, carom_invert_result *result);

CAROM_END

#endif

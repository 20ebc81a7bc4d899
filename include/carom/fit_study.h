/* Carom: what there is to say about a fit, and which law explains the data best.
 *
 *     carom_fit_answer answers[2];
 *     for (int i = 0; i < 2; i++) {
 *         answers[i] = (carom_fit_answer){.task = carom_fit_task_default(laws[i], count, impacts), .folds = 5};
 *         memory[i] = malloc(carom_fit_answer_memory(&answers[i].task));
 *         status = carom_fit_answer_make(&answers[i], rows, memory[i]);
 *     }
 *     carom_fit_rank(answers, 2);                    best first: answers[0].weight is its Akaike weight
 *
 * carom/fit.h estimates coefficients. This header judges the estimate: cross-validation, runs tests of the residuals
 * along the angle of incidence and along the speed, and notes, which are findings that a reader of the numbers should
 * know, such as "no impact slips, so mu has a lower limit only". Notes are data; carom_fit_note_text of
 * carom/fit_plan.h puts them into words. The memory is the caller's. */
#ifndef CAROM_FIT_STUDY_H
#define CAROM_FIT_STUDY_H

#include "carom/fit.h"

CAROM_BEGIN

/* ---- what was measured ---- */

enum { CAROM_FIT_LABEL = 24 }; /* bytes of the name of a measured number */

/* What a recorded impact says besides the numbers of carom_fit_impact. */
typedef struct carom_fit_row {
    char *name; /* or null */
    long line;
    int group; /* from 0 */
    int dim;
    double angle, speed;            /* of incidence, from the normal, rad; |u| */
    int count;                      /* scalars measured, by their place below */
    double *measured;               /* count: the measured values, in their own units */
    double *sigma;                  /* count: the square roots of the diagonal of their covariance */
    double *before, *A;             /* count, count x width by rows: the prediction is before + A p */
    char (*label)[CAROM_FIT_LABEL]; /* count: "u_t", "a.omega.z", "qdot.0" */
    double u_after[3];              /* t1, t2, n measured directly; u_known says which */
    double u_sigma[3];
    unsigned u_known; /* bits */
    double *S;        /* count x count: covariance of the measured values */
    int before_count; /* velocities before the impact that have errors; 0: they are exact */
    double *before_S; /* before_count^2: their covariance */
    double *before_G; /* before_count x width: what each adds to u */
    int *slot;        /* count: which of them the measured value is without an impulse */
} carom_fit_row;

/* Whiten the impacts of a task again, with errors in the velocities before: S + D before_S D^T, where D is how the
 * prediction changes with the velocities before, at the estimate of the result (null: of an impulse that does not
 * change). scale (null: 1) multiplies the covariances of each group by its square. A and offset of the impacts are
 * written. CAROM_STATUS_BAD_MATRIX as carom_fit_whiten. */
CAROM_API CAROM_MUST_USE carom_status carom_fit_weigh(const carom_fit_task *task, const carom_fit_row *rows,
                                                      const carom_fit_result *result, const double *scale,
                                                      carom_fit_impact *impacts);

/* ---- findings ---- */

/* The runs test of one measured number along the angle of incidence or the speed. */
typedef struct carom_fit_trend {
    const char *label;
    bool along_angle; /* else along the speed */
    int runs, count;
    double p;
} carom_fit_trend;

typedef enum carom_fit_note_kind {
    CAROM_FIT_NOTE_STICKS,   /* every impact sticks: parameter has a lower limit only; count of impacts */
    CAROM_FIT_NOTE_NO_SLIP,  /* no impact slips: the same */
    CAROM_FIT_NOTE_UNKNOWN,  /* the data do not depend on parameter; count 1: near its estimate */
    CAROM_FIT_NOTE_CONSTANT, /* chi2 is constant for parameter from from to to */
    CAROM_FIT_NOTE_AT_BOUND, /* parameter is on its bound, from */
    CAROM_FIT_NOTE_COMBINED, /* only a combination of the parameters of this state is determined */
    CAROM_FIT_NOTE_CLIPPED,  /* e(v) reaches 0 or 1 in count impacts */
    CAROM_FIT_NOTE_BORDER,   /* count impacts lie on a border of the law */
    CAROM_FIT_NOTE_TREND,    /* trend number count is no chance: the law misses something */
    CAROM_FIT_NOTE_ERRORS    /* chi2 fits errors from times as large; count 1: the given ones are too large */
} carom_fit_note_kind;

typedef struct carom_fit_note {
    carom_fit_note_kind kind;
    int parameter; /* into result.parameters */
    int count;
    double from, to;
} carom_fit_note;

enum { CAROM_FIT_NOTES = 16, CAROM_FIT_TRENDS = 32 };

/* A fit that was made and judged. Set task and folds, zero the rest. */
typedef struct carom_fit_answer {
    carom_fit_task task;
    int folds; /* of the cross-validation; 0: none */
    carom_status status;
    carom_fit_result result; /* in the memory given */
    bool has_score;          /* cross-validated: least squares with shared parameters, and at least folds impacts */
    double score;            /* mean square residual of what was left out */
    bool tie;                /* coincides with the law before it on these data */
    double delta, weight;    /* of carom_fit_rank */
    int note_count, trend_count;
    carom_fit_note notes[CAROM_FIT_NOTES];
    carom_fit_trend trends[CAROM_FIT_TRENDS];
} carom_fit_answer;

/* Bytes of memory, aligned for doubles; the result stays in it. */
CAROM_API size_t carom_fit_answer_memory(const carom_fit_task *task);

/* Fit answer->task and look at the result; rows has one entry per impact of the task. Returns answer->status. */
CAROM_API CAROM_MUST_USE carom_status carom_fit_answer_make(carom_fit_answer *answer, const carom_fit_row *rows,
                                                            void *memory);

/* Is there a number for this parameter, or only limits? */
CAROM_API bool carom_fit_is_determined(const carom_fit_estimate *parameter);

/* Sort by AICc (a robust loss: by the objective), mark ties, and give Akaike weights, which sum to one. Laws that tie
 * keep their order. */
CAROM_API void carom_fit_rank(carom_fit_answer *answers, int count);

CAROM_END

#endif

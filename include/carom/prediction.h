/* Carom: recorded motions predicted by the simulator, and laws fitted to whole motions. Library carom-io; not part of
 * carom/carom.h.
 *
 *     carom_prediction_plan plan = carom_prediction_plan_default();
 *     plan.rule = rule;                                      the law and its coefficients
 *     carom_prediction p = carom_recording_predict(&recording, &plan, i);     record i
 *     carom_json *table = carom_prediction_report(&recording, &plan, &each);  all of them
 *
 * A prediction begins with the flight before the first impact of a record and runs to its last frame. */
#ifndef CAROM_PREDICTION_H
#define CAROM_PREDICTION_H

#include "carom/gradient.h"
#include "carom/recording.h"
#include "carom/sim.h"

CAROM_BEGIN

enum { CAROM_PREDICTION_FREE = 4, CAROM_PREDICTION_STARTS = 100 }; /* at most */

typedef struct carom_prediction_plan carom_prediction_plan;

/* What moves the body: the simulator, or another engine that is held against the same records. `begin` starts at a pose
 * and velocities of the centre of mass, at time 0, with a status when it refuses; `move` goes on to a later time and
 * gives the centre of mass and the rotation there. */
typedef struct carom_mover {
    carom_status (*begin)(const carom_prediction_plan *plan, const carom_tracked *body,
                          const carom_free_flight_state *at, void **motion);
    carom_status (*move)(void *motion, double time, carom_vec3 *com, carom_quat *q);
    void (*end)(void *motion);
} carom_mover;

/* What is simulated. */
struct carom_prediction_plan {
    carom_rule rule;
    const carom_together *together;
    double sliding;                  /* friction of closed contacts; 0: the one of the body, or of the rule */
    int horizon;                     /* frames that the loss of a fit counts */
    bool short_runs;                 /* end there, and say nothing about rest */
    int free_count;                  /* of a fit: */
    int free[CAROM_PREDICTION_FREE]; /* a carom_coeff, or CAROM_PREDICTION_SLIDING */
    int evaluations;                 /* of a fit, at most, from each start */
    int starts;                      /* of a fit; the first is the given point, the second a fixed one, others random */
    bool gradients;                  /* see whether the runs have gradients over the horizon; of the simulator only */
    int every;                       /* only every so many-th record, for a fit in a hurry; 1: all */
    const carom_mover *mover;        /* null: the simulator with this rule */
    const void *context;             /* of the mover */
};

enum { CAROM_PREDICTION_SLIDING = CAROM_COEFF_COUNT };

CAROM_API carom_prediction_plan carom_prediction_plan_default(void);

/* One more free coefficient by its name, or "sliding". */
CAROM_API CAROM_MUST_USE bool carom_prediction_plan_free(carom_prediction_plan *plan, const char *name,
                                                         carom_case_error *error);

/* Coefficients in their ranges; a free sliding friction begins at mu. */
CAROM_API CAROM_MUST_USE bool carom_prediction_plan_check(carom_prediction_plan *plan, carom_case_error *error);

typedef enum carom_prediction_state {
    CAROM_PREDICTION_MADE,
    CAROM_PREDICTION_FAULT,     /* the record has a fault */
    CAROM_PREDICTION_NO_FLIGHT, /* no flight before its first impact */
    CAROM_PREDICTION_REFUSED    /* the simulator refused */
} carom_prediction_state;

/* Errors of one record; NaN where it does not reach so far. */
typedef struct carom_prediction {
    carom_prediction_state state;
    carom_status status;
    bool has_next;                   /* the first impact has a flight after it: */
    double next_v, next_omega;       /* error of the velocities after it, m/s and rad/s */
    double five_x, five_q;           /* root mean square over the five frames after its beginning: m, rad */
    double twenty_x, twenty_q;       /* 20 frames after its beginning */
    bool rests;                      /* the record ends at rest: */
    double rest_x;                   /* error of the resting place along the floor, m */
    bool face;                       /* the face below is the right one */
    double loss;                     /* of a fit */
    carom_gradient_refusal gradient; /* why the run has no gradient over the horizon; NONE: it has one */
} carom_prediction;

CAROM_API carom_prediction carom_recording_predict(const carom_recording *r, const carom_prediction_plan *plan, int i);

/* Records are predicted on at most so many threads, 0: as many as there are processors. */

/* Medians and root mean squares over all records, counts of what could not be predicted. The recording was reduced. */
CAROM_API carom_json *carom_prediction_report(const carom_recording *r, const carom_prediction_plan *plan, int threads,
                                              carom_case_error *error);

/* Fit the free coefficients of the plan to whole motions: the mean over records and frames of log(1 + d^2), with d the
 * distance in units of 5 % of the size of the body and 0.05 rad, for horizon frames. The plan gets the best end of all
 * starts. The answer has the coefficients, the loss, where every start ended, and whether all agree to 5 %. */
CAROM_API CAROM_MUST_USE bool carom_prediction_fit(const carom_recording *r, carom_prediction_plan *plan, int threads,
                                                   carom_json **answer, carom_case_error *error);

CAROM_END

#endif

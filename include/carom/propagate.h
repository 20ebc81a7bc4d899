/* Carom: how far the outcomes of a run spread when its inputs are random, to first order. Library carom-io; not part of
 * carom/carom.h.
 *
 *     carom_variables v = {.draws = 200, .seed = 1};
 *     carom_vary_add_random(&v, "random", "e=normal:0.8:0.02", &error);
 *     const carom_propagation_task task = {.of = "bodies.ball.position.2", .v = &v};
 *     if (carom_propagate(&p, &file, &task, &error))
 *         carom_propagation_deviation(&p, 0), p.warnings ...
 *     carom_propagation_free(&p);
 *
 * With the gradient J at the means and independent inputs of deviations s, the outcomes have the covariance
 * J diag(s^2) J^T. Two checks say whether that can be trusted: runs with one input moved by 2 and 3 deviations must
 * take the same branches at the same impacts as the mean does, and draws of all inputs must spread as the covariance
 * says. */
#ifndef CAROM_PROPAGATE_H
#define CAROM_PROPAGATE_H

#include "carom/inputs.h"
#include "carom/scene_gradient.h"

CAROM_BEGIN

enum { CAROM_PROPAGATION_WARNINGS = 64, CAROM_PROPAGATION_WARNING = 400, CAROM_PROPAGATION_DRAWS = 200 };

typedef struct carom_propagation_task {
    const char *of;           /* outcomes, with commas */
    const carom_variables *v; /* inputs, all random; draws > 0 */
    carom_scene_change change;
    carom_watcher watcher;
    bool one_sided; /* at a kink take the branch of the law */
} carom_propagation_task;

typedef struct carom_propagation {
    const carom_propagation_task *task;
    carom_scene_file mean_scene;
    carom_scene_gradient g; /* at the means */
    carom_inputs input;
    double mean[CAROM_STUDY_VARIABLES], deviation[CAROM_STUDY_VARIABLES];
    int outcomes, inputs;
    double *covariance; /* outcomes x outcomes by rows */
    double *drawn_mean, *drawn_squares;
    long drawn, refused;
    bool stopped;
    int warnings;
    char warning[CAROM_PROPAGATION_WARNINGS][CAROM_PROPAGATION_WARNING];
} carom_propagation;

/* Free p either way. */
CAROM_API CAROM_MUST_USE bool carom_propagate(carom_propagation *p, const carom_scene_file *file,
                                              const carom_propagation_task *task, carom_case_error *error);
CAROM_API void carom_propagation_free(carom_propagation *p);

/* The deviation of an outcome to first order, the deviation of the draws, and the part of its variance that one input
 * makes. */
CAROM_API double carom_propagation_deviation(const carom_propagation *p, int outcome);
CAROM_API double carom_propagation_drawn(const carom_propagation *p, int outcome);
CAROM_API double carom_propagation_share(const carom_propagation *p, int outcome, int input);

/* {"inputs", "outcomes", "covariance", "draws", "warnings"} */
CAROM_API carom_json *carom_propagation_json(const carom_propagation *p);

CAROM_END

#endif

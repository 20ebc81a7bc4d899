/* What the command line says about a fit: which law, which coefficients are free, how errors are treated. */
#ifndef CAROM_CLI_FIT_TASK_H
#define CAROM_CLI_FIT_TASK_H

#include <stdbool.h>

#include "carom/fit_data.h"
#include "cli.h"

enum { FIT_NAMES = 16, FIT_LAWS = 32, FIT_FOLDS = 5 };

typedef struct fit_bounds {
    int coeff;
    double min, max;
} fit_bounds;

typedef struct fit_plan {
    const carom_law *law;
    int law_count; /* of --laws; 0: all that apply */
    const carom_law *laws[FIT_LAWS];
    settings settings; /* --fix and --set */
    int freed_count, bounds_count, local_count;
    int freed[FIT_NAMES]; /* --free */
    fit_bounds bounds[FIT_NAMES];
    int local[FIT_NAMES]; /* --per-impact or --per-group */
    bool per_impact, per_group, scale, intervals;
    carom_fit_loss loss;
    double loss_parameter;
    carom_fit_speed speed;
    double v_ref;
    int folds;
    uint64_t seed;
} fit_plan;

fit_plan fit_plan_start(void);

/* Each reads the value of an option; complains and returns false on what it does not know. */
bool fit_plan_fix(fit_plan *p, const char *text);
bool fit_plan_free(fit_plan *p, const char *text);
bool fit_plan_bounds(fit_plan *p, const char *text);
bool fit_plan_local(fit_plan *p, const char *text, bool per_impact);
bool fit_plan_speed(fit_plan *p, const char *text);
bool fit_plan_loss(fit_plan *p, const char *text);
bool fit_plan_noise(fit_plan *p, const char *text);
bool fit_plan_laws(fit_plan *p, const char *text);

/* The task of one law on these data; the units of local parameters are written into the impacts. Complains and returns
 * false when it is not possible; silently with quiet. */
bool fit_plan_task(const fit_plan *p, const carom_law *law, carom_fit_data *data, bool quiet, carom_fit_task *task);

#endif

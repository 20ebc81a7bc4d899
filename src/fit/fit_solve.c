/* A fit from its task to its result. */
#include <math.h>
#include <string.h>

#include "carom/solve.h"
#include "core/num.h"
#include "fit/fit_core.h"

enum { VECTORS = 8, STARTS = 8, SCAN = 24 };

#define FRICTION_MOST 10 /* default bounds */
#define ETA_LEAST     0.05
#define ETA_MOST      10
#define RATIO_MOST    10
#define Q_MOST        1
#define SEED          20010101

/* ---- the task ---- */

const char *carom_fit_name(int coeff)
{
    return coeff == CAROM_FIT_Q ? "q" : coeff == CAROM_FIT_Q_MU ? "q_mu" : carom_coeff_at((carom_coeff)coeff)->name;
}

int carom_fit_find(const char *name)
{
    for (int i = 0; i < CAROM_FIT_COUNT; i++)
        if (strcmp(carom_fit_name(i), name) == 0)
            return i;
    return CAROM_FIT_COUNT;
}

static const struct {
    int coeff;
    double min, max;
} bounds[] = {
    {CAROM_COEFF_mu, 0, FRICTION_MOST},
    {CAROM_COEFF_mu_s, 0, FRICTION_MOST},
    {CAROM_COEFF_eta, ETA_LEAST, ETA_MOST},
    {CAROM_COEFF_kappa, ETA_LEAST, ETA_MOST},
    {CAROM_COEFF_ratio_1, -RATIO_MOST, RATIO_MOST},
    {CAROM_COEFF_ratio_2, -RATIO_MOST, RATIO_MOST},
    {CAROM_FIT_Q, -Q_MOST, Q_MOST},
    {CAROM_FIT_Q_MU, -Q_MOST, Q_MOST},
};

bool carom_fit_bounds(const carom_law *law, int coeff, double *min, double *max)
{
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (bounds[i].coeff == coeff) {
            *min = bounds[i].min;
            *max = bounds[i].max;
            return true;
        }
    const carom_coeff_info *info = carom_coeff_at((carom_coeff)coeff);
    *min = coeff == CAROM_COEFF_e && law->traits & CAROM_TRAIT_SIGNED_E ? -1 : info->min;
    *max = info->max;
    return *max < CAROM_UNBOUNDED && coeff != CAROM_COEFF_annuli;
}

static bool are_planar(int count, const carom_fit_impact *impacts)
{
    for (int i = 0; i < count; i++) {
        const carom_problem *p = &impacts[i].problem;
        if (impacts[i].contacts ? impacts[i].contacts->dim > 2 : p->K.t22 != 0 || p->u.t2 != 0)
            return false;
    }
    return true;
}

static carom_fit_task task_of(const carom_law *law, const carom_together *together, int impact_count,
                              const carom_fit_impact *impacts)
{
    carom_fit_task task = {
        .rule = carom_rule_default(law), .together = together, .impact_count = impact_count, .impacts = impacts};
    bool planar = are_planar(impact_count, impacts);
    const uint64_t uses = carom_fit_uses(&task);
    task.unit_count = 1;
    task.seed = SEED;
    task.intervals = true;
    for (int i = 0; i < CAROM_COEFF_COUNT && task.free_count < CAROM_FIT_SHARED; i++) {
        carom_fit_free *f = &task.free[task.free_count];
        bool spatial = i == CAROM_COEFF_ratio_2 || i == CAROM_COEFF_turn;
        bool used = uses >> i & 1 && i != CAROM_COEFF_mu_s && !(spatial && planar);
        f->coeff = i;
        if (used && carom_fit_bounds(law, i, &f->min, &f->max))
            task.free_count++;
    }
    return task;
}

carom_fit_task carom_fit_task_default(const carom_law *law, int impact_count, const carom_fit_impact *impacts)
{
    return task_of(law, NULL, impact_count, impacts);
}

carom_fit_task carom_fit_task_together(const carom_together *law, const carom_law *base, int impact_count,
                                       const carom_fit_impact *impacts)
{
    return task_of(base ? base : carom_law_find("newton"), law, impact_count, impacts);
}

/* ---- memory ---- */

static void count_parameters(fit_work *w)
{
    for (int i = 0; i < w->task->free_count; i++)
        if (w->task->free[i].local)
            w->of_local[w->local++] = i;
        else
            w->of_shared[w->shared++] = i;
    w->units = w->local > 0 ? w->task->unit_count : 1;
    w->total = w->shared + w->units * w->local;
}

static size_t doubles(const fit_work *w)
{
    size_t n = (size_t)fit_columns(w), total = (size_t)w->total, units = (size_t)w->units;
    return VECTORS * total + 2 * units * n * n + units * (n - 1) * (n - 1) + (size_t)(w->shared * w->shared);
}

static size_t rounded(size_t bytes)
{
    return (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

size_t carom_fit_memory(const carom_fit_task *task)
{
    fit_work w = {.task = task};
    count_parameters(&w);
    return doubles(&w) * sizeof(double) + rounded((size_t)w.total * sizeof(carom_fit_estimate)) +
           rounded(2 * (size_t)w.total * sizeof(bool));
}

static double *take(double **at, size_t count)
{
    double *block = *at;
    *at += count;
    return block;
}

/* The parts of the memory; the estimates and their covariance are at its beginning. */
static void cut(fit_work *w, void *memory, carom_fit_result *result)
{
    size_t n = (size_t)fit_columns(w), total = (size_t)w->total, units = (size_t)w->units;
    result->parameters = memory;
    double *at = (double *)(void *)((char *)memory + rounded(total * sizeof(carom_fit_estimate)));
    result->covariance = take(&at, (size_t)(w->shared * w->shared));
    result->inverse = w->inverse = take(&at, units * (n - 1) * (n - 1));
    double **vectors[VECTORS] = {&w->x, &w->trial, &w->try, &w->step, &w->spare, &w->stds, &w->warm, &w->near};
    for (int i = 0; i < VECTORS; i++)
        *vectors[i] = take(&at, total);
    w->units_T = take(&at, units * n * n);
    w->units_R = take(&at, units * n * n);
    w->held = (bool *)at;
    w->stuck = w->held + total;
}

static void fit_open(fit_work *w, const carom_fit_task *task, void *memory, carom_fit_result *result)
{
    static const fit_work nothing;
    *w = nothing;
    w->task = task;
    count_parameters(w);
    cut(w, memory, result);
    memset(w->held, 0, 2 * (size_t)w->total * sizeof(bool));
    for (int j = 0; j < w->total; j++)
        w->x[j] = (fit_free(w, j)->min + fit_free(w, j)->max) / 2;
    memcpy(w->trial, w->x, (size_t)w->total * sizeof *w->x);
}

bool fit_tell(fit_work *w, double more)
{
    w->done += more;
    if (!w->stopped && w->task->watch)
        w->stopped = !w->task->watch(w->task->context, min(w->done / w->whole, 1));
    return !w->stopped;
}

/* ---- checks ---- */

static bool are_bounds(const carom_fit_task *task)
{
    for (int i = 0; i < task->free_count; i++)
        if (!(task->free[i].min <= task->free[i].max) || !isfinite(task->free[i].min) || !isfinite(task->free[i].max))
            return false;
    return true;
}

static bool are_impacts(const carom_fit_task *task)
{
    for (int i = 0; i < task->impact_count; i++) {
        const carom_fit_impact *impact = &task->impacts[i];
        if (impact->count < 0 || impact->count > CAROM_FIT_MEASURED || impact->unit < 0 ||
            impact->unit >= task->unit_count || !(impact->weight >= 0) || carom_fit_width(impact) > CAROM_FIT_WIDTH)
            return false;
    }
    return true;
}

static carom_status check(const fit_work *w)
{
    const carom_fit_task *task = w->task;
    long scalars = 0;
    for (int i = 0; i < task->impact_count; i++)
        scalars += task->impacts[i].count;
    if (task->impact_count < 1 || w->total < 1 || w->shared > CAROM_FIT_SHARED || w->local > CAROM_FIT_LOCAL ||
        !are_impacts(task) || scalars < w->total)
        return CAROM_STATUS_BAD_SIZE;
    return are_bounds(task) ? CAROM_STATUS_OK : CAROM_STATUS_BAD_COEFFICIENT;
}

/* Why the law has no answer anywhere: what it says of the first impact that it refuses. */
static carom_status refusal(const fit_work *w)
{
    carom_outcome outcome;
    double p[CAROM_FIT_WIDTH];
    for (int i = 0; i < w->task->impact_count; i++) {
        const carom_coeffs c = fit_impulse_coeffs(w, i, w->x);
        carom_status status = fit_impulse(w->task, &w->task->impacts[i], &c, p, &outcome);
        if (carom_status_is_refusal(status))
            return status;
    }
    return CAROM_STATUS_OUT_OF_SCOPE;
}

/* ---- the calls ---- */

carom_status carom_fit_solve(const carom_fit_task *task, void *memory, carom_fit_result *result)
{
    static const carom_fit_result nothing;
    fit_work w;
    *result = nothing;
    if (task->free_count < 1 || task->free_count > CAROM_FIT_PARAMETERS || task->unit_count < 1)
        return result->status = CAROM_STATUS_BAD_SIZE;
    fit_open(&w, task, memory, result);
    result->status = check(&w);
    if (result->status != CAROM_STATUS_OK)
        return result->status;
    w.coarse = task->coarse;
    w.whole = STARTS + SCAN + (task->intervals ? 4 * w.shared : 0);
    double best = fit_search(&w);
    if (w.stopped)
        return result->status = CAROM_STATUS_ITERATION_LIMIT;
    if (!isfinite(best))
        return result->status = refusal(&w);
    result->objective = best;
    fit_report(&w, result);
    if (task->intervals)
        fit_intervals(&w, result);
    return result->status = w.stopped ? CAROM_STATUS_ITERATION_LIMIT : CAROM_STATUS_OK;
}

/* The estimate of a result as the point of a new work in other memory. */
static void resume(fit_work *w, const carom_fit_task *task, const carom_fit_result *result, void *memory,
                   carom_fit_result *other)
{
    fit_open(w, task, memory, other);
    for (int j = 0; j < w->total; j++)
        w->x[j] = result->parameters[j].value;
}

carom_status carom_fit_cross_validate(const carom_fit_task *task, int folds, const carom_fit_result *result,
                                      void *memory, double *score)
{
    fit_work w;
    carom_fit_result other;
    carom_outcome outcome;
    double r[CAROM_FIT_MEASURED], sum = 0, count = 0;
    resume(&w, task, result, memory, &other);
    w.coarse = true;
    *score = 0;
    if (w.local > 0 || folds < 2 || folds > task->impact_count)
        return CAROM_STATUS_BAD_SIZE;
    for (w.folds = folds; w.fold < folds; w.fold++) {
        memcpy(w.trial, w.x, (size_t)w.total * sizeof *w.x);
        fit_descend(&w, w.trial);
        fit_polish(&w, w.trial);
        fit_descend(&w, w.trial);
        for (int i = 0; i < task->impact_count; i++) {
            if (!fit_is_left_out(&w, i))
                continue;
            if (!fit_residuals(&w, i, w.trial, r, &outcome))
                return outcome.status;
            for (int k = 0; k < task->impacts[i].count; k++, count++)
                sum += r[k] * r[k];
        }
    }
    *score = count > 0 ? sum / count : 0;
    return CAROM_STATUS_OK;
}

carom_status carom_fit_profile(const carom_fit_task *task, const carom_fit_result *result, int i, double value,
                               void *memory, double *objective)
{
    fit_work w;
    carom_fit_result other;
    resume(&w, task, result, memory, &other);
    if (i < 0 || i >= w.total)
        return CAROM_STATUS_BAD_SIZE;
    *objective = fit_profile(&w, i, value, w.x, true);
    return isfinite(*objective) ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

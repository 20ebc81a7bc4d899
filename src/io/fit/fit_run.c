/* The laws of a plan, fitted and ranked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/fit_plan.h"

/* The part of the work that one law is. */
typedef struct watched {
    const carom_watcher *watcher;
    double from, to;
    bool *stopped;
} watched;

static bool watch(void *context, double share)
{
    const watched *w = context;
    if (!*w->stopped && w->watcher)
        *w->stopped = !w->watcher->watch(w->watcher->context, w->from + share * (w->to - w->from));
    return !*w->stopped;
}

static void leave_out(carom_fit_answers *answers, carom_fit_choice law, const char *why)
{
    if (answers->left_out_count < CAROM_FIT_LAWS)
        answers->left_out[answers->left_out_count++] = (carom_fit_left_out){law, why};
}

/* Why a law is fitted by name only, or null. */
static const char *needs_name(const carom_law *law)
{
    if (law->traits & CAROM_TRAIT_ANY_OUTCOME)
        return "every admissible outcome is in it, so that it would always fit";
    return law->traits & CAROM_TRAIT_CONTACT_FORCE ? "stiffnesses are fitted only where --law names the law" : NULL;
}

static bool are_several(const carom_fit_data *data)
{
    for (int i = 0; i < data->count; i++)
        if (data->impacts[i].contacts)
            return true;
    return false;
}

/* The laws of the plan, or all of one contact, or of several, but those that must be named. */
static int chosen_laws(const carom_fit_plan *p, const carom_fit_data *data, carom_fit_choice *laws,
                       carom_fit_answers *answers)
{
    const bool several = are_several(data), all = p->law_count == 0;
    int count = 0;
    for (int i = 0; i < p->law_count; i++)
        laws[count++] = p->laws[i];
    for (int i = 0; all && several && i < carom_together_count(); i++)
        laws[count++] = (carom_fit_choice){carom_law_find("newton"), carom_together_at(i)};
    for (int i = 0; all && !several && i < carom_law_count() && count < CAROM_FIT_LAWS; i++) {
        const carom_fit_choice law = {carom_law_at(i), NULL};
        if (needs_name(law.law))
            leave_out(answers, law, needs_name(law.law));
        else
            laws[count++] = law;
    }
    return count;
}

static bool start(carom_fit_answers *answers, int room, carom_case_error *error)
{
    memset(answers, 0, sizeof *answers);
    answers->list = calloc((size_t)room, sizeof *answers->list);
    answers->memory = calloc((size_t)room, sizeof *answers->memory);
    answers->own = calloc((size_t)room, sizeof *answers->own);
    answers->workspace = calloc((size_t)room, sizeof *answers->workspace);
    return (answers->list && answers->memory && answers->own && answers->workspace) ||
           carom_request_fail(error, "", "out of memory");
}

/* ---- errors before the impact ---- */

enum { PASSES = 4 };

#define SETTLED     0.01 /* deviations: an estimate that moves less has settled */
#define LEAST_SCALE 0.05 /* of the given errors: a group that fits by chance does not count without bound */

static bool needs_weights(const carom_fit_plan *p, const carom_fit_data *data)
{
    bool before = false;
    for (int i = 0; i < data->count; i++)
        before |= data->rows[i].before_count > 0;
    return before || p->group_scale;
}

/* Impacts of one law with whitened numbers of their own, in one block. */
static carom_fit_impact *copy_impacts(const carom_fit_data *data)
{
    size_t numbers = 0, count = (size_t)data->count;
    for (int i = 0; i < data->count; i++)
        numbers += (size_t)(data->impacts[i].count * (carom_fit_width(&data->impacts[i]) + 1));
    carom_fit_impact *copy = malloc(count * sizeof *copy + numbers * sizeof(double));
    double *at = (double *)(copy + count);
    for (int i = 0; i < data->count && copy; i++) {
        copy[i] = data->impacts[i];
        copy[i].A = at;
        copy[i].offset = at + carom_fit_width(&copy[i]) * copy[i].count;
        at += (carom_fit_width(&copy[i]) + 1) * copy[i].count;
    }
    return copy;
}

/* The scale of the errors of each group at the estimate; 1 everywhere without a result. */
static bool group_scales(const carom_fit_plan *p, const carom_fit_data *data, const carom_fit_answer *a, double *scale)
{
    double *count = calloc((size_t)data->group_count, sizeof *count);
    for (int g = 0; g < data->group_count && count; g++)
        scale[g] = p->group_scale && a->result.parameters ? 0 : 1;
    for (int i = 0; i < data->count && count && p->group_scale && a->result.parameters; i++) {
        carom_fit_case d;
        if (carom_fit_diagnose(&a->task, &a->result, i, &d) != CAROM_STATUS_OK)
            continue;
        for (int k = 0; k < d.count; k++)
            scale[data->rows[i].group] += d.residual[k] * d.residual[k];
        count[data->rows[i].group] += d.count;
    }
    for (int g = 0; g < data->group_count && count; g++)
        if (count[g] > 0)
            scale[g] = fmax(sqrt(scale[g] / count[g]), LEAST_SCALE);
    free(count);
    return count != NULL;
}

/* Has the estimate moved, in deviations? */
static bool has_settled(const carom_fit_result *r, const double *x)
{
    double moved = 0;
    for (int j = 0; j < r->shared_count; j++)
        if (isfinite(r->parameters[j].std) && r->parameters[j].std > 0)
            moved = fmax(moved, fabs(r->parameters[j].value - x[j]) / r->parameters[j].std);
    return moved < SETTLED;
}

/* Weigh and fit in turn; the last pass is left to the caller, who descends from start. */
static carom_status weigh_passes(const carom_fit_plan *p, const carom_fit_data *data, carom_fit_answer *a, void *memory,
                                 carom_fit_impact *impacts, double *start)
{
    double *scale = malloc(((size_t)data->group_count + 1) * sizeof *scale);
    bool intervals = a->task.intervals, settled = false;
    carom_status status = scale ? CAROM_STATUS_OK : CAROM_STATUS_NO_MEMORY;
    double *total = scale ? calloc((size_t)data->group_count + 1, sizeof *total) : NULL;
    a->task.intervals = false;
    a->task.coarse = true;
    a->task.impacts = data->impacts; /* read by the first weighing; from then on the copy */
    for (int g = 0; g < data->group_count && total; g++)
        total[g] = 1;
    for (int pass = 0; pass < PASSES && !settled && total && status == CAROM_STATUS_OK; pass++) {
        if (pass > 0 && group_scales(p, data, a, scale))
            for (int g = 0; g < data->group_count && p->group_scale; g++)
                total[g] *= scale[g];
        status = carom_fit_weigh(&a->task, data->rows, pass > 0 ? &a->result : NULL, total, impacts);
        a->task.impacts = impacts;
        a->task.start = pass > 0 ? start : NULL;
        if (status == CAROM_STATUS_OK)
            status = carom_fit_solve(&a->task, memory, &a->result);
        settled = status == CAROM_STATUS_OK && pass > 0 && !p->group_scale && has_settled(&a->result, start);
        for (int j = 0; j < a->result.shared_count && status == CAROM_STATUS_OK; j++)
            start[j] = a->result.parameters[j].value;
    }
    free(scale);
    free(total);
    a->task.intervals = intervals;
    a->task.coarse = false;
    a->task.start = start;
    return status;
}

/* Fit the task that stands at the end of the list. */
static bool fit_next(const carom_fit_plan *p, const carom_fit_data *data, watched *w, carom_fit_answers *answers,
                     carom_case_error *error)
{
    carom_fit_answer *a = &answers->list[answers->count];
    void *memory = malloc(carom_fit_answer_memory(&a->task)), *workspace = malloc(carom_fit_workspace(&a->task) + 1);
    if (!memory || !workspace) {
        free(memory);
        free(workspace);
        return carom_request_fail(error, "", "out of memory");
    }
    a->task.workspace = workspace;
    a->task.watch = watch;
    a->task.context = w;
    a->folds = p->folds;
    double start[CAROM_FIT_SHARED];
    carom_fit_impact *own = needs_weights(p, data) ? copy_impacts(data) : NULL;
    a->status = own ? weigh_passes(p, data, a, memory, own, start) : CAROM_STATUS_OK;
    if (a->status == CAROM_STATUS_OK)
        (void)!carom_fit_answer_make(a, data->rows, memory);
    a->task.start = NULL;
    a->task.watch = NULL;
    a->task.context = NULL;
    if (a->status == CAROM_STATUS_OK) {
        answers->own[answers->count] = own;
        answers->workspace[answers->count] = workspace;
        answers->memory[answers->count++] = memory;
        return true;
    }
    free(own);
    free(memory);
    free(workspace);
    char name[CAROM_FIT_LAW_NAME];
    carom_fit_law_name(carom_fit_law_of(&a->task), name);
    return carom_request_fail(error, "data", "%s cannot be fitted: %s", name, carom_status_message(a->status));
}

static bool fit_one(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                    carom_fit_answers *answers, carom_case_error *error)
{
    watched w = {watcher, 0, 1, &answers->stopped};
    const carom_fit_choice law = {p->law, p->together};
    return carom_fit_plan_task(p, law, data, false, &answers->list[0].task, error) &&
           fit_next(p, data, &w, answers, error);
}

static bool fit_all(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                    carom_fit_answers *answers, carom_case_error *error)
{
    carom_fit_choice laws[CAROM_FIT_LAWS];
    int tried = chosen_laws(p, data, laws, answers);
    for (int i = 0; i < tried && !answers->stopped; i++) {
        carom_fit_answer *a = &answers->list[answers->count];
        watched w = {watcher, (double)i / tried, (i + 1.0) / tried, &answers->stopped};
        memset(a, 0, sizeof *a);
        if (!carom_fit_plan_task(p, laws[i], data, true, &a->task, error)) {
            leave_out(answers, laws[i],
                      are_several(data) && !laws[i].together
                          ? "is a law of one contact, and the data have several"
                          : "has no free coefficient, or more than there are numbers");
            continue;
        }
        a->task.intervals = false;
        if (!fit_next(p, data, &w, answers, error))
            leave_out(answers, laws[i], carom_status_message(a->status));
    }
    if (answers->count == 0)
        return carom_request_fail(error, "data", "no law can be fitted to these data");
    carom_fit_rank(answers->list, answers->count);
    return true;
}

bool carom_fit_run(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                   carom_fit_answers *answers, carom_case_error *error)
{
    memset(answers, 0, sizeof *answers);
    if (data->no_errors && !p->scale)
        return carom_request_fail(error, "data",
                                  "line %ld gives no errors: give \"sigma\" or \"covariance\", or fit with noise scale",
                                  data->no_errors);
    return start(answers, p->law ? 1 : CAROM_FIT_LAWS, error) &&
           (p->law ? fit_one : fit_all)(p, data, watcher, answers, error);
}

void carom_fit_answers_free(carom_fit_answers *answers)
{
    for (int i = 0; i < answers->count && answers->memory; i++)
        free(answers->memory[i]);
    for (int i = 0; i < answers->count && answers->own; i++)
        free(answers->own[i]);
    for (int i = 0; i < answers->count && answers->workspace; i++)
        free(answers->workspace[i]);
    free(answers->workspace);
    free(answers->own);
    free(answers->list);
    free(answers->memory);
    memset(answers, 0, sizeof *answers);
}

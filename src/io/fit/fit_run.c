/* The laws of a plan, fitted and ranked. */
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

/* The laws of the plan, or all that need no stiffness. `region` holds all admissible outcomes: by name only. */
static int chosen_laws(const carom_fit_plan *p, const carom_law **laws)
{
    int count = 0;
    for (int i = 0; i < p->law_count; i++)
        laws[count++] = p->laws[i];
    for (int i = 0; p->law_count == 0 && i < carom_law_count() && count < CAROM_FIT_LAWS; i++) {
        const carom_law *law = carom_law_at(i);
        if (!(law->traits & (CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_ANY_OUTCOME)))
            laws[count++] = law;
    }
    return count;
}

static bool start(carom_fit_answers *answers, int room, carom_case_error *error)
{
    memset(answers, 0, sizeof *answers);
    answers->list = calloc((size_t)room, sizeof *answers->list);
    answers->memory = calloc((size_t)room, sizeof *answers->memory);
    return (answers->list && answers->memory) || carom_request_fail(error, "", "out of memory");
}

/* Fit the task that stands at the end of the list. */
static bool fit_next(const carom_fit_plan *p, const carom_fit_data *data, watched *w, carom_fit_answers *answers,
                     carom_case_error *error)
{
    carom_fit_answer *a = &answers->list[answers->count];
    void *memory = malloc(carom_fit_answer_memory(&a->task));
    if (!memory)
        return carom_request_fail(error, "", "out of memory");
    a->task.watch = watch;
    a->task.context = w;
    a->folds = p->folds;
    (void)!carom_fit_answer_make(a, data->rows, memory);
    a->task.watch = NULL;
    a->task.context = NULL;
    if (a->status == CAROM_STATUS_OK) {
        answers->memory[answers->count++] = memory;
        return true;
    }
    free(memory);
    return carom_request_fail(error, "data", "%s cannot be fitted: %s", a->task.rule.law->id,
                              carom_status_message(a->status));
}

static bool fit_one(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                    carom_fit_answers *answers, carom_case_error *error)
{
    watched w = {watcher, 0, 1, &answers->stopped};
    return carom_fit_plan_task(p, p->law, data, false, &answers->list[0].task, error) &&
           fit_next(p, data, &w, answers, error);
}

static void leave_out(carom_fit_answers *answers, const carom_law *law, carom_status status)
{
    answers->left_out[answers->left_out_count++] = (carom_fit_left_out){law, status};
}

static bool fit_all(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                    carom_fit_answers *answers, carom_case_error *error)
{
    const carom_law *laws[CAROM_FIT_LAWS];
    int tried = chosen_laws(p, laws);
    for (int i = 0; i < tried && !answers->stopped; i++) {
        carom_fit_answer *a = &answers->list[answers->count];
        watched w = {watcher, (double)i / tried, (i + 1.0) / tried, &answers->stopped};
        memset(a, 0, sizeof *a);
        if (!carom_fit_plan_task(p, laws[i], data, true, &a->task, error)) {
            leave_out(answers, laws[i], CAROM_STATUS_BAD_SIZE);
            continue;
        }
        a->task.intervals = false;
        if (!fit_next(p, data, &w, answers, error))
            leave_out(answers, laws[i], a->status);
    }
    if (answers->count == 0)
        return carom_request_fail(error, "data", "no law can be fitted to these data");
    carom_fit_rank(answers->list, answers->count);
    return true;
}

bool carom_fit_run(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                   carom_fit_answers *answers, carom_case_error *error)
{
    return start(answers, p->law ? 1 : CAROM_FIT_LAWS, error) &&
           (p->law ? fit_one : fit_all)(p, data, watcher, answers, error);
}

void carom_fit_answers_free(carom_fit_answers *answers)
{
    for (int i = 0; i < answers->count && answers->memory; i++)
        free(answers->memory[i]);
    free(answers->list);
    free(answers->memory);
    memset(answers, 0, sizeof *answers);
}

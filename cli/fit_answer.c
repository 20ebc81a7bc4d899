#include "fit_answer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

#define TIE        1e-8 /* of chi2: laws that coincide on the data */
#define VARIES     0.02 /* a spread of angles or speeds below this, relative, is no order to test along */
#define SUSPICIOUS 1e-3 /* p-values below this are worth a note */
#define FAR_FROM_1 1.5  /* scale of the errors, or one over it */

bool fit_is_determined(const carom_fit_estimate *p)
{
    return p->state != CAROM_FIT_FLAT && p->state != CAROM_FIT_COMBINED;
}

/* ---- making ---- */

typedef struct watched {
    progress *bar;
    double from, to;
} watched;

static bool watch(void *context, double share)
{
    const watched *w = context;
    if (w->bar && progress_is_due(w->bar))
        progress_note(w->bar, w->from + share * (w->to - w->from), "fitting");
    return !output_is_stopped();
}

/* ---- runs tests ---- */

typedef struct sorted_residual {
    double key, residual;
} sorted_residual;

static int by_key(const void *a, const void *b)
{
    double x = ((const sorted_residual *)a)->key, y = ((const sorted_residual *)b)->key;
    return (x > y) - (x < y);
}

/* Residuals of the number with this label. */
static int residuals_of(const fit_answer *answer, const carom_fit_data *data, const char *label, bool angle,
                        sorted_residual *list)
{
    carom_fit_case d;
    int count = 0;
    for (int i = 0; i < data->count; i++) {
        const carom_fit_row *row = &data->rows[i];
        if (carom_fit_diagnose(&answer->task, &answer->result, i, &d) != CAROM_STATUS_OK)
            continue;
        for (int k = 0; k < row->count; k++)
            if (strcmp(row->label[k], label) == 0) {
                sorted_residual here = {angle ? row->angle : row->speed, d.residual[k]};
                list[count++] = here;
            }
    }
    return count;
}

static void test_runs(fit_answer *answer, const carom_fit_data *data, const char *label, bool angle)
{
    sorted_residual *list = must_have(malloc((size_t)data->count * sizeof *list));
    double *signs = must_have(malloc((size_t)data->count * sizeof *signs));
    fit_runs *r = &answer->runs[answer->runs_count];
    r->count = residuals_of(answer, data, label, angle, list);
    qsort(list, (size_t)r->count, sizeof *list, by_key);
    bool varies = r->count > 1 && list[r->count - 1].key > list[0].key * (1 + VARIES);
    for (int i = 0; i < r->count; i++)
        signs[i] = list[i].residual;
    r->p = carom_fit_runs(r->count, signs, &r->runs);
    r->along = angle ? "angle" : "speed";
    r->component = label;
    answer->runs_count += varies;
    free(list);
    free(signs);
}

/* Every measured number, along the angle and along the speed. */
static void test_all_runs(fit_answer *answer, const carom_fit_data *data)
{
    const char *seen[FIT_RUNS];
    int count = 0;
    for (int i = 0; i < data->count; i++)
        for (int k = 0; k < data->rows[i].count; k++) {
            bool known = count >= FIT_RUNS / 2;
            for (int s = 0; s < count; s++)
                known |= strcmp(seen[s], data->rows[i].label[k]) == 0;
            if (!known)
                seen[count++] = data->rows[i].label[k];
        }
    for (int s = 0; s < count; s++) {
        test_runs(answer, data, seen[s], true);
        test_runs(answer, data, seen[s], false);
    }
}

/* ---- notes ---- */

static void note(fit_answer *answer, const char *format, ...) PRINTF_LIKE(2, 3);

static void note(fit_answer *answer, const char *format, ...)
{
    va_list arguments;
    if (answer->note_count == FIT_NOTES)
        return;
    va_start(arguments, format);
    vsnprintf(answer->notes[answer->note_count++], FIT_NOTE, format, arguments);
    va_end(arguments);
}

static int count_modes(const fit_answer *answer, const char *word)
{
    carom_fit_case d;
    int count = 0;
    for (int i = 0; i < answer->task.impact_count; i++)
        if (carom_fit_diagnose(&answer->task, &answer->result, i, &d) == CAROM_STATUS_OK && d.mode)
            count += strncmp(d.mode, word, strlen(word)) == 0;
    return count;
}

static void note_flat(fit_answer *answer, const carom_fit_estimate *p)
{
    const char *name = carom_fit_name(p->coeff);
    int impacts = answer->task.impact_count;
    bool friction = p->coeff == CAROM_COEFF_mu || p->coeff == CAROM_COEFF_mu_s;
    if (friction && count_modes(answer, "stick") == impacts)
        note(answer, "all %d impacts stick: %s has a lower limit only%s", impacts, name, "");
    else if (friction && count_modes(answer, "sl") == 0 && isfinite(p->low))
        note(answer, "no impact slips: %s has a lower limit only", name);
    else
        note(answer, "the data do not depend on %s%s: it is not identifiable", name,
             isfinite(p->low) || isfinite(p->high) ? " near its estimate" : "");
    if (isfinite(p->flat_low) && isfinite(p->flat_high) && p->flat_low < p->flat_high)
        note(answer, "chi2 is constant for %s from %.6g to %.6g", name, p->flat_low, p->flat_high);
}

static void note_parameters(fit_answer *answer)
{
    char names[FIT_NOTE] = "";
    for (int i = 0; i < answer->result.shared_count; i++) {
        const carom_fit_estimate *p = &answer->result.parameters[i];
        const char *name = carom_fit_name(p->coeff);
        size_t used = strlen(names);
        if (p->state == CAROM_FIT_FLAT)
            note_flat(answer, p);
        if (p->state == CAROM_FIT_COMBINED)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", name);
        if (p->state == CAROM_FIT_AT_MIN || p->state == CAROM_FIT_AT_MAX)
            note(answer,
                 "%s is on its bound %.6g: the interval is one-sided, and the deviations are those of the others", name,
                 p->value);
    }
    if (names[0])
        note(answer, "only a combination of %s is determined: fix one of them", names);
}

static void note_quality(fit_answer *answer)
{
    const carom_fit_result *r = &answer->result;
    double scale = r->scale_unbiased;
    if (r->clipped > 0)
        note(answer, "e(v) reaches its bound 0 or 1 in %d impact%s: they say little about e and q", r->clipped,
             r->clipped > 1 ? "s" : "");
    if (r->border_count > 0)
        note(answer, "%d impact%s within 1e-6 of a border of the law: trust the interval, not the deviation",
             r->border_count, r->border_count > 1 ? "s lie" : " lies");
    for (int i = 0; i < answer->runs_count; i++)
        if (answer->runs[i].p < SUSPICIOUS)
            note(answer, "the residuals of %s are not random along the %s (runs test, p %.1e): the law misses a trend",
                 answer->runs[i].component, answer->runs[i].along, answer->runs[i].p);
    if (answer->task.scale || answer->task.loss != CAROM_FIT_SQUARES || !isfinite(scale))
        return;
    bool small = scale < 1 / FAR_FROM_1 && r->p_value > 1 - SUSPICIOUS;
    if ((scale > FAR_FROM_1 && r->p_value < SUSPICIOUS) || small)
        note(answer, "chi2 fits errors %.3g times as large: the errors are %s%s; --noise scale estimates the factor",
             scale, small ? "too large" : "too small", small ? "" : ", or the law is wrong");
}

/* ---- one law ---- */

bool fit_answer_make(const fit_plan *plan, carom_fit_data *data, progress *bar, double from, double to,
                     fit_answer *answer)
{
    watched w = {bar, from, to};
    carom_fit_task *task = &answer->task;
    task->watch = watch;
    task->context = &w;
    answer->law = task->rule.law;
    answer->memory = must_have(malloc(carom_fit_memory(task)));
    answer->status = carom_fit_solve(task, answer->memory, &answer->result);
    if (answer->status == CAROM_STATUS_OK && plan->folds > 1 && plan->folds <= data->count && task->unit_count == 1 &&
        task->loss == CAROM_FIT_SQUARES) {
        void *other = must_have(malloc(carom_fit_memory(task)));
        answer->has_score =
            carom_fit_cross_validate(task, plan->folds, &answer->result, other, &answer->score) == CAROM_STATUS_OK;
        free(other);
    }
    task->watch = NULL;
    if (answer->status != CAROM_STATUS_OK)
        return false;
    test_all_runs(answer, data);
    note_parameters(answer);
    note_quality(answer);
    return true;
}

void fit_answer_free(fit_answer *answer)
{
    free(answer->memory);
    answer->memory = NULL;
}

/* ---- several laws ---- */

static double rank_of(const fit_answer *a)
{
    const carom_fit_result *r = &a->result;
    if (a->task.loss != CAROM_FIT_SQUARES)
        return r->objective;
    double aicc = a->task.scale ? r->criteria_scale.aicc : r->criteria.aicc;
    return isfinite(aicc) ? aicc : a->task.scale ? r->criteria_scale.aic : r->criteria.aic;
}

static bool are_tied(const fit_answer *a, const fit_answer *b)
{
    return a->result.criteria.k == b->result.criteria.k &&
           fabs(a->result.objective - b->result.objective) <= TIE * a->result.objective;
}

static void swap(fit_answer *a, fit_answer *b)
{
    fit_answer other = *a;
    *a = *b;
    *b = other;
}

/* Stable; laws that tie keep the order of the manifest. */
void fit_answers_rank(fit_answer *answers, int count)
{
    double sum = 0;
    for (int i = 1; i < count; i++)
        for (int k = i;
             k > 0 && rank_of(&answers[k]) < rank_of(&answers[k - 1]) && !are_tied(&answers[k], &answers[k - 1]); k--)
            swap(&answers[k], &answers[k - 1]);
    for (int i = 0; i < count; i++) {
        answers[i].tie = i > 0 && are_tied(&answers[i - 1], &answers[i]);
        answers[i].delta = answers[i].tie ? answers[i - 1].delta : rank_of(&answers[i]) - rank_of(&answers[0]);
        sum += exp(-answers[i].delta / 2);
    }
    for (int i = 0; i < count; i++)
        answers[i].weight = exp(-answers[i].delta / 2) / sum;
}

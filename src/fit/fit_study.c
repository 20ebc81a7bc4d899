/* A fit judged: cross-validation, trends of the residuals, notes. */
#include "carom/fit_study.h"

#include <math.h>
#include <string.h>

#define VARIES     0.02 /* of the smallest angle or speed: a smaller spread is no order to test along */
#define SUSPICIOUS 1e-3 /* p-values below this are worth a note */
#define FAR_FROM_1 1.5  /* scale of the errors, or one over it: beyond it the given errors are doubtful */

/* One residual and what it is sorted by. */
typedef struct sorted_residual {
    double key, residual;
} sorted_residual;

/* What the tests of one answer work on. */
typedef struct study {
    carom_fit_answer *answer;
    const carom_fit_row *rows;
    sorted_residual *list, *other; /* one per impact */
    double *signs;
} study;

bool carom_fit_is_determined(const carom_fit_estimate *parameter)
{
    return parameter->state != CAROM_FIT_FLAT && parameter->state != CAROM_FIT_COMBINED;
}

/* ---- runs tests ---- */

/* Merge two sorted neighbours of from into to: the first of equal keys stays first. */
static void merge(const sorted_residual *from, sorted_residual *to, int count, int half)
{
    int a = 0, b = half < count ? half : count, middle = b;
    for (int i = 0; i < count; i++) {
        bool first = a < middle && (b == count || from[a].key <= from[b].key);
        to[i] = first ? from[a++] : from[b++];
    }
}

/* Stable, in count log count steps; returns the array that holds the result. */
static sorted_residual *sort(sorted_residual *list, sorted_residual *other, int count)
{
    for (int half = 1; half < count; half *= 2) {
        for (int at = 0; at < count; at += 2 * half)
            merge(list + at, other + at, at + 2 * half < count ? 2 * half : count - at, half);
        sorted_residual *sorted = other;
        other = list;
        list = sorted;
    }
    return list;
}

/* Residuals of the number with this label; how many there are. */
static int residuals_of(const study *s, const char *label, bool along_angle)
{
    carom_fit_case d;
    int count = 0;
    for (int i = 0; i < s->answer->task.impact_count; i++) {
        const carom_fit_row *row = &s->rows[i];
        if (carom_fit_diagnose(&s->answer->task, &s->answer->result, i, &d) != CAROM_STATUS_OK)
            continue;
        for (int k = 0; k < row->count; k++)
            if (strcmp(row->label[k], label) == 0) {
                sorted_residual here = {along_angle ? row->angle : row->speed, d.residual[k]};
                s->list[count++] = here;
            }
    }
    return count;
}

static void test_trend(const study *s, const char *label, bool along_angle)
{
    carom_fit_trend *t = &s->answer->trends[s->answer->trend_count];
    t->label = label;
    t->along_angle = along_angle;
    t->count = residuals_of(s, label, along_angle);
    const sorted_residual *list = sort(s->list, s->other, t->count);
    bool varies = t->count > 1 && list[t->count - 1].key > list[0].key * (1 + VARIES);
    for (int i = 0; i < t->count; i++)
        s->signs[i] = list[i].residual;
    t->p = carom_fit_runs(t->count, s->signs, &t->runs);
    s->answer->trend_count += varies;
}

/* Every measured number, along the angle and along the speed. */
static void test_trends(const study *s)
{
    const char *seen[CAROM_FIT_TRENDS / 2];
    int count = 0;
    for (int i = 0; i < s->answer->task.impact_count; i++)
        for (int k = 0; k < s->rows[i].count; k++) {
            bool known = count == CAROM_FIT_TRENDS / 2;
            for (int j = 0; j < count && !known; j++)
                known = strcmp(seen[j], s->rows[i].label[k]) == 0;
            if (!known)
                seen[count++] = s->rows[i].label[k];
        }
    for (int j = 0; j < count; j++) {
        test_trend(s, seen[j], true);
        test_trend(s, seen[j], false);
    }
}

/* ---- notes ---- */

static void note(carom_fit_answer *answer, carom_fit_note what)
{
    if (answer->note_count < CAROM_FIT_NOTES)
        answer->notes[answer->note_count++] = what;
}

static int count_modes(const carom_fit_answer *answer, const char *word)
{
    carom_fit_case d;
    int count = 0;
    for (int i = 0; i < answer->task.impact_count; i++)
        if (carom_fit_diagnose(&answer->task, &answer->result, i, &d) == CAROM_STATUS_OK && d.mode)
            count += strncmp(d.mode, word, strlen(word)) == 0;
    return count;
}

static void note_flat(carom_fit_answer *answer, int i)
{
    const carom_fit_estimate *p = &answer->result.parameters[i];
    int impacts = answer->task.impact_count;
    bool friction = p->coeff == CAROM_COEFF_mu || p->coeff == CAROM_COEFF_mu_s;
    if (friction && count_modes(answer, "stick") == impacts)
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_STICKS, i, impacts, 0, 0});
    else if (friction && count_modes(answer, "sl") == 0 && isfinite(p->low))
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_NO_SLIP, i, impacts, 0, 0});
    else
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_UNKNOWN, i, isfinite(p->low) || isfinite(p->high), 0, 0});
    if (isfinite(p->flat_low) && isfinite(p->flat_high) && p->flat_low < p->flat_high)
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_CONSTANT, i, 0, p->flat_low, p->flat_high});
}

static void note_parameters(carom_fit_answer *answer)
{
    int combined = -1;
    for (int i = 0; i < answer->result.shared_count; i++) {
        const carom_fit_estimate *p = &answer->result.parameters[i];
        if (p->state == CAROM_FIT_FLAT)
            note_flat(answer, i);
        if (p->state == CAROM_FIT_COMBINED)
            combined = i;
        if (p->state == CAROM_FIT_AT_MIN || p->state == CAROM_FIT_AT_MAX)
            note(answer, (carom_fit_note){CAROM_FIT_NOTE_AT_BOUND, i, 0, p->value, p->value});
    }
    if (combined >= 0)
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_COMBINED, combined, 0, 0, 0});
}

static void note_errors(carom_fit_answer *answer)
{
    const carom_fit_result *r = &answer->result;
    double scale = r->scale_unbiased;
    if (answer->task.scale || answer->task.loss != CAROM_FIT_SQUARES || !isfinite(scale))
        return;
    bool small = scale < 1 / FAR_FROM_1 && r->p_value > 1 - SUSPICIOUS;
    if ((scale > FAR_FROM_1 && r->p_value < SUSPICIOUS) || small)
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_ERRORS, 0, small, scale, scale});
}

static void note_quality(carom_fit_answer *answer)
{
    const carom_fit_result *r = &answer->result;
    if (r->clipped > 0)
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_CLIPPED, 0, r->clipped, 0, 0});
    if (r->border_count > 0)
        note(answer, (carom_fit_note){CAROM_FIT_NOTE_BORDER, 0, r->border_count, 0, 0});
    for (int i = 0; i < answer->trend_count; i++)
        if (answer->trends[i].p < SUSPICIOUS)
            note(answer, (carom_fit_note){CAROM_FIT_NOTE_TREND, 0, i, 0, 0});
    note_errors(answer);
}

/* ---- one law ---- */

/* Whole doubles, so that what follows is aligned. */
static size_t fit_bytes(const carom_fit_task *task)
{
    return (carom_fit_memory(task) + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

size_t carom_fit_answer_memory(const carom_fit_task *task)
{
    size_t tests = (size_t)task->impact_count * (2 * sizeof(sorted_residual) + sizeof(double));
    return fit_bytes(task) + (fit_bytes(task) > tests ? fit_bytes(task) : tests);
}

static bool can_validate(const carom_fit_answer *answer)
{
    const carom_fit_task *task = &answer->task;
    return answer->folds > 1 && answer->folds <= task->impact_count && task->unit_count == 1 &&
           task->loss == CAROM_FIT_SQUARES;
}

carom_status carom_fit_answer_make(carom_fit_answer *answer, const carom_fit_row *rows, void *memory)
{
    const carom_fit_task *task = &answer->task;
    const size_t count = (size_t)task->impact_count;
    void *rest = (char *)memory + fit_bytes(task);
    answer->note_count = answer->trend_count = 0;
    answer->status = carom_fit_solve(task, memory, &answer->result);
    if (answer->status != CAROM_STATUS_OK)
        return answer->status;
    answer->has_score = can_validate(answer) && carom_fit_cross_validate(task, answer->folds, &answer->result, rest,
                                                                         &answer->score) == CAROM_STATUS_OK;
    sorted_residual *list = rest;
    study s = {answer, rows, list, list + count, (double *)(list + 2 * count)};
    test_trends(&s);
    note_parameters(answer);
    note_quality(answer);
    return CAROM_STATUS_OK;
}

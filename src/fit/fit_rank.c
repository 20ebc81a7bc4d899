/* Laws beside each other on the same data. */
#include <math.h>

#include "carom/elementary.h"
#include "carom/fit_study.h"

#define TIE                                                                                                            \
    1e-8 /* of the objective: laws that coincide on the data differ by rounding and by where a descent ended           \
          */

static double rank_of(const carom_fit_answer *a)
{
    const carom_fit_result *r = &a->result;
    if (a->task.loss != CAROM_FIT_SQUARES)
        return r->objective;
    double aicc = a->task.scale ? r->criteria_scale.aicc : r->criteria.aicc;
    return isfinite(aicc) ? aicc : a->task.scale ? r->criteria_scale.aic : r->criteria.aic;
}

static bool are_tied(const carom_fit_answer *a, const carom_fit_answer *b)
{
    return a->result.criteria.k == b->result.criteria.k &&
           fabs(a->result.objective - b->result.objective) <= TIE * a->result.objective;
}

static void swap(carom_fit_answer *a, carom_fit_answer *b)
{
    carom_fit_answer other = *a;
    *a = *b;
    *b = other;
}

void carom_fit_rank(carom_fit_answer *answers, int count)
{
    double sum = 0;
    for (int i = 1; i < count; i++)
        for (int k = i;
             k > 0 && rank_of(&answers[k]) < rank_of(&answers[k - 1]) && !are_tied(&answers[k], &answers[k - 1]); k--)
            swap(&answers[k], &answers[k - 1]);
    for (int i = 0; i < count; i++) {
        answers[i].tie = i > 0 && are_tied(&answers[i - 1], &answers[i]);
        answers[i].delta = answers[i].tie ? answers[i - 1].delta : rank_of(&answers[i]) - rank_of(&answers[0]);
        sum += carom_exp(-answers[i].delta / 2);
    }
    for (int i = 0; i < count; i++)
        answers[i].weight = carom_exp(-answers[i].delta / 2) / sum;
}

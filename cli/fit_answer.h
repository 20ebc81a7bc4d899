/* A fit that was made, and what there is to say about it. */
#ifndef CAROM_CLI_FIT_ANSWER_H
#define CAROM_CLI_FIT_ANSWER_H

#include "carom/fit_data.h"
#include "fit_task.h"
#include "json.h"
#include "progress.h"

enum { FIT_NOTES = 16, FIT_NOTE = 240, FIT_RUNS = 32 };

/* The runs test of one measured number along the angle of incidence or the speed. */
typedef struct fit_runs {
    const char *along, *component;
    int runs, count;
    double p;
} fit_runs;

typedef struct fit_answer {
    const carom_law *law;
    carom_status status;
    carom_fit_task task;
    carom_fit_result result;
    void *memory;
    bool has_score, tie;
    double score, delta, weight;
    int note_count, runs_count;
    char notes[FIT_NOTES][FIT_NOTE];
    fit_runs runs[FIT_RUNS];
} fit_answer;

/* Fit one law and look at the result: cross-validation, runs tests, notes. False when it was refused or stopped;
 * answer->status says why. */
bool fit_answer_make(const fit_plan *plan, carom_fit_data *data, progress *bar, double from, double to,
                     fit_answer *answer);
void fit_answer_free(fit_answer *answer);

/* Sort by AICc (a robust loss: by the objective), mark ties, and give Akaike weights. */
void fit_answers_rank(fit_answer *answers, int count);

/* The answer with the keys of docs/guide/fit.md. */
json_t *fit_answer_json(const fit_answer *answer, const fit_plan *plan, const carom_fit_data *data, const char *file);
json_t *fit_answer_row_json(const fit_answer *answer);

/* For people. */
void fit_answer_print(const fit_answer *answer, const fit_plan *plan, const carom_fit_data *data, const char *file);
void fit_answer_print_impacts(const fit_answer *answer, const carom_fit_data *data);
void fit_answers_print(const fit_answer *answers, int count, const carom_fit_data *data, const char *file);

/* Is there a number for this parameter, or only limits? */
bool fit_is_determined(const carom_fit_estimate *p);

#endif

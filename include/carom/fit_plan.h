/* Carom: a fit as it is asked for in words, by the command line, by Python and by JavaScript. Library carom-io; not
 * part of carom/carom.h.
 *
 *     carom_fit_data data = {0};                            carom/fit_data.h fills it
 *     carom_fit_plan plan = carom_fit_plan_default();
 *     carom_fit_plan_set(&plan, "law", "bilinear", &error);
 *     carom_fit_plan_set(&plan, "loss", "huber:1.345", &error);
 *     carom_fit_answers answers;
 *     if (!carom_fit_run(&plan, &data, NULL, &answers, &error))
 *         puts(error.message);
 *     carom_json *json = carom_fit_json(&answers, &plan, &data, "glass.jsonl");
 *     ...
 *     carom_fit_answers_free(&answers);
 *
 * Without a law every law that applies is fitted, and they are ranked. carom/fit_study.h has the numbers alone. */
#ifndef CAROM_FIT_PLAN_H
#define CAROM_FIT_PLAN_H

#include "carom/fit_data.h"
#include "carom/fit_study.h"
#include "carom/settings.h"

CAROM_BEGIN

enum { CAROM_FIT_NAMES = 16, CAROM_FIT_LAWS = 32, CAROM_FIT_FOLDS = 5, CAROM_FIT_NOTE_SIZE = 240 };

typedef struct carom_fit_range {
    int coeff;
    double min, max;
} carom_fit_range;

/* A law to fit: of one contact; or of several, with the law of one contact that it repeats, "sequential:routh-stronge".
 */
typedef struct carom_fit_choice {
    const carom_law *law;           /* never null; of together the law that it repeats, newton where none is named */
    const carom_together *together; /* or null */
} carom_fit_choice;

/* What is asked for, for any law. */
typedef struct carom_fit_plan {
    const carom_law *law;           /* null: compare laws */
    const carom_together *together; /* beside law: see carom_fit_choice */
    int law_count;                  /* of those to compare; 0: all that apply */
    carom_fit_choice laws[CAROM_FIT_LAWS];
    carom_settings settings; /* known coefficients and options */
    int free_count, local_count;
    carom_fit_range free[CAROM_FIT_NAMES]; /* bounds are infinite where they were not given */
    int local[CAROM_FIT_NAMES];            /* values per impact or per group */
    bool per_impact, per_group, scale, intervals;
    bool group_scale; /* a scale of the errors for every group */
    bool by_group;    /* groups are left out as wholes in cross-validation */
    bool impacts;     /* the JSON has an entry per impact */
    carom_fit_loss loss;
    double loss_parameter;
    carom_of_speed e_of_speed, mu_of_speed; /* from and to are those of the data */
    bool q_known;                           /* of e: q is not fitted */
    int folds;
    uint64_t seed;
} carom_fit_plan;

CAROM_API carom_fit_plan carom_fit_plan_default(void);

/* Set one option by its word, as docs/guide/fit.md lists them with underscores for hyphens: law (several
 * with commas are compared; laws of several contacts may name the one they repeat, sequential:routh-stronge), fix,
 * free, per, of_speed, loss, noise, folds, seed, intervals and impacts ("true", "false"). fix, free, per and of_speed
 * may be repeated. False for a word or a value that is not known. */
CAROM_API CAROM_MUST_USE bool carom_fit_plan_set(carom_fit_plan *p, const char *option, const char *text,
                                                 carom_case_error *error);

/* A plan from the JSON of its options, {"law": "bilinear", "fix": {"e": 0.9}}. */
CAROM_API CAROM_MUST_USE bool carom_fit_plan_read(carom_fit_plan *p, const char *options, carom_case_error *error);

/* The task of one law on these data; the units of local parameters are written into the impacts. False when the plan
 * does not suit the law; with quiet, options that mean nothing to this law are passed over. */
CAROM_API CAROM_MUST_USE bool carom_fit_plan_task(const carom_fit_plan *p, carom_fit_choice choice,
                                                  carom_fit_data *data, bool quiet, carom_fit_task *task,
                                                  carom_case_error *error);

/* A law that was not fitted, and why. */
typedef struct carom_fit_left_out {
    carom_fit_choice law;
    const char *why; /* lives for ever */
} carom_fit_left_out;

typedef struct carom_fit_answers {
    int count; /* best first */
    carom_fit_answer *list;
    void **memory;    /* of their results */
    void **own;       /* impacts of each law, where velocities before have errors */
    void **workspace; /* of each law of several contacts */
    int left_out_count;
    carom_fit_left_out left_out[CAROM_FIT_LAWS];
    bool stopped; /* the watch ended it */
} carom_fit_answers;

/* Fit the law of the plan, or all; watcher may be null. False, with the answers empty, when there is none. */
CAROM_API CAROM_MUST_USE bool carom_fit_run(const carom_fit_plan *p, carom_fit_data *data, const carom_watcher *watcher,
                                            carom_fit_answers *answers, carom_case_error *error);
CAROM_API void carom_fit_answers_free(carom_fit_answers *answers);

/* ---- words ---- */

enum { CAROM_FIT_LAW_NAME = 64 };

/* The law as --law takes it. */
CAROM_API void carom_fit_law_name(carom_fit_choice choice, char text[CAROM_FIT_LAW_NAME]);

static inline carom_fit_choice carom_fit_law_of(const carom_fit_task *task)
{
    carom_fit_choice choice = {task->rule.law, task->together};
    return choice;
}

/* A note as a sentence. */
CAROM_API void carom_fit_note_text(const carom_fit_answer *answer, const carom_fit_note *note,
                                   char text[CAROM_FIT_NOTE_SIZE]);

/* The answer with the keys of docs/guide/fit.md; "compare" where laws were ranked. file names the data. */
CAROM_API carom_json *carom_fit_json(const carom_fit_answers *answers, const carom_fit_plan *p,
                                     const carom_fit_data *data, const char *file);

CAROM_END

#endif

/* Carom: one case or one scene at many values of its inputs. Library carom-io; not part of carom/carom.h.
 *
 *     carom_sweep s = {.v = {.seed = 1, .draws = 1000}, .c = &c, .settings = &settings};
 *     if (!carom_vary_add(&s.v, "vary", "mu=0.1:0.5:21", &error) || !carom_sweep_check(&s, &error))
 *         puts(error.message);
 *     carom_sweep_point p;
 *     if (carom_sweep_open(&p, &s, &error))                   one per thread
 *         for (long i = 0; i < carom_sweep_total(&s); i++)
 *             if (carom_sweep_solve(&p, i, &error))
 *                 carom_sweep_number(&p, k);
 *     carom_sweep_close(&p);
 *
 * A row of the table has the values of the variables, then words (law, status, mode, flags; of a scene why its run
 * ended), then numbers: as in carom/quantities.h, or the records of a scene. */
#ifndef CAROM_SWEEP_H
#define CAROM_SWEEP_H

#include "carom/inputs.h"
#include "carom/quantities.h"
#include "carom/records.h"
#include "carom/settings.h"

CAROM_BEGIN

#define CAROM_SWEEP_POINTS 1e9 /* at most */

typedef struct carom_sweep {
    carom_variables v;
    const carom_settings *settings; /* of a case */
    const carom_case *c;            /* a case, or null: */
    const carom_scene_file *file;   /* a scene, ... */
    carom_scene_change change;      /* what changes it, ... */
    carom_records records;          /* and the numbers of its end */
} carom_sweep;

/* The way of one thread from values to answers. */
typedef struct carom_sweep_point {
    const carom_sweep *sweep;
    long number;
    double values[CAROM_STUDY_VARIABLES];
    carom_inputs input;
    carom_case c; /* the case at hand, ... */
    bool read;    /* ... read at these values of its paths, with the settings */
    double read_at[CAROM_STUDY_VARIABLES];
    carom_result result;
    double numbers[CAROM_RECORDS]; /* of the run at hand */
    carom_sim_stop stop;
    bool solved;
    carom_status status;    /* of the answer, or of the refusal */
    long refused, first_at; /* points; the number of the first of them, ... */
    carom_case_error first; /* ... and why */
} carom_sweep_point;

/* Something is varied, paths lead to numbers, the law uses what is varied, and the points are not too many. */
CAROM_API CAROM_MUST_USE bool carom_sweep_check(const carom_sweep *s, carom_case_error *error);

/* Warn of coefficients that are varied and that the law of the case does not use. False when warnings are errors. */
CAROM_API CAROM_MUST_USE bool carom_sweep_warn(const carom_sweep *s, carom_settings *settings, carom_case *c,
                                               carom_case_error *error);

CAROM_API long carom_sweep_total(const carom_sweep *s);

/* Names of the columns besides the variables. */
CAROM_API int carom_sweep_words(const carom_sweep *s);
CAROM_API const char *carom_sweep_word_name(const carom_sweep *s, int k);
CAROM_API int carom_sweep_numbers(const carom_sweep *s);
CAROM_API const char *carom_sweep_number_name(const carom_sweep *s, int k);

/* Names of records that are varied too become "end.NAME": call it once variables and records are known. */
CAROM_API void carom_sweep_tell_apart(carom_sweep *s);

CAROM_API CAROM_MUST_USE bool carom_sweep_open(carom_sweep_point *p, const carom_sweep *s, carom_case_error *error);
CAROM_API void carom_sweep_close(carom_sweep_point *p);

/* Point number i; false when it is refused, with the reason. */
CAROM_API bool carom_sweep_solve(carom_sweep_point *p, long i, carom_case_error *error);

/* The same in two steps, for those who solve many points at once: read and check the case of a point; then finish it
 * with the outcome of carom_solve for p->c, which must be plain (carom_case_is_plain), or null: it is solved here. */
CAROM_API bool carom_sweep_prepare(carom_sweep_point *p, long i, carom_case_error *error);
CAROM_API bool carom_sweep_finish(carom_sweep_point *p, const carom_outcome *outcome, carom_case_error *error);

/* What the point at hand has; of a refused one numbers are NaN. */
CAROM_API double carom_sweep_number(const carom_sweep_point *p, int k);
CAROM_API void carom_sweep_word(const carom_sweep_point *p, int k, char text[CAROM_QUANTITY_WORD]);

/* The same as {vary, ...}: an answer, or {status, record}; error is null where the point was solved. */
CAROM_API carom_json *carom_sweep_json(const carom_sweep_point *p, const carom_case_error *error);

CAROM_END

#endif

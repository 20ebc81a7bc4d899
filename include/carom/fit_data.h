/* Carom: files of recorded impacts, for carom/fit.h. Library carom-io; not part of carom/carom.h.
 *
 *     carom_fit_data data = {0};
 *     while (...)                                             JSON Lines: a case and "measured" on each line
 *         if (!carom_fit_data_add(&data, &text, &error))
 *             puts(error.message);
 *     task = carom_fit_task_default(law, data.count, data.impacts);
 *     ...
 *     carom_fit_data_free(&data);
 *
 * A table of comma-separated values is one text with a header: carom_fit_data_add_csv. The keys and columns are listed
 * in docs/guide/fit.md. */
#ifndef CAROM_FIT_DATA_H
#define CAROM_FIT_DATA_H

#include "carom/case.h"
#include "carom/fit_study.h"

CAROM_BEGIN

typedef struct carom_fit_data {
    int count, room;
    carom_fit_impact *impacts;
    carom_fit_row *rows;
    int group_count, group_room;
    char **groups;  /* group 0 holds the rows without a word */
    long no_errors; /* line of an impact without errors, which are then 1 m/s (spins: at the contact); 0: none */
} carom_fit_data;

/* One line of JSON Lines. On failure the data are as before. */
CAROM_API CAROM_MUST_USE bool carom_fit_data_add(carom_fit_data *data, const carom_text *text, carom_case_error *error);

/* A whole table with its header. */
CAROM_API CAROM_MUST_USE bool carom_fit_data_add_csv(carom_fit_data *data, const carom_text *text,
                                                     carom_case_error *error);

/* A whole text, JSON Lines or a table by its first character; no impacts are an error. */
CAROM_API CAROM_MUST_USE bool carom_fit_data_add_text(carom_fit_data *data, const carom_text *text,
                                                      carom_case_error *error);

/* One impact from numbers: K (dim x dim) and u before it, and u measured after it with its covariance (dim x dim); a
 * NaN was not measured. group is a word, or null. dim is 2 (t, n) or 3 (t1, t2, n). number is its place, for messages.
 */
typedef struct carom_fit_numbers {
    int dim;
    const double *K, *u, *u_after, *covariance;
    double weight;
    const char *group;
    long number;
} carom_fit_numbers;

CAROM_API CAROM_MUST_USE bool carom_fit_data_add_numbers(carom_fit_data *data, const carom_fit_numbers *numbers,
                                                         carom_case_error *error);

CAROM_API void carom_fit_data_free(carom_fit_data *data);

CAROM_END

#endif

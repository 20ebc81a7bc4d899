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
#include "carom/fit.h"

CAROM_BEGIN

enum { CAROM_FIT_LABEL = 24 }; /* bytes of the name of a measured number */

/* What a row says besides its numbers. */
typedef struct carom_fit_row {
    char *name; /* or null */
    long line;
    int group; /* into groups */
    int dim;
    double angle, speed;            /* of incidence, from the normal, rad; |u| */
    int count;                      /* scalars measured, by their place below */
    double *measured;               /* count: the measured values, in their own units */
    double *sigma;                  /* count: the square roots of the diagonal of their covariance */
    double *before, *A;             /* count, count x 3 by rows: the prediction is before + A p */
    char (*label)[CAROM_FIT_LABEL]; /* count: "u_t", "a.omega.z", "qdot.0" */
    double u_after[3];              /* t1, t2, n measured directly; u_known says which */
    double u_sigma[3];
    unsigned u_known; /* bits */
} carom_fit_row;

typedef struct carom_fit_data {
    int count, room;
    carom_fit_impact *impacts;
    carom_fit_row *rows;
    int group_count, group_room;
    char **groups; /* group 0 is that of rows without a word */
} carom_fit_data;

/* One line of JSON Lines. On failure the data are as before. */
CAROM_API CAROM_MUST_USE bool carom_fit_data_add(carom_fit_data *data, const carom_text *text, carom_case_error *error);

/* A whole table with its header. */
CAROM_API CAROM_MUST_USE bool carom_fit_data_add_csv(carom_fit_data *data, const carom_text *text,
                                                     carom_case_error *error);

CAROM_API void carom_fit_data_free(carom_fit_data *data);

CAROM_END

#endif

/* One recorded impact on its way into carom_fit_data. */
#ifndef CAROM_IO_FIT_ROWS_H
#define CAROM_IO_FIT_ROWS_H

#include "carom/fit_data.h"
#include "io/case/reader.h"

enum { SLOTS = CAROM_FIT_MEASURED, WIDTH = CAROM_FIT_WIDTH };

/* Places where a number can be measured, in order; missing ones are left out when the measurement is complete. */
typedef struct measurement {
    int count;
    int width;                      /* numbers of the impulse: columns of A */
    const carom_contacts *contacts; /* several, or null */
    bool known[SLOTS];
    double value[SLOTS], before[SLOTS], A[SLOTS][WIDTH];
    double covariance[SLOTS * SLOTS]; /* of all places, count x count by rows */
    char label[SLOTS][CAROM_FIT_LABEL];
    double weight;
    const char *name, *group;
    bool no_errors;  /* none were given: the covariance means 1 m/s */
    bool is_contact; /* the places are components of u_after */
    bool has_before; /* the velocities before have errors, at the same places: */
    double before_S[SLOTS * SLOTS], before_G[SLOTS][WIDTH];
    int slot[SLOTS];
} measurement;

/* The places of u_after, with their labels. */
void rows_contact(measurement *m, const carom_problem *p, int dim);

/* One more place. */
void rows_place(measurement *m, const char *label, double before, const double *A);

/* Add the measurement to the data; contacts are copied. */
typedef enum add_trouble { ADD_FINE, ADD_NO_MEMORY, ADD_SINGULAR } add_trouble;

add_trouble rows_add(carom_fit_data *data, const carom_problem *problem, int dim, long line, measurement *m);

#endif

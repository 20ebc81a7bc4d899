/* Carom: points along the path inside an impact, at one contact or at several. Library carom-io; not part of
 * carom/carom.h.
 *
 *     carom_trace t = {.wanted = 200};
 *     if (!carom_trace_take(&t, &c, &error))          the law of the case has a path
 *         puts(error.message);
 *     carom_trace_csv(stdout, &t);
 *     carom_trace_free(&t); */
#ifndef CAROM_TRACE_H
#define CAROM_TRACE_H

#include "carom/case.h"

CAROM_BEGIN

enum { CAROM_TRACE_FIELDS = 12, CAROM_TRACE_WORD = 24 };

/* A number, components along the contact axes (tangents alone where there is one less; with a patch moments or spins
 * follow), a list of numbers, the word of the mode, or a number for the mode of one of several contacts. */
typedef enum carom_trace_kind {
    CAROM_TRACE_NUMBER,
    CAROM_TRACE_AXES,
    CAROM_TRACE_LIST,
    CAROM_TRACE_MODE,
    CAROM_TRACE_CONTACT_MODE
} carom_trace_kind;

/* What a point has: an entry in JSON, one column per number in CSV. */
typedef struct carom_trace_field {
    const char *key;
    carom_trace_kind kind;
    int size;         /* numbers at a contact */
    bool per_contact; /* they are repeated for each of several contacts */
    int at;           /* the first of them in a row */
} carom_trace_field;

typedef struct carom_trace {
    int wanted; /* points along the path of one contact, about; set by the caller */
    int dim, contacts;
    bool together;
    carom_trace_field fields[CAROM_TRACE_FIELDS];
    int field_count;
    int width, count, room;
    double *numbers;                  /* width per point */
    const char **modes;               /* of each point: the stretch that ends there */
    char (*events)[CAROM_TRACE_WORD]; /* of each point: the word of an event there, or empty */
    bool lost;                        /* memory ended */
    carom_status status;              /* of the solution */
    carom_json *answer;               /* to the case */
} carom_trace;

/* Solve the case and take points; every stretch has its ends, and every event is one of the points. False when the
 * law refuses the case, or memory ends; the caller frees it either way. */
CAROM_API CAROM_MUST_USE bool carom_trace_take(carom_trace *t, const carom_case *c, carom_case_error *error);

CAROM_API void carom_trace_free(carom_trace *t);

/* {name, law, status, ..., points, events}; a table with a head. */
CAROM_API carom_json *carom_trace_json(const carom_trace *t);
CAROM_API void carom_trace_csv(FILE *out, const carom_trace *t);

CAROM_END

#endif

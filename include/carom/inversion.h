/* Carom: inverse impacts as they are asked for in words: which inputs of a case give a wanted outcome. Library
 * carom-io; not part of carom/carom.h.
 *
 *     carom_inversion s = {0};
 *     carom_inversion_want(&s, "u_after=0.2,_,0.8", &error);
 *     carom_inversion_vary(&s, "bodies.a.velocity", &error);
 *     if (carom_inversion_solve(&s, &c, &error))
 *         s.found.solutions[0].controls[0] ...
 *     carom_inversion_free(&s);
 *
 * carom/invert.h has the search. */
#ifndef CAROM_INVERSION_H
#define CAROM_INVERSION_H

#include "carom/inputs.h"
#include "carom/invert.h"

CAROM_BEGIN

enum { CAROM_INVERSION_NAMES = 512 };

/* One wanted number: which, and its value. */
typedef struct carom_wish {
    char name[CAROM_STUDY_NAME];
    double value;
    double deviation; /* its error, or zero where it is exact */
} carom_wish;

typedef struct carom_inversion {
    char names[CAROM_INVERSION_NAMES]; /* of what varies, with commas */
    int wish_count;
    carom_wish wishes[CAROM_INVERT_WISHES];
    int sigma_count;
    carom_wish sigmas[CAROM_INVERT_WISHES]; /* deviations as given, by name */
    carom_variables v;
    double start[CAROM_STUDY_VARIABLES];
    carom_inputs input;
    carom_result result;
    carom_invert_task task;
    carom_invert_result found;
} carom_inversion;

/* A wish, "u_after=0.3,0.5" or "bodies.a.velocity=1,_,2" (_: a number that does not matter), and names of inputs:
 * coefficients, paths of numbers or of arrays of numbers, or u for reduced.u. Both may be repeated. */
CAROM_API CAROM_MUST_USE bool carom_inversion_want(carom_inversion *s, const char *text, carom_case_error *error);
/* Standard deviations of the wishes, in the words of wishes: "u_after=0.01,_,0.02". All of them or none. */
CAROM_API CAROM_MUST_USE bool carom_inversion_sigma(carom_inversion *s, const char *text, carom_case_error *error);
CAROM_API CAROM_MUST_USE bool carom_inversion_vary(carom_inversion *s, const char *text, carom_case_error *error);

/* Solve the case and search. Free s either way. */
CAROM_API CAROM_MUST_USE bool carom_inversion_solve(carom_inversion *s, const carom_case *c, carom_case_error *error);
CAROM_API void carom_inversion_free(carom_inversion *s);

CAROM_API carom_json *carom_inversion_json(const carom_inversion *s, const carom_case *c);

CAROM_END

#endif

/* Carom: parameters of contact forces and coefficients of restitution, each from the other, by names. The functions
 * themselves are in carom/convert.h. Library carom-io; not part of carom/carom.h.
 *
 *     carom_conversion c = {0};
 *     if (!carom_conversion_set(&c, "mass=0.1", &error) || ... || !carom_conversion_go(&c, "spring-dashpot", &error))
 *         puts(error.message);
 *     for (int i = 0; i < c.count; i++)
 *         printf("%s %g %s\n", c.names[i], c.values[i], c.units[i]); */
#ifndef CAROM_CONVERSION_H
#define CAROM_CONVERSION_H

#include "carom/case.h"

CAROM_BEGIN

enum { CAROM_CONVERSION_GIVEN = 16, CAROM_CONVERSION_RESULTS = 24, CAROM_CONVERSION_KEY = 24 };

typedef struct carom_conversion {
    int given;
    char keys[CAROM_CONVERSION_GIVEN][CAROM_CONVERSION_KEY];
    double inputs[CAROM_CONVERSION_GIVEN];
    unsigned used; /* which of them, as bits */
    int count;
    const char *names[CAROM_CONVERSION_RESULTS], *units[CAROM_CONVERSION_RESULTS];
    double values[CAROM_CONVERSION_RESULTS];
    const char *warning;     /* a sentence, or null */
    carom_case_error *error; /* the first refusal goes here */
    bool failed;
} carom_conversion;

/* "KEY=VALUE". */
CAROM_API CAROM_MUST_USE bool carom_conversion_set(carom_conversion *c, const char *assignment,
                                                   carom_case_error *error);

/* Convert; `carom convert --help` lists the kinds. */
CAROM_API CAROM_MUST_USE bool carom_conversion_go(carom_conversion *c, const char *kind, carom_case_error *error);

/* Their names, ended by null. */
CAROM_API const char *const *carom_conversion_kinds(void);

CAROM_END

#endif

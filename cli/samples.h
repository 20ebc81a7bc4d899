/* Points along the path inside an impact, taken while the law walks it. */
#ifndef CAROM_CLI_SAMPLES_H
#define CAROM_CLI_SAMPLES_H

#include <stdbool.h>

#include "carom/carom.h"
#include "carom/case.h"

typedef struct sample {
    carom_state at;
    const char *mode;  /* "slip", "stick": the stretch that ends here */
    const char *event; /* the word of an event here, or empty */
} sample;

typedef struct samples {
    sample *list;
    int count, room;
    int wanted;   /* points along the whole path, about */
    double total; /* normal impulse of the whole path */
    bool lost;    /* memory ended */
} samples;

/* Take about wanted points along the path of a case that has been solved; every stretch has its ends and every event is
 * one of the points. False when memory ends. */
bool samples_take(samples *s, const carom_case *c, const carom_result *result);

void samples_free(samples *s);

#endif

/* What was checked, what was violated, and one example of each violation. */
#ifndef CAROM_TESTS_PROPERTY_TALLY_H
#define CAROM_TESTS_PROPERTY_TALLY_H

#include <stdint.h>
#include <stdio.h>

#include "draws.h"

typedef enum property {
#define PROPERTY(name, word, meaning) PROPERTY_##name,
#include "properties.def"
#undef PROPERTY
    PROPERTY_COUNT
} property;

enum { LAWS_MOST = 48, DETAIL = 120 };

/* One impact, its answer, and the dice that further draws about it come from. */
typedef struct trial {
    int law; /* position in the registry */
    kind kind;
    carom_problem pb;
    carom_patch_problem patch; /* in place of pb, where the distribution has a patch */
    carom_rule rule;
    carom_outcome out;
    carom_status status;
    dice *d;
} trial;

/* The first violation of a property by a law on a distribution. */
typedef struct example {
    carom_problem pb;
    carom_patch_problem patch;
    carom_rule rule;
    char detail[DETAIL];
} example;

typedef struct tally {
    int law;                                         /* whose problems are being solved */
    uint64_t reached;                                /* how far the count of the seed has come */
    uint64_t problems[LAWS_MOST], solved[LAWS_MOST]; /* drawn; and impacts solved: a problem in several forms */
    uint64_t partial[LAWS_MOST];                     /* answers that ended at a bound */
    uint64_t undecided;
    uint64_t checked[LAWS_MOST][PROPERTY_COUNT];
    uint64_t violated[LAWS_MOST][PROPERTY_COUNT][KIND_COUNT];
    example first[LAWS_MOST][PROPERTY_COUNT][KIND_COUNT];
} tally;

const char *property_word(property p);

/* Problems drawn, and impacts solved, over all laws. */
uint64_t tally_problems(const tally *t);
uint64_t tally_solved(const tally *t);

/* Count one check of a property; on a violation keep the example. detail is a printf format. */
void tally_check(tally *t, const trial *x, property p, bool holds, const char *detail, ...)
    __attribute__((format(printf, 5, 6)));

/* Add the counts and examples of another tally. */
void tally_add(tally *sum, const tally *part);

/* Violations that known.def does not list. */
uint64_t tally_unknown(const tally *t);

/* A table of violations per law and property, then one case line per law, property and distribution. */
void tally_print(const tally *t, FILE *file);

#endif

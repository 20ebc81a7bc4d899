/* Carom: one computation at many values of its inputs: grids, lists and random draws.
 *
 *     carom_variables v = {.seed = 1, .draws = 1000};
 *     v.list[v.count++] = (carom_variable){.name = "e", .from = 0.4, .to = 0.9, .count = 6};              a grid
 *     v.list[v.count++] = (carom_variable){.name = "mu", .random = true, .from = 0.1, .to = 0.2, .count = 1};
 *     for (long i = 0; i < (long)carom_study_total(&v); i++)
 *         carom_study_values(&v, i, values);                 values[0] is e, values[1] mu of point i
 *
 * The values of a point depend on its number and the seed alone: any share of the points, in any order, on any machine,
 * gives the same numbers. carom/inputs.h reads variables from words and puts values into cases and scenes. */
#ifndef CAROM_STUDY_H
#define CAROM_STUDY_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/coeffs.h"
#include "carom/export.h"

CAROM_BEGIN

enum { CAROM_STUDY_VARIABLES = 8, CAROM_STUDY_NAME = 96 };

typedef struct carom_variable {
    char name[CAROM_STUDY_NAME];
    carom_coeff coeff; /* CAROM_COEFF_COUNT: not a coefficient */
    bool random, normal;
    int part;        /* of a random orientation: 1 to 4 for w, x, y, z, which follow each other in the list; else 0 */
    double from, to; /* of a normal distribution: mean and deviation */
    double *list;    /* or null: a grid from from to to */
    long count;      /* values of a list or grid; 1 for random ones */
} carom_variable;

typedef struct carom_variables {
    int count;
    carom_variable list[CAROM_STUDY_VARIABLES];
    long draws; /* of the random ones, together */
    uint64_t seed;
} carom_variables;

/* How many points there are: a double, for it may be more than a long holds. */
CAROM_API double carom_study_total(const carom_variables *v);

/* The values of point number i, 0 <= i < total. The first variable changes slowest. */
CAROM_API void carom_study_values(const carom_variables *v, long i, double values[CAROM_STUDY_VARIABLES]);

CAROM_END

#endif

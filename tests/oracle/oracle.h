/* A system of differential equations with events, integrated by CVODE of SUNDIALS: what every oracle here uses. */
#ifndef CAROM_TESTS_ORACLE_H
#define CAROM_TESTS_ORACLE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "carom/carom.h"
#include "support/corpus.h"

enum { CASES = 50, DRAWS = 1000 };
#define AGREEMENT 1e-8

typedef enum oracle_next { ORACLE_GO_ON, ORACLE_OVER, ORACLE_LOST } oracle_next;

/* Every event is a function that falls to zero. `event` may change the state and what `rates` does next. */
typedef struct oracle_system {
    int states, events;
    void (*rates)(const void *model, const double *y, double *dy);
    void (*tests)(const void *model, const double *y, double *g);
    oracle_next (*event)(void *model, double *y, const int *found);
    void *model;
} oracle_system;

/* From y, which becomes the last state; the time. NaN when the end is not reached within the bounds. */
double oracle_integrate(const oracle_system *system, double *y);

/* Compares the law with a second answer on CASES random cases; the number of failures. `second` is false for a case
 * outside its equations, which does not count. */
typedef struct oracle_answer {
    carom_cvec p;
    double duration;
} oracle_answer;

typedef struct oracle_case {
    carom_problem pb;
    carom_rule rule;
} oracle_case;

int oracle_compare(const char *id, oracle_case (*draw)(dice *d, const char *id),
                   bool (*second)(const oracle_case *c, const carom_outcome *out, oracle_answer *answer));

oracle_case oracle_draw(dice *d, const char *id, bool planar);
bool oracle_split_mass(const oracle_case *c, const carom_outcome *out, oracle_answer *answer);
bool oracle_mindlin(const oracle_case *c, const carom_outcome *out, oracle_answer *answer);

#endif

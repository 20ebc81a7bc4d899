/* Comparing an answer with what a case expects. */
#ifndef CAROM_CLI_CHECK_H
#define CAROM_CLI_CHECK_H

#include <stdbool.h>

#include "carom/case.h"
#include "json.h"

typedef struct check {
    double tolerance;
    double error; /* the largest relative error of a number, and where it is */
    char worst[32];
    bool sensitive; /* words differ, but a change of a few ulp in the input brings the expected ones */
    int failures;
    char why[200]; /* the first failure */
} check;

/* The tolerance of a case: the larger of least and 16 error_bound + 16 u, plus cond(K) 1e-16 where K was assembled. */
double check_tolerance(const carom_case *c, double least);

/* Compare every key of "expect" with the answer; the case must have been solved into result. */
check check_answer(const carom_case *c, const carom_result *result, const json_t *answer, double least);

/* Count a failure, and keep the words of the first. */
void check_fail(check *out, const char *format, ...);

/* The largest number anywhere in a value. */
double check_largest(const json_t *value);

/* Is this list under this key the expected one (same_list.c)? The word of an entry: an event counts as its kind. */
bool check_same_list(const carom_case *c, const carom_result *result, const char *key, const json_t *want,
                     const json_t *got);
const char *check_word(const json_t *entry);

/* The number of right decimal digits of a relative error, at most 17. */
double check_digits(double error);

#endif

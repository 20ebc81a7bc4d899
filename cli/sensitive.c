#include "sensitive.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { INPUTS = 9 + CAROM_COEFF_COUNT }; /* K, u and the coefficients */

static const int ulps[] = {1, 4, 16}; /* how far to look, both ways */

/* What the answer to a shifted problem must have. */
typedef struct wanted {
    const char *mode, *key;
    const json_t *words;
} wanted;

static bool answers_as_wanted(const carom_case *trial, const wanted *w, carom_result *result)
{
    (void)carom_case_solve(trial, result);
    if (w->mode)
        return result->outcome.mode && strcmp(result->outcome.mode, w->mode) == 0;
    json_t *answer = carom_case_answer(trial, result);
    bool same = check_same_words(w->words, json_object_get(answer, w->key));
    json_decref(answer);
    return same;
}

/* Input i of the problem: read it when shift is null, else move it. */
static double *input_at(carom_case *c, int i)
{
    carom_problem *pb = &c->problem;
    double *inputs[9] = {&pb->u.t1,  &pb->u.t2,  &pb->u.n,   &pb->K.t11, &pb->K.t12,
                         &pb->K.t22, &pb->K.t1n, &pb->K.t2n, &pb->K.nn};
    return i < 9 ? inputs[i] : NULL;
}

static double shifted(double value, int steps)
{
    for (int i = 0; i < (steps < 0 ? -steps : steps); i++)
        value = nextafter(value, steps < 0 ? -INFINITY : INFINITY);
    return value;
}

static carom_case shifted_case(const carom_case *c, int i, int steps)
{
    carom_case trial = *c;
    trial.source = CAROM_SOURCE_REDUCED; /* only the reduced problem matters */
    double *input = input_at(&trial, i);
    if (input)
        *input = shifted(*input, steps);
    else {
        carom_coeff k = (carom_coeff)(i - 9);
        carom_coeffs_set(&trial.rule.coeffs, k, shifted(carom_coeffs_get(&trial.rule.coeffs, k), steps));
    }
    return trial;
}

/* Inputs that are exactly zero, and coefficients the law does not use, stay. */
static bool may_move(const carom_case *c, int i)
{
    carom_case copy = *c;
    double *input = input_at(&copy, i);
    if (input)
        return *input != 0;
    double value = carom_coeffs_get(&c->rule.coeffs, (carom_coeff)(i - 9));
    return c->rule.law->uses >> (i - 9) & 1 && value > 0;
}

static bool search(const carom_case *c, const wanted *w)
{
    carom_result result = {0};
    bool found = false;
    for (int i = 0; i < INPUTS && !found; i++)
        for (int k = 0; k < 6 && !found && may_move(c, i); k++) {
            carom_case trial = shifted_case(c, i, k % 2 ? -ulps[k / 2] : ulps[k / 2]);
            found = answers_as_wanted(&trial, w, &result);
        }
    carom_result_free(&result);
    return found;
}

bool sensitive_mode(const carom_case *c, const char *mode)
{
    wanted w = {mode ? mode : "", NULL, NULL};
    return search(c, &w);
}

bool sensitive_list(const carom_case *c, const char *key, const json_t *words)
{
    wanted w = {NULL, key, words};
    return search(c, &w);
}

#include "sensitive.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { NUMBERS = 9, INPUTS = NUMBERS + CAROM_COEFF_COUNT }; /* of u and K, and the coefficients */

static const int shifts[] = {1, -1, 4, -4, 16, -16}; /* how far to look, in ulp */

enum { SHIFTS = sizeof shifts / sizeof shifts[0] };

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

/* Number i of u and K, or null when i means a coefficient. */
static double *input_at(carom_case *c, int i)
{
    carom_problem *pb = &c->problem;
    double *inputs[NUMBERS] = {&pb->u.t1,  &pb->u.t2,  &pb->u.n,   &pb->K.t11, &pb->K.t12,
                               &pb->K.t22, &pb->K.t1n, &pb->K.t2n, &pb->K.nn};
    return i < NUMBERS ? inputs[i] : NULL;
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
        carom_coeff k = (carom_coeff)(i - NUMBERS);
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
    double value = carom_coeffs_get(&c->rule.coeffs, (carom_coeff)(i - NUMBERS));
    return c->rule.law->uses >> (i - NUMBERS) & 1 && value > 0;
}

static bool search(const carom_case *c, const wanted *w)
{
    carom_result result = {0};
    bool found = false;
    for (int i = 0; i < INPUTS && !found; i++)
        for (int k = 0; k < SHIFTS && !found && may_move(c, i); k++) {
            carom_case trial = shifted_case(c, i, shifts[k]);
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

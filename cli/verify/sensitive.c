#include "sensitive.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "check.h"

enum { NUMBERS = 9, INPUTS = NUMBERS + CAROM_COEFF_COUNT }; /* of u and K, and the coefficients */

static const int shifts[] = {1, -1, 4, -4, 16, -16}; /* how far to look, in ulp */

#define HALF_ULP (DBL_EPSILON / 2) /* an ulp of a number just below one */

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
static double *number_at(carom_case *c, int i)
{
    carom_problem *pb = &c->problem;
    double *numbers[NUMBERS] = {&pb->u.t1,  &pb->u.t2,  &pb->u.n,   &pb->K.t11, &pb->K.t12,
                                &pb->K.t22, &pb->K.t1n, &pb->K.t2n, &pb->K.nn};
    return i < NUMBERS ? numbers[i] : NULL;
}

/* What an ulp is measured by: the whole vector u, the entry of K itself (zeros of K have a meaning and stay), one for
 * coefficients. Zero means that the number may not move: the absent direction of a planar case, unused coefficients. */
static double scale_of(const carom_case *c, int i)
{
    const carom_cvec *u = &c->problem.u;
    carom_case copy = *c;
    if (i >= NUMBERS)
        return c->rule.law->uses >> (i - NUMBERS) & 1 ? 1 : 0;
    if (i == 1 && c->dim == 2)
        return 0;
    return i < 3 ? fmax(fabs(u->n), fmax(fabs(u->t1), fabs(u->t2))) : fabs(*number_at(&copy, i));
}

static carom_case shifted_case(const carom_case *c, int i, double shift)
{
    carom_case trial = *c;
    trial.source = CAROM_SOURCE_REDUCED; /* only the reduced problem matters */
    double *number = number_at(&trial, i);
    carom_coeff k = (carom_coeff)(i - NUMBERS);
    if (number)
        *number += shift;
    else
        carom_coeffs_set(&trial.rule.coeffs, k, carom_coeffs_get(&trial.rule.coeffs, k) + shift);
    return trial;
}

static bool search(const carom_case *c, const wanted *w)
{
    carom_result result = {0};
    bool found = false;
    for (int i = 0; i < INPUTS && !found; i++)
        for (int k = 0; k < SHIFTS && !found && scale_of(c, i) > 0; k++) {
            carom_case trial = shifted_case(c, i, shifts[k] * HALF_ULP * scale_of(c, i));
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

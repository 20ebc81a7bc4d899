#include "sensitive.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { NUMBERS = 9 }; /* of u and K of one contact; its coefficients follow */

static const int shifts[] = {1, -1, 4, -4, 16, -16}; /* how far to look, in ulp */

#define HALF_ULP (DBL_EPSILON / 2) /* an ulp of a number just below one */

enum { SHIFTS = sizeof shifts / sizeof shifts[0] };

/* The case with its own u and K, of which the reduced problem is all that matters; and what its answer must have. */
typedef struct search {
    carom_case c;
    carom_result result;
    double *u, *K; /* contacts together */
    const char *mode, *key;
    const json_t *words;
} search;

static bool answers_as_wanted(search *s)
{
    (void)carom_case_solve(&s->c, &s->result);
    if (s->mode)
        return s->result.outcome.mode && strcmp(s->result.outcome.mode, s->mode) == 0;
    json_t *answer = carom_case_answer(&s->c, &s->result);
    bool same = check_same_list(&s->c, &s->result, s->key, s->words, json_object_get(answer, s->key));
    json_decref(answer);
    return same;
}

/* ---- the inputs that may move ---- */

static int input_count(const search *s)
{
    return s->c.together ? 2 * s->c.count * s->c.dim : NUMBERS + CAROM_COEFF_COUNT;
}

/* Entry i of the diagonal of K. */
static double *diagonal(search *s, int i)
{
    const carom_contacts *x = &s->c.contacts;
    const int contact = i / x->dim, axis = i % x->dim;
    int block = x->row[contact];
    while (x->column[block] != contact)
        block++;
    return &s->K[(block * x->dim + axis) * x->dim + axis];
}

/* Number i of u and K, or null when i means a coefficient. */
static double *number_at(search *s, int i)
{
    carom_problem *pb = &s->c.problem;
    double *numbers[NUMBERS] = {&pb->u.t1,  &pb->u.t2,  &pb->u.n,   &pb->K.t11, &pb->K.t12,
                                &pb->K.t22, &pb->K.t1n, &pb->K.t2n, &pb->K.nn};
    const int n = s->c.count * s->c.dim;
    if (s->c.together)
        return i < n ? &s->u[i] : diagonal(s, i - n);
    return i < NUMBERS ? numbers[i] : NULL;
}

static double get(search *s, int i)
{
    const double *number = number_at(s, i);
    return number ? *number : carom_coeffs_get(&s->c.rule.coeffs, (carom_coeff)(i - NUMBERS));
}

static void put(search *s, int i, double value)
{
    double *number = number_at(s, i);
    if (number)
        *number = value;
    else
        carom_coeffs_set(&s->c.rule.coeffs, (carom_coeff)(i - NUMBERS), value);
}

/* What an ulp is measured by: all of u, the entry of K itself (zeros of K have a meaning and stay), one for
 * coefficients. Zero means that the number may not move: the absent direction of a planar case, unused coefficients. */
static double scale_of(search *s, int i)
{
    const int velocities = s->c.together ? s->c.count * s->c.dim : 3;
    double speed = 0;
    if (!number_at(s, i))
        return (double)(s->c.rule.law->uses >> (i - NUMBERS) & 1);
    if (i >= velocities)
        return fabs(get(s, i));
    if (!s->c.together && i == 1 && s->c.dim == 2)
        return 0;
    for (int k = 0; k < velocities; k++)
        speed = fmax(speed, fabs(get(s, k)));
    return speed;
}

/* ---- the search ---- */

static bool try_all(search *s)
{
    for (int i = 0; i < input_count(s); i++) {
        const double value = get(s, i), scale = scale_of(s, i);
        for (int k = 0; k < SHIFTS && scale > 0; k++) {
            put(s, i, value + shifts[k] * HALF_ULP * scale);
            if (answers_as_wanted(s))
                return true;
        }
        put(s, i, value);
    }
    return false;
}

/* Contacts together keep u and K in arrays: the search has its own. */
static bool copy_arrays(search *s)
{
    carom_contacts *x = &s->c.contacts;
    const size_t n = (size_t)(x->count * x->dim), entries = (size_t)x->row[x->count] * (size_t)(x->dim * x->dim);
    s->u = malloc((n + entries) * sizeof *s->u);
    if (!s->u)
        return false;
    s->K = s->u + n;
    memcpy(s->u, x->u, n * sizeof *s->u);
    memcpy(s->K, x->K, entries * sizeof *s->K);
    x->u = s->u;
    x->K = s->K;
    return true;
}

static bool find(search *s)
{
    s->c.source = CAROM_SOURCE_REDUCED; /* only the reduced problem matters */
    const bool found = (!s->c.together || copy_arrays(s)) && try_all(s);
    carom_result_free(&s->result);
    free(s->u);
    return found;
}

bool sensitive_mode(const carom_case *c, const char *mode)
{
    search s = {.c = *c, .mode = mode ? mode : ""};
    return find(&s);
}

bool sensitive_list(const carom_case *c, const char *key, const json_t *words)
{
    search s = {.c = *c, .key = key, .words = words};
    return find(&s);
}

#include "check_derivatives.h"

#include <math.h>
#include <stdio.h>

#define CLOSED_TOL 1e-13 /* laws without a path */
#define PATH_TOL   1e-10
#define BOUNDS     64    /* times error_bound */
#define ZERO       1e-30 /* a matrix whose largest entry is below this is zero: computed with 50 digits and more */

double check_derivative_tolerance(const carom_case *c, const json_t *expect)
{
    const double bound = json_number_value(json_object_get(json_object_get(expect, "derivatives"), "error_bound"));
    const bool closed = c->rule.law && !(c->rule.law->traits & CAROM_TRAIT_HAS_PATH);
    return fmax(closed ? CLOSED_TOL : PATH_TOL, BOUNDS * bound);
}

static void compare_number(check *out, const char *key, double expected, const json_t *got, double scale)
{
    double error = json_is_number(got) ? fabs(json_number_value(got) - expected) / scale : INFINITY;
    if (!(error <= out->error)) {
        out->error = error;
        snprintf(out->worst, sizeof out->worst, "%s", key);
    }
    if (!(error <= out->tolerance))
        check_fail(out, "%s: expected %.17g, got %.17g (error %.2g, tolerance %.2g)", key, expected,
                   json_number_value(got), error, out->tolerance);
}

/* Arrays of numbers, however deep. */
static void compare(check *out, const char *key, const json_t *expected, const json_t *got, double scale)
{
    size_t i;
    json_t *entry;
    if (json_is_number(expected)) {
        compare_number(out, key, json_number_value(expected), got, scale);
        return;
    }
    if (json_array_size(expected) != json_array_size(got)) {
        check_fail(out, "%s: expected %zu rows or numbers, got %zu", key, json_array_size(expected),
                   json_array_size(got));
        return;
    }
    json_array_foreach((json_t *)expected, i, entry)
    {
        compare(out, key, entry, json_array_get(got, i), scale);
    }
}

/* A matrix against its largest entry; one that is zero against the size of what cancels in it. */
static void compare_matrix(check *out, const char *key, const json_t *expected, const json_t *got, double cancels)
{
    double scale = check_largest(json_object_get(expected, key));
    compare(out, key, json_object_get(expected, key), json_object_get(got, key), scale > ZERO ? scale : cancels);
}

static void compare_columns(check *out, const char *key, const json_t *expected, const json_t *got, double least)
{
    const char *name;
    json_t *column;
    json_object_foreach(json_object_get(expected, key), name, column)
    {
        char full[32];
        snprintf(full, sizeof full, "%s.%s", key, name);
        compare(out, full, column, json_object_get(json_object_get(got, key), name),
                fmax(check_largest(column), least));
    }
}

typedef struct sizes {
    double p, u;
} sizes;

static void compare_side(check *out, const json_t *expected, const json_t *got, sizes s)
{
    compare_matrix(out, "p_u", expected, got, s.p / s.u);
    compare_matrix(out, "p_K", expected, got, s.p);
    compare_columns(out, "p_coeffs", expected, got, s.p);
    compare_matrix(out, "u_after_u", expected, got, 1);
    compare_matrix(out, "u_after_K", expected, got, s.p);
    compare_columns(out, "u_after_coeffs", expected, got, s.u);
}

/* On a border the answer is one of the two sides. */
static check best_side(const check *before, const json_t *sides, const json_t *got, sizes s)
{
    check best = *before;
    for (size_t i = 0; i < json_array_size(sides); i++) {
        check next = *before;
        compare_side(&next, json_array_get(sides, i), got, s);
        if (i == 0 || next.failures < best.failures || (next.failures == best.failures && next.error < best.error))
            best = next;
    }
    return best;
}

void check_derivatives(const carom_case *c, const json_t *expect, const json_t *got, check *out)
{
    const json_t *expected = json_object_get(expect, "derivatives"), *sides = json_object_get(expected, "one_sided");
    const carom_cvec u = c->problem.u;
    const sizes s = {check_largest(json_object_get(expect, "p")), fmax(fabs(u.t1), fmax(fabs(u.t2), fabs(u.n)))};
    if (!got) {
        check_fail(out, "derivatives: missing");
        return;
    }
    if (json_is_true(json_object_get(expected, "nonsmooth")) != json_is_true(json_object_get(got, "nonsmooth")))
        check_fail(out, "derivatives.nonsmooth: expected %s",
                   json_is_true(json_object_get(expected, "nonsmooth")) ? "true" : "false");
    if (sides)
        *out = best_side(out, sides, got, s);
    else
        compare_side(out, expected, got, s);
}

void check_saltation(const json_t *expect, const json_t *got, check *out)
{
    const json_t *expected = json_object_get(expect, "saltation");
    compare(out, "saltation", expected, got, check_largest(expected));
}

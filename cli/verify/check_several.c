/* Impulses are judged by the largest expected one, velocities by the larger of before and after, the energy by the sum
 * of its terms, bodies by their own motion and the largest relative velocity. Where contacts are redundant the case
 * says p_free: then the velocity, the cone and the residual of the law are judged, not p. */
#include "check_several.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "sensitive_several.h"

#define HALF_ULP       (DBL_EPSILON / 2)
#define ULPS           16    /* of slack, for error_bound and for rounding */
#define ASSEMBLY_SHARE 1e-16 /* of cond(K): rounding in K */
#define ASSEMBLY_MOST  1e-10
#define PATH_LEAST     1e-11 /* laws with a path, and sequences that never end */
#define ZERO_EIGEN     1e-11 /* of the largest eigenvalue */

enum { CONDITION_MOST = 32 }; /* contacts whose K has its condition computed */

typedef struct judge {
    const carom_case *c;
    const carom_result *result;
    const json_t *expect, *answer;
    check *out;
} judge;

static const json_t *expected(const judge *j, const char *key)
{
    return json_object_get(j->expect, key);
}

static bool is_true(const judge *j, const char *key)
{
    return json_is_true(expected(j, key));
}

/* ---- tolerance ---- */

/* One Jacobi rotation that clears A_pq. */
static void rotate(int n, double *A, int p, int q)
{
    double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(1 + theta * theta)), c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        double a = A[k * n + p], b = A[k * n + q];
        A[k * n + p] = c * a - s * b;
        A[k * n + q] = s * a + c * b;
    }
    for (int k = 0; k < n; k++) {
        double a = A[p * n + k], b = A[q * n + k];
        A[p * n + k] = c * a - s * b;
        A[q * n + k] = s * a + c * b;
    }
}

static void diagonalise(int n, double *A)
{
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(A[p * n + q]) > DBL_EPSILON * sqrt(fabs(A[p * n + p] * A[q * n + q])))
                    rotate(n, A, p, q);
}

/* Largest eigenvalue of K over the smallest that is not zero. */
static double condition(const carom_case *c)
{
    const carom_contacts *x = &c->several->problem;
    int n = x->count * x->dim;
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), most = 0, least = INFINITY;
    if (!A)
        return 1;
    for (int i = 0; i < x->count; i++)
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            for (int a = 0; a < x->dim; a++)
                for (int b = 0; b < x->dim; b++)
                    A[(i * x->dim + a) * n + x->column[k] * x->dim + b] = x->K[(k * x->dim + a) * x->dim + b];
    diagonalise(n, A);
    for (int i = 0; i < n; i++)
        most = fmax(most, A[i * (n + 1)]);
    for (int i = 0; i < n; i++)
        if (A[i * (n + 1)] > ZERO_EIGEN * most)
            least = fmin(least, A[i * (n + 1)]);
    free(A);
    return most / least;
}

static bool has_tag(const carom_case *c, const char *tag)
{
    size_t i;
    json_t *value;
    json_array_foreach(json_object_get(c->document, "tags"), i, value)
    {
        if (json_is_string(value) && strcmp(json_string_value(value), tag) == 0)
            return true;
    }
    return false;
}

static double tolerance_of(const carom_case *c, double least)
{
    double bound = json_number_value(json_object_get(c->document, "error_bound"));
    double tolerance = fmax(least, ULPS * bound + ULPS * HALF_ULP);
    bool loose = (c->several->rule.law->traits & CAROM_TRAIT_HAS_PATH) || has_tag(c, "geometric");
    tolerance = loose ? fmax(PATH_LEAST, tolerance) : tolerance;
    if (c->source != CAROM_SOURCE_REDUCED && c->several->problem.count <= CONDITION_MOST)
        tolerance += fmin(ASSEMBLY_SHARE * condition(c), ASSEMBLY_MOST);
    return tolerance;
}

/* ---- scales ---- */

static double largest_number(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double velocity_scale(const judge *j)
{
    const carom_contacts *x = &j->c->several->problem;
    return fmax(largest_number(x->count * x->dim, x->u), check_largest(expected(j, "u_after")));
}

static double impulse_scale(const judge *j)
{
    double scale = check_largest(expected(j, "p"));
    const carom_contacts *x = &j->c->several->problem;
    return scale > 0 ? scale : largest_number(x->count * x->dim, j->result->several.outcome.p);
}

static double energy_scale(const judge *j)
{
    const carom_contacts *x = &j->c->several->problem;
    const carom_together_outcome *out = &j->result->several.outcome;
    double sum = 0;
    for (int i = 0; i < x->count * x->dim; i++)
        sum += fabs(out->p[i]) * (fabs(x->u[i]) + fabs(out->u_after[i]));
    return sum;
}

/* ---- numbers ---- */

static void compare(judge *j, const char *key, const json_t *want, const json_t *got, double scale)
{
    if (json_is_array(want)) {
        if (json_array_size(want) != json_array_size(got))
            check_fail(j->out, "%s: expected %zu entries", key, json_array_size(want));
        for (size_t i = 0; i < json_array_size(want); i++)
            compare(j, key, json_array_get(want, i), json_array_get(got, i), scale);
        return;
    }
    if (!json_is_number(got)) {
        check_fail(j->out, "%s: missing", key);
        return;
    }
    double a = json_number_value(want), b = json_number_value(got), error = fabs(a - b);
    error = error == 0 ? 0 : scale > 0 ? error / scale : INFINITY;
    if (error > j->out->error) {
        j->out->error = error;
        snprintf(j->out->worst, sizeof j->out->worst, "%s", key);
    }
    if (!(error <= j->out->tolerance))
        check_fail(j->out, "%s: expected %.17g, got %.17g (error %.2g, tolerance %.2g)", key, a, b, error,
                   j->out->tolerance);
}

static void compare_key(judge *j, const char *key, double scale)
{
    if (expected(j, key))
        compare(j, key, expected(j, key), json_object_get(j->answer, key), scale);
}

static void compare_bodies(judge *j)
{
    const char *name;
    json_t *want;
    json_object_foreach((json_t *)expected(j, "bodies"), name, want)
    {
        const json_t *got = json_object_get(json_object_get(j->answer, "bodies"), name);
        static const char *const keys[] = {"velocity", "omega"};
        for (int k = 0; k < 2; k++) {
            const json_t *before =
                json_object_get(json_object_get(json_object_get(j->c->document, "bodies"), name), keys[k]);
            const json_t *after = json_object_get(want, keys[k]);
            char label[24]; /* worst is short; the name of the body is in the case */
            snprintf(label, sizeof label, "bodies.%.8s.%s", name, keys[k]);
            compare(j, label, after, json_object_get(got, keys[k]),
                    fmax(fmax(check_largest(before), check_largest(after)), velocity_scale(j)));
        }
    }
}

/* p is one of many: its cone and the residual of the law. */
static void judge_free(judge *j)
{
    const carom_contacts *x = &j->c->several->problem;
    const carom_together_outcome *out = &j->result->several.outcome;
    double size = largest_number(x->count * x->dim, out->p);
    for (int i = 0; i < x->count; i++) {
        const double *p = out->p + i * x->dim;
        double slip = x->dim == 2 ? fabs(p[0]) : hypot(p[0], p[1]), p_n = p[x->dim - 1];
        if (!(p_n >= -j->out->tolerance * size))
            check_fail(j->out, "p: contact %d pulls", i + 1);
        if (!(slip - j->c->several->coeffs[i].mu * p_n <= j->out->tolerance * size))
            check_fail(j->out, "p: contact %d leaves its cone", i + 1);
    }
    if (!(out->residual <= j->out->tolerance))
        check_fail(j->out, "residual %.2g is above the tolerance %.2g", out->residual, j->out->tolerance);
}

/* ---- words ---- */

/* Flags in both; those that vectors do not list are left out, as is uniqueness where it was not examined. */
static bool counts(const judge *j, const char *flag)
{
    bool listed = strcmp(flag, "redundant") != 0 && strcmp(flag, "dilates") != 0;
    return listed && (strcmp(flag, "not-unique") != 0 || j->result->several.outcome.examined || is_true(j, "u_free"));
}

static bool has_flag(const json_t *flags, const char *flag)
{
    size_t i;
    json_t *value;
    json_array_foreach((json_t *)flags, i, value)
    {
        if (strcmp(json_string_value(value), flag) == 0)
            return true;
    }
    return false;
}

static void compare_flags(judge *j)
{
    for (int i = 0; i < CAROM_FLAG_COUNT; i++) {
        const char *flag = carom_flag_word((carom_flag)i);
        bool want = has_flag(expected(j, "flags"), flag), got = has_flag(json_object_get(j->answer, "flags"), flag);
        if (want != got && counts(j, flag))
            check_fail(j->out, "flags: %s \"%s\"", want ? "missing" : "unexpected", flag);
    }
}

static void compare_list(judge *j, const char *key)
{
    const json_t *want = expected(j, key), *got = json_object_get(j->answer, key);
    if (!want || sensitive_same(j->c, &j->result->several, key, want, got))
        return;
    if (!got)
        check_fail(j->out, "%s: missing", key);
    else if (sensitive_several(j->c, key, want))
        j->out->sensitive = true;
    else
        check_fail(j->out, "%s: differs, and no input within %d ulp gives the expected one", key, ULPS);
}

static void compare_words(judge *j)
{
    static const char *const lists[] = {"modes", "sequence", "active", "events"};
    static const char *const counts_of[] = {"impacts", "iterations", "solutions"};
    const char *status = json_string_value(expected(j, "status"));
    const char *got = json_string_value(json_object_get(j->answer, "status"));
    if (status && strcmp(status, got) != 0)
        check_fail(j->out, "status: expected \"%s\", got \"%s\"", status, got);
    compare_flags(j);
    for (int k = 0; k < 4; k++)
        compare_list(j, lists[k]);
    for (int k = 0; k < 3 && !j->out->sensitive; k++)
        if (k < 2 || j->result->several.outcome.examined)
            compare_key(j, counts_of[k], 1);
}

static check compare_all(judge j, double tolerance)
{
    check out = {.tolerance = tolerance};
    j.out = &out;
    bool p_free = is_true(&j, "p_free"), u_free = is_true(&j, "u_free");
    if (p_free || u_free)
        judge_free(&j);
    else {
        compare_key(&j, "p", impulse_scale(&j));
        compare_key(&j, "p_compression", impulse_scale(&j));
    }
    if (!u_free) {
        compare_key(&j, "u_after", velocity_scale(&j));
        if (expected(&j, "energy_change"))
            compare(&j, "energy_change", expected(&j, "energy_change"),
                    json_object_get(json_object_get(j.answer, "energy"), "change"), energy_scale(&j));
        compare_key(&j, "dissipated_normal", energy_scale(&j));
        compare_key(&j, "dissipated_friction", energy_scale(&j));
        compare_bodies(&j);
    }
    if (out.failures == 0 && expected(&j, "status"))
        compare_words(&j);
    return out;
}

check check_contacts(const carom_case *c, const carom_result *result, const json_t *answer, double least)
{
    const json_t *expect = json_object_get(c->document, "expect");
    judge j = {c, result, expect, answer, NULL};
    double tolerance = tolerance_of(c, least);
    check first = compare_all(j, tolerance);
    size_t i;
    json_t *other;
    if (first.failures > 0)
        json_array_foreach(json_object_get(expect, "alternatives"), i, other)
        {
            j.expect = other;
            check next = compare_all(j, tolerance);
            if (next.failures == 0)
                return next;
        }
    return first;
}

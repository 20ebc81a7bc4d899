/* verify's judgement. Every kind of number has its own scale (scales.c). */
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "carom/geometry.h"
#include "carom/utf8.h"
#include "check_derivatives.h"
#include "check_several.h"
#include "judge.h"
#include "sensitive.h"

#define HALF_ULP       (DBL_EPSILON / 2) /* u = 2^-53 */
#define ULPS           16                /* of slack, for error_bound and for rounding */
#define ASSEMBLY_SHARE 1e-16             /* of cond(K): rounding in K = J M^-1 J^T */
#define ASSEMBLY_MOST  1e-10             /* however ill-conditioned K is */
#define INTEGRATED     1e-10             /* laws that are followed in time */
#define ANNULI         1e-8              /* those with hundreds of events on the way */
#define MOST_DIGITS    17

/* A search for a branch border solves some eighty problems. It is made only where the words alone are wrong, for short
 * paths, and a few times for one case: so verify takes at most some hundred solves per case. */
enum { MOST_SEARCHES = 4, SEARCHED_EVENTS = 64 };

void check_fail(check *out, const char *format, ...)
{
    va_list arguments;
    if (out->failures++ > 0)
        return;
    va_start(arguments, format);
    vsnprintf(out->why, sizeof out->why, format, arguments);
    va_end(arguments);
    carom_utf8_clean(out->why); /* it quotes the case */
}

double check_digits(double error)
{
    double digits = error > 0 ? -log10(error) : MOST_DIGITS;
    return digits > MOST_DIGITS ? MOST_DIGITS : digits < 0 ? 0 : digits;
}

/* ---- tolerance ---- */

/* Largest over smallest eigenvalue: the squared ratio of the semi-axes of the energy ellipsoid, whatever u is. Infinity
 * for a singular K. */
static double condition(const carom_case *c)
{
    carom_problem problem = {c->problem.K, {0, 0, -1}};
    carom_ellipsoid e;
    if (carom_ellipsoid_of(&problem, &e) || e.rank < c->dim)
        return INFINITY;
    double ratio = e.radius[c->dim - 1] / e.radius[0];
    return ratio * ratio;
}

double check_tolerance(const carom_case *c, double least)
{
    double bound = json_number_value(json_object_get(c->document, "error_bound"));
    double tolerance = fmax(least, ULPS * bound + ULPS * HALF_ULP);
    if (c->rule.law && (c->rule.law->traits & CAROM_TRAIT_CONTACT_FORCE))
        tolerance = fmax(tolerance, c->rule.law->uses & CAROM_USES(annuli) ? ANNULI : INTEGRATED);
    if (c->source != CAROM_SOURCE_REDUCED)
        tolerance += fmin(ASSEMBLY_SHARE * condition(c), ASSEMBLY_MOST);
    return tolerance;
}

/* ---- comparing ---- */

static void compare_number(judge *j, const char *key, double expected, const json_t *got, double scale)
{
    if (!json_is_number(got)) {
        check_fail(j->out, "%s: missing", key);
        return;
    }
    double error = fabs(json_number_value(got) - expected);
    error = error == 0 ? 0 : scale > 0 ? error / scale : INFINITY;
    if (error > j->out->error) {
        j->out->error = error;
        snprintf(j->out->worst, sizeof j->out->worst, "%s", key);
        carom_utf8_clean(j->out->worst);
    }
    if (!(error <= j->out->tolerance))
        check_fail(j->out, "%s: expected %.17g, got %.17g (error %.2g, tolerance %.2g)", key, expected,
                   json_number_value(got), error, j->out->tolerance);
}

/* A number, null, or an array of them. */
static void compare_numbers(judge *j, const char *key, const json_t *expected, const json_t *got, double scale)
{
    if (json_is_null(expected)) {
        if (!json_is_null(got))
            check_fail(j->out, "%s: expected null", key);
        return;
    }
    if (json_is_number(expected)) {
        compare_number(j, key, json_number_value(expected), got, scale);
        return;
    }
    if (!got || json_array_size(expected) != json_array_size(got)) {
        check_fail(j->out, got ? "%s: expected %zu numbers" : "%s: missing", key, json_array_size(expected));
        return;
    }
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)expected, i, entry)
    {
        compare_numbers(j, key, entry, json_array_get(got, i), scale);
    }
}

/* A vector of contact numbers, of which angular ones have a scale of their own. */
static void compare_contact(judge *j, const char *key, const json_t *expected, double scale, double angular)
{
    const json_t *got = json_object_get(j->answer, key);
    if (json_array_size(expected) <= 3 || json_array_size(got) != json_array_size(expected)) {
        compare_numbers(j, key, expected, got, scale);
        return;
    }
    for (size_t i = 0; i < json_array_size(expected); i++)
        compare_numbers(j, key, json_array_get(expected, i), json_array_get(got, i), i < 3 ? scale : angular);
}

/* An object of numbers, each against the same scale. */
static void compare_members(judge *j, const char *key, const json_t *expected, double scale)
{
    const json_t *got = json_object_get(j->answer, key);
    const char *inner;
    json_t *value;
    json_object_foreach((json_t *)expected, inner, value)
    {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", key, inner);
        compare_numbers(j, name, value, json_object_get(got, inner), scale);
    }
}

/* Whether to look for a border at all; counts the search. */
static bool may_search(const judge *j)
{
    bool worth_it = j->out->failures == 0 && carom_status_is_answer(j->result->outcome.status) &&
                    j->result->event_count <= SEARCHED_EVENTS;
    return worth_it && (*j->searches)-- > 0;
}

/* "slip+" and "slip-" name the sign of the slip afterwards. Where the expected slip is exactly zero, that is the sign
 * of a zero. */
static bool names_sign_of_zero(const judge *j, const char *mode)
{
    size_t length = mode ? strlen(mode) : 0;
    const json_t *after = json_object_get(json_object_get(j->c->document, "expect"), "u_after");
    bool signs = length > 5 && (strcmp(mode + length - 5, "slip+") == 0 || strcmp(mode + length - 5, "slip-") == 0);
    return signs && j->c->dim == 2 && json_number_value(json_array_get(after, 0)) == 0;
}

static void compare_word(judge *j, const char *key, const json_t *expected, const json_t *got)
{
    if (json_equal((json_t *)expected, (json_t *)got))
        return;
    const char *wanted = json_string_value(expected), *word = json_string_value(got);
    bool is_mode = strcmp(key, "mode") == 0 && got;
    if (is_mode && (names_sign_of_zero(j, wanted) || (may_search(j) && sensitive_mode(j->c, wanted)))) {
        j->out->sensitive = true;
        return;
    }
    check_fail(j->out, "%s: expected \"%s\", got \"%s\"", key, wanted ? wanted : "?", word ? word : "nothing");
}

static const char *word_of(const json_t *entry)
{
    const char *word = json_string_value(json_is_object(entry) ? json_object_get(entry, "kind") : entry);
    return word ? word : "?";
}

bool check_same_words(const json_t *expected, const json_t *got)
{
    if (json_array_size(expected) != json_array_size(got))
        return false;
    for (size_t i = 0; i < json_array_size(expected); i++)
        if (strcmp(word_of(json_array_get(expected, i)), word_of(json_array_get(got, i))) != 0)
            return false;
    return true;
}

static void list_words(const json_t *array, char *text, size_t room)
{
    size_t used = 0, i;
    json_t *entry;
    text[0] = 0;
    json_array_foreach((json_t *)array, i, entry)
    {
        int n = snprintf(text + used, room - used, "%s%s", i ? " " : "", word_of(entry));
        if (n < 0 || (size_t)n >= room - used)
            return;
        used += (size_t)n;
    }
}

/* Words in order; where the expectation gives numbers too, these are compared. */
static void compare_list(judge *j, const char *key, const json_t *expected, const json_t *got)
{
    if (!got) {
        check_fail(j->out, "%s: missing", key);
        return;
    }
    if (!check_same_words(expected, got)) {
        char wanted[80], found[80];
        list_words(expected, wanted, sizeof wanted);
        list_words(got, found, sizeof found);
        bool sensitive = may_search(j) && sensitive_list(j->c, key, expected);
        j->out->sensitive |= sensitive;
        if (!sensitive)
            check_fail(j->out, "%s: expected %s; got %s", key, wanted[0] ? wanted : "none", found[0] ? found : "none");
        return;
    }
    double impulse = impulse_scale(j), velocity = velocity_scale(j);
    for (size_t i = 0; i < json_array_size(expected); i++) {
        const json_t *want = json_array_get(expected, i), *have = json_array_get(got, i);
        static const char *const keys[] = {"p_n", "p", "u"};
        for (int k = 0; json_is_object(want) && k < 3; k++) {
            const json_t *value = json_object_get(want, keys[k]);
            char name[64];
            snprintf(name, sizeof name, "%s[%zu].%s", key, i, keys[k]);
            if (value)
                compare_numbers(j, name, value, json_object_get(have, keys[k]), k < 2 ? impulse : velocity);
        }
    }
}

/* The p_n at which u_n passes zero, from the events. */
static void compare_zeros(judge *j, const json_t *expected)
{
    json_t *zeros = json_array();
    for (int i = 0; i < j->result->event_count; i++) {
        const carom_event *e = &j->result->events[i];
        if (e->kind == CAROM_EVENT_UP || e->kind == CAROM_EVENT_DOWN)
            json_array_append_new(zeros, json_real(e->at.p.n));
    }
    compare_numbers(j, "u_n_zeros", expected, zeros, impulse_scale(j));
    json_decref(zeros);
}

/* Velocities of one body, against its motion and against the kick it got. */
static void compare_body(judge *j, const char *side, const json_t *expected)
{
    bool is_a = side[0] == 'a';
    const carom_body *before = is_a ? &j->c->a : &j->c->b, *after = is_a ? &j->result->a : &j->result->b;
    const json_t *got = json_object_get(json_object_get(j->answer, "bodies"), side);
    carom_vec3 arm = is_a ? j->c->contact.arm_a : j->c->contact.arm_b;
    double kick = impulse_scale(j), length = carom_vec3_length(arm);
    carom_sym3 I = before->inv_inertia;
    double v = fmax(carom_vec3_length(before->velocity), carom_vec3_length(after->velocity));
    double w = fmax(carom_vec3_length(before->omega), carom_vec3_length(after->omega));
    char name[32];
    snprintf(name, sizeof name, "bodies.%s.velocity", side);
    compare_numbers(j, name, json_object_get(expected, "velocity"), json_object_get(got, "velocity"),
                    fmax(v, kick * before->inv_mass));
    snprintf(name, sizeof name, "bodies.%s.omega", side);
    compare_numbers(j, name, json_object_get(expected, "omega"), json_object_get(got, "omega"),
                    fmax(w, kick * length * fmax(fmax(I.xx, I.yy), I.zz)));
}

static void compare_bodies(judge *j, const json_t *expected)
{
    const char *side;
    json_t *body;
    json_object_foreach((json_t *)expected, side, body)
    {
        if (strcmp(side, "a") == 0 || strcmp(side, "b") == 0)
            compare_body(j, side, body);
        else
            check_fail(j->out, "expect.bodies.%s: unknown body", side);
    }
}

/* ---- one line per key of "expect" ---- */

typedef enum kind { NUMBERS, MEMBERS, WORD, LIST, SKIPPED } kind;

static const struct {
    const char *key;
    kind kind;
    double (*scale)(const judge *j);
} rules[] = {
    {"p", NUMBERS, impulse_scale},
    {"impulse", NUMBERS, impulse_scale},
    {"u_after", NUMBERS, velocity_scale},
    {"qdot_after", NUMBERS, qdot_scale},
    {"work_compression", NUMBERS, work_scale},
    {"work_decompression", NUMBERS, work_scale},
    {"work_friction", NUMBERS, friction_scale},
    {"work_spin", NUMBERS, friction_scale},
    {"moment", NUMBERS, moment_scale},
    {"dissipated_normal", NUMBERS, energy_scale},
    {"dissipated_friction", NUMBERS, energy_scale},
    {"dissipated_tangential", NUMBERS, energy_scale},
    {"residual_tangential", NUMBERS, energy_scale},
    {"vibration_energy", NUMBERS, energy_scale},
    {"kinetic_loss", NUMBERS, energy_scale},
    {"dead_impulse", NUMBERS, impulse_scale},
    {"duration", NUMBERS, duration_scale},
    {"max_compression", NUMBERS, compression_scale},
    {"peak_force", NUMBERS, peak_scale},
    {"contacts", NUMBERS, unit_scale},
    {"friction_ratio", NUMBERS, unit_scale},
    {"phases", NUMBERS, unit_scale},
    {"solutions", NUMBERS, unit_scale},
    {"u", NUMBERS, velocity_scale},
    {"energy", MEMBERS, ledger_scale},
    {"restitution", MEMBERS, unit_scale},
    {"margins", MEMBERS, margin_scale},
    {"status", WORD, NULL},
    {"mode", WORD, NULL},
    {"path", WORD, NULL},
    {"roll", WORD, NULL},
    {"events", LIST, NULL},
    {"modes", LIST, NULL},
    {"flags", LIST, NULL},
    {"alternatives", SKIPPED, NULL}, /* other solutions, looked at when this one fails */
};

enum { RULES = sizeof rules / sizeof rules[0] };

static void compare_special(judge *j, const char *key, const json_t *expected)
{
    const json_t *energy = json_object_get(j->answer, "energy");
    if (strcmp(key, "energy_change") == 0)
        compare_numbers(j, key, expected, json_object_get(energy, "change"), change_scale(j));
    else if (strcmp(key, "bodies") == 0)
        compare_bodies(j, expected);
    else if (strcmp(key, "u_n_zeros") == 0)
        compare_zeros(j, expected);
    else if (strcmp(key, "derivatives") == 0)
        check_derivatives(j->c, j->expect, json_object_get(j->answer, key), j->out);
    else if (strcmp(key, "saltation") == 0)
        check_saltation(j->expect, json_object_get(j->answer, key), j->out);
    else
        check_fail(j->out, "expect.%s: unknown key, cannot be checked", key);
}

static void compare_by(judge *j, int i, const json_t *expected)
{
    const char *key = rules[i].key;
    const json_t *got = json_object_get(j->answer, key);
    if (strcmp(key, "p") == 0)
        compare_contact(j, key, expected, impulse_scale(j), moment_scale(j));
    else if (strcmp(key, "u_after") == 0)
        compare_contact(j, key, expected, velocity_scale(j), velocity_scale(j) / patch_length(j));
    else if (rules[i].kind == NUMBERS)
        compare_numbers(j, key, expected, got, rules[i].scale(j));
    else if (rules[i].kind == MEMBERS)
        compare_members(j, key, expected, rules[i].scale(j));
    else if (rules[i].kind == WORD)
        compare_word(j, key, expected, got);
    else if (rules[i].kind == LIST)
        compare_list(j, key, expected, got);
}

static int rule_of(const char *key)
{
    for (int i = 0; i < RULES; i++)
        if (strcmp(rules[i].key, key) == 0)
            return i;
    return -1;
}

/* Numbers first: words may be judged by a search, which is not worth it for a case that fails anyway. */
static check compare_all(judge j, const json_t *expect, double tolerance)
{
    check out = {.tolerance = tolerance};
    j.expect = expect;
    j.out = &out;
    for (int words = 0; words <= 1; words++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)expect, key, value)
        {
            int i = rule_of(key);
            bool is_words = i >= 0 && (rules[i].kind == WORD || rules[i].kind == LIST);
            if (is_words != (words == 1))
                continue;
            if (i >= 0)
                compare_by(&j, i, value);
            else
                compare_special(&j, key, value);
        }
    }
    return out;
}

check check_answer(const carom_case *c, const carom_result *result, const json_t *answer, double least)
{
    if (c->several)
        return check_contacts(c, result, answer, least);
    const json_t *expect = json_object_get(c->document, "expect");
    int searches = MOST_SEARCHES;
    judge j = {c, result, expect, answer, NULL, &searches};
    double tolerance = check_tolerance(c, least);
    if (json_object_get(expect, "derivatives") || json_object_get(expect, "saltation"))
        tolerance = check_derivative_tolerance(c, expect);
    check first = compare_all(j, expect, tolerance);
    size_t i;
    json_t *other;
    if (first.failures > 0)
        json_array_foreach(json_object_get(expect, "alternatives"), i, other)
        {
            check next = compare_all(j, other, tolerance);
            if (next.failures == 0)
                return next;
        }
    return first;
}

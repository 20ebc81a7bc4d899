/* verify's judgement. Every kind of number has its own scale (scales.c). Where contacts are redundant the case says
 * p_free: then velocities, the cone and the residual of the law are judged, not p. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "carom/utf8.h"
#include "check_derivatives.h"
#include "judge.h"
#include "sensitive.h"

#define MOST_DIGITS 17

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
    return worth_it && (j->c->together || (*j->searches)-- > 0);
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

static void list_words(const json_t *array, char *text, size_t room)
{
    size_t used = 0, i;
    json_t *entry;
    text[0] = 0;
    json_array_foreach((json_t *)array, i, entry)
    {
        int n = snprintf(text + used, room - used, "%s%s", i ? " " : "", check_word(entry));
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
    if (!check_same_list(j->c, j->result, key, expected, got)) {
        char wanted[80], found[80];
        list_words(expected, wanted, sizeof wanted);
        list_words(got, found, sizeof found);
        bool sensitive = may_search(j) && sensitive_list(j->c, key, expected);
        j->out->sensitive |= sensitive;
        if (!sensitive && j->c->together)
            check_fail(j->out, "%s: differs, and no input within 16 ulp gives the expected one", key);
        else if (!sensitive)
            check_fail(j->out, "%s: expected %s; got %s", key, wanted[0] ? wanted : "none", found[0] ? found : "none");
        return;
    }
    const double impulse = impulse_scale(j), velocity = velocity_scale(j);
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
static void compare_body(judge *j, int i, const json_t *expected)
{
    const carom_case *c = j->c;
    const carom_body *before = &c->bodies[i], *after = &j->result->bodies[i];
    const json_t *got = json_object_get(json_object_get(j->answer, "bodies"), c->names[i]);
    const carom_contact *at = &c->pairs->contact;
    const double kick = impulse_scale(j), length = carom_vec3_length(i == 0 ? at->arm_a : at->arm_b);
    const carom_sym3 I = before->inv_inertia;
    double v = fmax(carom_vec3_length(before->velocity), carom_vec3_length(after->velocity));
    double w = fmax(carom_vec3_length(before->omega), carom_vec3_length(after->omega));
    char name[32];
    v = fmax(v, c->together ? velocity_scale(j) : kick * before->inv_mass);
    w = fmax(w, c->together ? velocity_scale(j) : kick * length * fmax(fmax(I.xx, I.yy), I.zz));
    snprintf(name, sizeof name, "bodies.%.8s.velocity", c->names[i]); /* the whole name is in the case */
    compare_numbers(j, name, json_object_get(expected, "velocity"), json_object_get(got, "velocity"), v);
    snprintf(name, sizeof name, "bodies.%.8s.omega", c->names[i]);
    compare_numbers(j, name, json_object_get(expected, "omega"), json_object_get(got, "omega"), w);
}

static void compare_bodies(judge *j, const json_t *expected)
{
    const char *name;
    json_t *body;
    json_object_foreach((json_t *)expected, name, body)
    {
        int i = 0;
        while (i < j->c->body_count && strcmp(j->c->names[i], name) != 0)
            i++;
        if (i < j->c->body_count)
            compare_body(j, i, body);
        else
            check_fail(j->out, "expect.bodies.%s: unknown body", name);
    }
}

/* ---- contacts together ---- */

static bool is_true(const judge *j, const char *key)
{
    return json_is_true(json_object_get(j->expect, key));
}

/* p is one of many: its cone and the residual of the law. */
static void judge_free(judge *j)
{
    const carom_together_outcome *out = &j->result->together;
    const double size = largest_impulse(j);
    for (int i = 0; i < j->c->count; i++) {
        const carom_cvec p = carom_result_p(j->c, j->result, i);
        if (!(p.n >= -j->out->tolerance * size))
            check_fail(j->out, "p: contact %d pulls", i + 1);
        if (!(carom_cvec_slip(p) - j->c->coeffs[i].mu * p.n <= j->out->tolerance * size))
            check_fail(j->out, "p: contact %d leaves its cone", i + 1);
    }
    if (!(out->residual <= j->out->tolerance))
        check_fail(j->out, "residual %.2g is above the tolerance %.2g", out->residual, j->out->tolerance);
}

/* Flags that vectors do not list are left out, as is uniqueness where it was not examined. */
static bool counts(const judge *j, const char *flag)
{
    bool listed = strcmp(flag, "redundant") != 0 && strcmp(flag, "dilates") != 0;
    return listed && (strcmp(flag, "not-unique") != 0 || j->result->together.examined || is_true(j, "u_free"));
}

static bool has_flag(const json_t *flags, const char *flag)
{
    size_t i;
    json_t *value;
    json_array_foreach((json_t *)flags, i, value)
    {
        if (strcmp(check_word(value), flag) == 0)
            return true;
    }
    return false;
}

static void compare_flags(judge *j)
{
    const json_t *expected = json_object_get(j->expect, "flags"), *found = json_object_get(j->answer, "flags");
    for (int i = 0; i < CAROM_FLAG_COUNT; i++) {
        const char *flag = carom_flag_word((carom_flag)i);
        bool want = has_flag(expected, flag), got = has_flag(found, flag);
        if (want != got && counts(j, flag))
            check_fail(j->out, "flags: %s \"%s\"", want ? "missing" : "unexpected", flag);
    }
}

/* Keys that say nothing: of contacts together p and what follows from it where they are free, words where numbers are
 * wrong, and counts where words are sensitive or solutions were not looked for. */
static bool is_idle(const judge *j, const char *key, bool words)
{
    static const char *const free_keys[] = {
        "p", "p_compression", "u_after", "energy_change", "dissipated_normal", "dissipated_friction", "bodies"};
    const bool u_free = is_true(j, "u_free");
    const int count = u_free ? 7 : is_true(j, "p_free") ? 2 : 0;
    if (!j->c->together)
        return false;
    for (int i = 0; i < count; i++)
        if (strcmp(key, free_keys[i]) == 0)
            return true;
    if (strcmp(key, "flags") == 0 || (strcmp(key, "solutions") == 0 && !j->result->together.examined))
        return true;
    return words && (j->out->failures > 0 || !json_object_get(j->expect, "status"));
}

/* ---- one line per key of "expect" ---- */

typedef enum kind { NUMBERS, MEMBERS, WORD, LIST, COUNTS, SKIPPED } kind;

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
    {"solutions", COUNTS, unit_scale},
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
    {"p_compression", NUMBERS, impulse_scale},
    {"sequence", LIST, NULL},
    {"active", LIST, NULL},
    {"impacts", COUNTS, unit_scale},
    {"iterations", COUNTS, unit_scale},
    {"p_free", SKIPPED, NULL}, /* contacts together: p, or u too, is one of many */
    {"u_free", SKIPPED, NULL},
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
    else if (rules[i].kind == NUMBERS || (rules[i].kind == COUNTS && !(j->c->together && j->out->sensitive)))
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

/* Numbers first: words may be judged by a search, which is not worth it for a case that fails anyway. Counts last: they
 * differ where words do. */
static int pass_of(int i)
{
    const kind k = i >= 0 ? rules[i].kind : NUMBERS;
    return k == COUNTS ? 2 : k == WORD || k == LIST;
}

static check compare_all(judge j, const json_t *expect, double tolerance)
{
    check out = {.tolerance = tolerance};
    j.expect = expect;
    j.out = &out;
    if (j.c->together && (is_true(&j, "p_free") || is_true(&j, "u_free")))
        judge_free(&j);
    for (int pass = 0; pass <= 2; pass++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)expect, key, value)
        {
            const int i = rule_of(key);
            if (pass_of(i) != pass || is_idle(&j, key, pass > 0))
                continue;
            if (i >= 0)
                compare_by(&j, i, value);
            else
                compare_special(&j, key, value);
        }
        if (pass == 0 && j.c->together && out.failures == 0 && json_object_get(expect, "status"))
            compare_flags(&j);
    }
    return out;
}

check check_answer(const carom_case *c, const carom_result *result, const json_t *answer, double least)
{
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

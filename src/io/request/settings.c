/* The law, the coefficients and the options with which a request replaces what a file says. */
#include "carom/settings.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/materials.h"
#include "carom/utf8.h"
#include "io/case/reader.h"
#include "io/request/words.h"

bool carom_request_fail(carom_case_error *error, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->rule, sizeof error->rule, format, arguments);
    va_end(arguments);
    error->status = CAROM_STATUS_OK;
    error->line = error->column = 0;
    snprintf(error->key, sizeof error->key, "%s", key);
    carom_utf8_clean(error->key);
    carom_utf8_clean(error->rule);
    snprintf(error->message, sizeof error->message, "%s%s%s", error->key, key[0] ? ": " : "", error->rule);
    return false;
}

bool carom_settings_law(carom_settings *s, const char *id, carom_case_error *error)
{
    s->law = carom_law_find(id);
    s->together = carom_together_find(id);
    if (s->law || s->together)
        return true;
    const char *hint = carom_nearest_law(id);
    if (hint)
        return carom_request_fail(error, "law", "unknown law \"%s\"; did you mean \"%s\"?", id, hint);
    return carom_request_fail(error, "law", "unknown law \"%s\"; `carom laws` lists them", id);
}

/* strtod, with a point between the digits in every locale. */
bool carom_text_number(const char *text, double *value)
{
    char copy[64], *end, *point;
    const char *mark = localeconv()->decimal_point;
    if (strlen(text) >= sizeof copy || (mark[0] != '.' && strpbrk(text, mark)))
        return false;
    strcpy(copy, text);
    point = strchr(copy, '.');
    if (point)
        *point = mark[0];
    *value = strtod(copy, &end);
    return end != copy && *end == 0 && isfinite(*value);
}

/* An error of "set.NAME". */
#define fail_name(error, name, ...) carom_request_fail(error, key_of(name, (char[KEY]){0}), __VA_ARGS__)

enum { KEY = 64 };

static const char *key_of(const char *name, char *key)
{
    snprintf(key, KEY, "set.%s", name);
    return key;
}

/* "word:number" with this word: the number, else null. */
static const char *after_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ':' ? text + length + 1 : NULL;
}

int carom_internal_numbers(const char *text, char between, int most, double *numbers)
{
    const char list[] = {between, 0};
    int count = 0;
    for (const char *at = text;; at++) {
        char word[48];
        size_t length = strcspn(at, list);
        if (count == most || length >= sizeof word)
            return -1;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (!carom_text_number(word, &numbers[count++]))
            return -1;
        at += length;
        if (!*at)
            return count;
    }
}

/* "0.3" of "poisson:0.3". */
static bool eta_from_poisson(const char *text, double *eta, carom_case_error *error)
{
    double nu;
    if (carom_text_number(text, &nu) && carom_eta_from_poisson(nu, eta) == CAROM_STATUS_OK)
        return true;
    return carom_request_fail(error, "set.eta", "Poisson's ratio \"%s\" is outside 0...0.5", text);
}

/* "3:2" or "3:2:3.5" of "frequencies:...": omega_t, omega_n, and K_tt / K_nn, by default the ratio of a sphere. */
static bool eta_from_frequencies(const char *text, double *eta, carom_case_error *error)
{
    double x[3] = {0, 0, CAROM_SPHERE_INERTIA_RATIO};
    int count = carom_internal_numbers(text, ':', 3, x);
    if (count >= 2 && carom_eta_from_frequencies(x[0], x[1], x[2], eta) == CAROM_STATUS_OK)
        return true;
    return carom_request_fail(error, "set.eta",
                              "\"%s\" is not OMEGA_T:OMEGA_N or OMEGA_T:OMEGA_N:RATIO, all > 0 (RATIO is K_tt/K_nn, "
                              "3.5 for a sphere)",
                              text);
}

/* A coefficient: a number, or for eta what it follows from, "poisson:0.3" or "frequencies:3:2". */
static bool read_value(carom_coeff i, const char *text, double *value, carom_case_error *error)
{
    const char *ratio = after_word(text, "poisson"), *swings = after_word(text, "frequencies");
    if (i == CAROM_COEFF_eta && ratio)
        return eta_from_poisson(ratio, value, error);
    if (i == CAROM_COEFF_eta && swings)
        return eta_from_frequencies(swings, value, error);
    bool endless = isinf(carom_coeff_at(i)->max);
    if (endless && strcmp(text, "infinite") == 0) {
        *value = INFINITY;
        return true;
    }
    if (carom_text_number(text, value))
        return true;
    return fail_name(error, carom_coeff_at(i)->name, "\"%s\" is not a finite number%s", text,
                     endless ? " nor \"infinite\"" : "");
}

/* "{...}": a function of the speed, as in a file. */
static bool set_function(carom_settings *s, carom_coeff i, const char *text, carom_case_error *error)
{
    char key[KEY];
    const carom_text whole = {"", 1, text, strlen(text)};
    const reader r = {&whole, error};
    const place at = {NULL, key_of(carom_coeff_at(i)->name, key)};
    json_t *object = NULL;
    error->status = CAROM_STATUS_OK;
    bool fine = reader_parse(&r, "function", &object) && reader_of_speed(&r, &at, object, i, &s->rule.coeffs);
    json_decref(object);
    s->coefficients |= 1u << i;
    if (fine)
        return true;
    carom_case_error why = *error; /* without the line of a file */
    return carom_request_fail(error, why.key, "%s", why.rule);
}

static bool set_coefficient(carom_settings *s, carom_coeff i, const char *text, carom_case_error *error)
{
    double value;
    if (text[0] == '{')
        return set_function(s, i, text, error);
    if (!read_value(i, text, &value, error))
        return false;
    if (i == CAROM_COEFF_mu_s && value < 0) /* -1 would mean "not given" */
        return carom_request_fail(error, "set.mu_s", "%g is outside its range %s", value, carom_coeff_at(i)->range);
    s->coefficients |= 1u << i;
    carom_coeffs_set(&s->rule.coeffs, i, value);
    return true;
}

static bool set_option(carom_settings *s, carom_option i, const char *word, carom_case_error *error)
{
    const carom_option_info *info = carom_option_at(i);
    int choice = carom_option_choice(i, word);
    if (choice < 0)
        return fail_name(error, info->name, "%s", carom_option_rule(i));
    s->options |= 1u << i;
    carom_options_set(&s->rule.options, i, choice);
    return true;
}

static bool unknown_name(const char *name, carom_case_error *error)
{
    static const char *const names[] = {
#define CAROM_COEFF(coefficient, unit, min, max, value, range, meaning) #coefficient,
#include "carom/coeffs.def"
#undef CAROM_COEFF
#define CAROM_OPTION(option, NAME, word, other, OTHER, meaning) #option,
#include "carom/options.def"
#undef CAROM_OPTION
        NULL};
    const char *hint = carom_nearest_coefficient(name);
    hint = hint ? hint : carom_nearest(name, names);
    if (hint)
        return carom_request_fail(error, "set", "unknown coefficient \"%s\"; did you mean \"%s\"?", name, hint);
    return carom_request_fail(error, "set", "unknown coefficient \"%s\"; `carom laws show LAW` lists them", name);
}

bool carom_settings_set(carom_settings *s, const char *assignment, carom_case_error *error)
{
    const char *equals = strchr(assignment, '=');
    char name[64];
    if (!equals || (size_t)(equals - assignment) >= sizeof name)
        return carom_request_fail(error, "set", "expected key=value, got \"%s\"", assignment);
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    carom_coeff i = carom_coeff_find(name);
    carom_option j = carom_option_find(name);
    if (i < CAROM_COEFF_COUNT)
        return set_coefficient(s, i, equals + 1, error);
    if (j < CAROM_OPTION_COUNT)
        return set_option(s, j, equals + 1, error);
    return unknown_name(name, error);
}

/* What the settings gave is not to be blamed on a line of the file. Always returns false. */
static bool blame(const carom_settings *s, carom_case_error *error)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        const char *name = carom_coeff_at((carom_coeff)i)->name;
        char key[KEY], rule[sizeof error->rule];
        snprintf(key, sizeof key, "coefficients.%s", name);
        snprintf(rule, sizeof rule, "%s", error->rule);
        if (s->coefficients >> i & 1 && strcmp(error->key, key) == 0) {
            carom_status status = error->status;
            fail_name(error, name, "%s", rule);
            error->status = status;
            return false;
        }
    }
    return false;
}

/* The law must be for as many contacts as the case has. */
static bool law_fits(const carom_settings *s, const carom_case *c, carom_case_error *error)
{
    if (c->together && s->law)
        return carom_case_blame(c, "law", "the law of --law is for one contact, and the case has several", error);
    if (!c->together && s->together)
        return carom_case_blame(c, "law", "the law of --law is for several contacts, and the case has one", error);
    return true;
}

static void change(const carom_settings *s, carom_case *c)
{
    if (s->law)
        c->rule.law = s->law;
    if (c->together && s->together)
        c->together_rule.law = s->together;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (s->coefficients >> i & 1)
            carom_case_take_coefficient(c, (carom_coeff)i, &s->rule.coeffs);
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (s->options >> i & 1)
            carom_case_set_option(c, (carom_option)i, carom_options_get(&s->rule.options, (carom_option)i));
}

bool carom_settings_apply(const carom_settings *s, carom_case *c, carom_case_error *error)
{
    if (!law_fits(s, c, error))
        return false;
    change(s, c);
    return carom_case_check(c, error) || blame(s, error);
}

bool carom_settings_apply_to_all(const carom_settings *s, carom_case *c, carom_case_error *error)
{
    change(s, c);
    return carom_case_check_coeffs(c, error) || blame(s, error);
}

/* ---- laws with a path ---- */

/* The ids of the laws that have one: "routh-newton, routh-poisson, ...". */
static void path_laws(char *text, size_t room)
{
    size_t used = 0;
    for (int i = 0; i < carom_law_count() && used < room; i++)
        if (carom_law_at(i)->traits & CAROM_TRAIT_HAS_PATH)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", carom_law_at(i)->id);
}

/* The same for several contacts, where lzb has one. */
static bool path_together(carom_settings *s, carom_case *c, carom_case_error *error)
{
    const carom_together *law = s->together ? s->together : c->together_rule.law;
    char key[KEY];
    if (s->law || (law && law->traits & CAROM_TRAIT_HAS_PATH)) /* carom_settings_apply refuses the former */
        return true;
    snprintf(key, sizeof key, "law.%s", law ? law->id : "");
    if (s->together)
        return carom_request_fail(error, key, "this law has no path inside the impact; try lzb");
    c->together_rule.law = carom_together_find("lzb");
    return carom_settings_raise(s, c, CAROM_WARNING_LAW, error, "%s%s; lzb is shown instead (--law chooses)",
                                law ? law->id : "the case names no law", law ? " has no path inside the impact" : "");
}

bool carom_settings_path_law(carom_settings *s, carom_case *c, carom_case_error *error)
{
    const carom_law *law = s->law ? s->law : c->rule.law;
    char text[200], key[KEY];
    if (c->together)
        return path_together(s, c, error);
    if (s->together || (law && law->traits & CAROM_TRAIT_HAS_PATH)) /* carom_settings_apply refuses the former */
        return true;
    snprintf(key, sizeof key, "law.%s", law ? law->id : "");
    if (s->law) {
        path_laws(text, sizeof text);
        return carom_request_fail(error, key, "this law has no path inside the impact; try one of %s", text);
    }
    c->rule.law = carom_law_find("routh-stronge");
    return carom_settings_raise(s, c, CAROM_WARNING_LAW, error, "%s%s; routh-stronge is shown instead (--law chooses)",
                                law ? law->id : "the case names no law", law ? " has no path inside the impact" : "");
}

/* ---- scenes ---- */

static void change_rule(const carom_settings *s, carom_rule *rule)
{
    rule->law = s->law ? s->law : rule->law;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (s->coefficients >> i & 1)
            carom_coeffs_take(&rule->coeffs, (carom_coeff)i, &s->rule.coeffs);
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (s->options >> i & 1)
            carom_options_set(&rule->options, (carom_option)i, carom_options_get(&s->rule.options, (carom_option)i));
}

bool carom_settings_apply_to_scene(const carom_settings *s, carom_scene_file *file, carom_case_error *error)
{
    change_rule(s, &file->scene.rule);
    for (int i = 0; i < file->scene.pair_count; i++)
        change_rule(s, &file->pairs[i].rule);
    if (s->together)
        file->scene.together.law = s->together;
    file->scene.together.options = file->scene.rule.options;
    return carom_scene_check(file, error);
}

/* ---- warnings ---- */

static void tell(carom_settings *s, carom_warning kind, const carom_case_error *what)
{
    if (s->tell && !s->strict && !(s->warned >> kind & 1))
        s->tell(s->context, kind, what);
    s->warned |= 1u << kind;
}

bool carom_settings_raise(carom_settings *s, carom_case *c, carom_warning kind, carom_case_error *error,
                          const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    c->warnings |= 1u << kind;
    carom_request_fail(error, "", "%s: %s", carom_warning_word(kind), text);
    tell(s, kind, error);
    return !s->strict;
}

/* A warning about a key of the file: "file:3: coefficients.eta: newton does not use eta (unused-coefficient)". */
static bool warn_of_key(carom_settings *s, const carom_case *c, carom_warning kind, carom_case_error *error)
{
    carom_case_warn(c, kind, error);
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, " (%s)", carom_warning_word(kind));
    tell(s, kind, error);
    return !s->strict;
}

/* A coefficient of the settings that the law has no use for. */
static bool warn_of_coefficient(carom_settings *s, carom_case *c, carom_case_error *error)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (s->coefficients >> i & 1 && !carom_case_uses(c, (carom_coeff)i))
            return carom_settings_raise(s, c, CAROM_WARNING_COEFFICIENT, error, "--set %s: %s does not use it",
                                        carom_coeff_at((carom_coeff)i)->name, carom_case_law(c));
    return true;
}

static bool warn_of_option(carom_settings *s, carom_case *c, carom_case_error *error)
{
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (s->options >> i & 1 && !carom_case_has_option(c, (carom_option)i))
            return carom_settings_raise(s, c, CAROM_WARNING_OPTION, error, "--set %s: %s does not have this option",
                                        carom_option_at((carom_option)i)->name, carom_case_law(c));
    return true;
}

bool carom_settings_warn(carom_settings *s, carom_case *c, carom_case_error *error)
{
    unsigned found = carom_case_warnings(c) & ~c->warnings;
    for (int i = 0; i < CAROM_WARNING_COUNT; i++)
        if (found >> i & 1 && !warn_of_key(s, c, (carom_warning)i, error))
            return false;
    error->message[0] = 0;
    return warn_of_coefficient(s, c, error) && warn_of_option(s, c, error);
}

bool carom_settings_warn_of_all(carom_settings *s, carom_case *c, carom_case_error *error)
{
    const carom_law *own = c->rule.law;
    if (c->together)
        return true;
    c->rule.law = NULL; /* what one law does not use, another may */
    bool fine = carom_settings_warn(s, c, error);
    c->rule.law = own;
    return fine;
}

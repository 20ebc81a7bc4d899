#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

bool settings_law(settings *s, const char *id)
{
    s->law = carom_law_find(id);
    s->together = carom_together_find(id);
    if (s->law || s->together)
        return true;
    const char *hint = carom_nearest_law(id);
    if (hint)
        complain("unknown law \"%s\"; did you mean \"%s\"?", id, hint);
    else
        complain("unknown law \"%s\"; `carom laws` lists them", id);
    return false;
}

bool settings_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*value);
}

/* "word:number" with this word: the number, else null. */
static const char *after_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ':' ? text + length + 1 : NULL;
}

/* "0.3" of "poisson:0.3". */
static bool eta_from_poisson(const char *text, double *eta)
{
    double nu;
    if (settings_number(text, &nu) && carom_eta_from_poisson(nu, eta) == CAROM_STATUS_OK)
        return true;
    complain("--set eta: Poisson's ratio \"%s\" is outside 0...0.5", text);
    return false;
}

/* "3:2" or "3:2:3.5" of "frequencies:...": omega_t, omega_n, and K_tt / K_nn, which is that of a sphere when not given.
 */
static bool eta_from_frequencies(const char *text, double *eta)
{
    double omega_t = 0, omega_n = 0, ratio = CAROM_SPHERE_INERTIA_RATIO;
    char tail;
    int count = sscanf(text, "%lf:%lf:%lf%c", &omega_t, &omega_n, &ratio, &tail);
    bool fine = (count == 3 || (count == 2 && strchr(text, ':') == strrchr(text, ':')));
    if (fine && carom_eta_from_frequencies(omega_t, omega_n, ratio, eta) == CAROM_STATUS_OK)
        return true;
    complain("--set eta: \"%s\" is not OMEGA_T:OMEGA_N or OMEGA_T:OMEGA_N:RATIO, all > 0 (RATIO is K_tt/K_nn, 3.5 for "
             "a sphere)",
             text);
    return false;
}

/* A coefficient: a number, or for eta what it follows from, "poisson:0.3" or "frequencies:3:2". */
static bool read_value(carom_coeff i, const char *text, double *value)
{
    const char *ratio = after_word(text, "poisson"), *swings = after_word(text, "frequencies");
    if (i == CAROM_COEFF_eta && ratio)
        return eta_from_poisson(ratio, value);
    if (i == CAROM_COEFF_eta && swings)
        return eta_from_frequencies(swings, value);
    bool endless = isinf(carom_coeff_at(i)->max);
    if (endless && strcmp(text, "infinite") == 0) {
        *value = INFINITY;
        return true;
    }
    if (settings_number(text, value))
        return true;
    complain("--set %s: \"%s\" is not a finite number%s", carom_coeff_at(i)->name, text,
             endless ? " nor \"infinite\"" : "");
    return false;
}

static bool set_coefficient(settings *s, carom_coeff i, const char *text)
{
    double value;
    if (!read_value(i, text, &value))
        return false;
    if (i == CAROM_COEFF_mu_s && value < 0) { /* -1 would mean "not given" */
        complain("--set mu_s: %g is outside its range %s", value, carom_coeff_at(i)->range);
        return false;
    }
    s->coefficients |= 1u << i;
    carom_coeffs_set(&s->rule.coeffs, i, value);
    return true;
}

static bool set_option(settings *s, carom_option i, const char *word)
{
    const carom_option_info *info = carom_option_at(i);
    for (int choice = 0; choice < 2; choice++)
        if (strcmp(word, info->words[choice]) == 0) {
            s->options |= 1u << i;
            carom_options_set(&s->rule.options, i, choice);
            return true;
        }
    complain("--set %s: must be \"%s\" or \"%s\"", info->name, info->words[0], info->words[1]);
    return false;
}

static void complain_name(const char *name)
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
        complain("--set: unknown coefficient \"%s\"; did you mean \"%s\"?", name, hint);
    else
        complain("--set: unknown coefficient \"%s\"; `carom laws show LAW` lists them", name);
}

bool settings_set(settings *s, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char name[64];
    if (!equals || (size_t)(equals - assignment) >= sizeof name) {
        complain("--set: expected key=value, got \"%s\"", assignment);
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    carom_coeff i = carom_coeff_find(name);
    carom_option j = carom_option_find(name);
    if (i < CAROM_COEFF_COUNT)
        return set_coefficient(s, i, equals + 1);
    if (j < CAROM_OPTION_COUNT)
        return set_option(s, j, equals + 1);
    complain_name(name);
    return false;
}

/* What --set gave is not to be blamed on a line of the file. Always returns false. */
static bool blame(const settings *s, carom_case_error *error)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        char key[64];
        snprintf(key, sizeof key, "coefficients.%s", carom_coeff_at((carom_coeff)i)->name);
        if (s->coefficients >> i & 1 && strcmp(error->key, key) == 0)
            snprintf(error->message, sizeof error->message, "carom: --set %s: %s", carom_coeff_at((carom_coeff)i)->name,
                     error->rule);
    }
    return false;
}

/* The law of the command line must be for as many contacts as the case has. */
static bool law_fits(const settings *s, const carom_case *c, carom_case_error *error)
{
    if (c->several && s->law)
        return carom_case_blame(c, "law", "the law of --law is for one contact, and the case has several", error);
    if (!c->several && s->together)
        return carom_case_blame(c, "law", "the law of --law is for several contacts, and the case has one", error);
    return true;
}

static void change(const settings *s, carom_case *c)
{
    if (s->law)
        c->rule.law = s->law;
    if (c->several && s->together)
        c->several->rule.law = s->together;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (s->coefficients >> i & 1)
            carom_case_set_coefficient(c, (carom_coeff)i, carom_coeffs_get(&s->rule.coeffs, (carom_coeff)i));
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (s->options >> i & 1)
            carom_case_set_option(c, (carom_option)i, carom_options_get(&s->rule.options, (carom_option)i));
}

bool settings_apply(const settings *s, carom_case *c, carom_case_error *error)
{
    if (!law_fits(s, c, error))
        return false;
    change(s, c);
    return carom_case_check(c, error) || blame(s, error);
}

bool settings_apply_to_all(const settings *s, carom_case *c, carom_case_error *error)
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
static bool path_together(settings *s, carom_case *c)
{
    const carom_together *law = s->together ? s->together : c->several->rule.law;
    if (s->law || (law && law->traits & CAROM_TRAIT_HAS_PATH)) /* settings_apply refuses the former */
        return true;
    if (s->together) {
        complain("--law %s: this law has no path inside the impact; try lzb", law->id);
        return false;
    }
    c->several->rule.law = carom_together_find("lzb");
    return settings_raise(s, c, CAROM_WARNING_LAW, "%s%s; lzb is shown instead (--law chooses)",
                          law ? law->id : "the case names no law", law ? " has no path inside the impact" : "");
}

bool settings_path_law(settings *s, carom_case *c)
{
    const carom_law *law = s->law ? s->law : c->rule.law;
    char text[200];
    if (c->several)
        return path_together(s, c);
    if (s->together || (law && law->traits & CAROM_TRAIT_HAS_PATH)) /* settings_apply refuses the former */
        return true;
    if (s->law) {
        path_laws(text, sizeof text);
        complain("--law %s: this law has no path inside the impact; try one of %s", law->id, text);
        return false;
    }
    c->rule.law = carom_law_find("routh-stronge");
    return settings_raise(s, c, CAROM_WARNING_LAW, "%s%s; routh-stronge is shown instead (--law chooses)",
                          law ? law->id : "the case names no law", law ? " has no path inside the impact" : "");
}

/* ---- warnings ---- */

/* A coefficient or option of --set that the law has no use for. */
static bool has_idle_setting(const settings *s, const carom_case *c, char *text, size_t room)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (s->coefficients >> i & 1 && !carom_case_uses(c, (carom_coeff)i)) {
            snprintf(text, room, "--set %s: %s does not use it", carom_coeff_at((carom_coeff)i)->name,
                     carom_case_law(c));
            return true;
        }
    return false;
}

static bool has_idle_option(const settings *s, const carom_case *c, char *text, size_t room)
{
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (s->options >> i & 1 && !carom_case_has_option(c, (carom_option)i)) {
            snprintf(text, room, "--set %s: %s does not have this option", carom_option_at((carom_option)i)->name,
                     carom_case_law(c));
            return true;
        }
    return false;
}

bool settings_raise(settings *s, carom_case *c, carom_warning i, const char *format, ...)
{
    va_list arguments;
    c->warnings |= 1u << i;
    if (!s->strict && s->warned >> i & 1)
        return true;
    s->warned |= 1u << i;
    fprintf(stderr, "carom: %s: %s: ", s->strict ? "error" : "warning", carom_warning_word(i));
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return !s->strict;
}

/* A warning about a key of the file: "file:3: coefficients.eta: newton does not use eta (unused-coefficient)". */
static bool warn_of_key(settings *s, const carom_case *c, carom_warning i, carom_case_error *error)
{
    carom_case_warn(c, i, error);
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, " (%s)", carom_warning_word(i));
    if (!s->strict && !(s->warned >> i & 1))
        fprintf(stderr, "warning: %s\n", error->message);
    s->warned |= 1u << i;
    return !s->strict;
}

bool settings_warn(settings *s, carom_case *c, carom_case_error *error)
{
    char text[160];
    unsigned found = carom_case_warnings(c) & ~c->warnings;
    for (int i = 0; i < CAROM_WARNING_COUNT; i++)
        if (found >> i & 1 && !warn_of_key(s, c, (carom_warning)i, error))
            return false;
    error->message[0] = 0;
    if (has_idle_setting(s, c, text, sizeof text))
        return settings_raise(s, c, CAROM_WARNING_COEFFICIENT, "%s", text);
    if (has_idle_option(s, c, text, sizeof text))
        return settings_raise(s, c, CAROM_WARNING_OPTION, "%s", text);
    return true;
}

/* Law, coefficients and options of a case. Their names come from the manifests, nothing is listed twice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/solve.h"
#include "io/case/reader.h"
#include "io/json/number.h"

static const char *const coefficient_keys[] = {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) #name,
#include "carom/coeffs.def"
#undef CAROM_COEFF
    NULL};

static const place law_place = {NULL, "law"}, base_place = {NULL, "base"}, contacts_place = {NULL, "contacts"};
static const place coefficients_place = {NULL, "coefficients"};

static bool unknown_law(const reader *r, const place *at, const char *id, const char *hint, const char *family)
{
    r->error->status = CAROM_STATUS_NO_LAW;
    if (hint)
        return reader_fail(r, at, "unknown law \"%s\"; did you mean \"%s\"?", id, hint);
    return reader_fail(r, at, "unknown law \"%s\"%s; `carom laws` lists them", id, family);
}

bool reader_law(const reader *r, const place *at, const json_t *value, const carom_law **law)
{
    if (!value)
        return true;
    const char *id = json_string_value(value);
    if (!id)
        return reader_fail(r, at, "must be a string, the id of a law");
    *law = carom_law_find(id);
    return *law || unknown_law(r, at, id, carom_nearest_law(id), "");
}

static const char *nearest_together(const char *id)
{
    const char *words[16] = {NULL};
    for (int i = 0; i < carom_together_count() && i < 15; i++)
        words[i] = carom_together_at(i)->id;
    return carom_nearest(id, words);
}

bool reader_together(const reader *r, const place *at, const json_t *value, const carom_together **law)
{
    const char *id = json_string_value(value);
    if (!value)
        return true;
    if (!id)
        return reader_fail(r, at, "must be a string, the id of a law");
    *law = carom_together_find(id);
    if (!*law && carom_law_find(id)) {
        r->error->status = CAROM_STATUS_NO_LAW;
        return reader_fail(r, at, "\"%s\" is a law of one contact; give \"%s\": \"sequential\", \"base\": \"%s\"", id,
                           at->key, id);
    }
    return *law || unknown_law(r, at, id, nearest_together(id), " of several contacts");
}

static bool out_of_range(const reader *r, const place *at, double value, const char *range)
{
    char text[CAROM_NUMBER_SIZE];
    return reader_fail(r, at, "%s is outside its range %s", carom_internal_number_rounded(text, value, 6), range);
}

/* A number, or the word "infinite" where the range has no end. */
static bool read_value(const reader *r, const place *at, carom_coeff i, const json_t *value, double *number)
{
    const char *word = json_string_value(value);
    if (!word || !isinf(carom_coeff_at(i)->max))
        return reader_number(r, at, value, number);
    *number = INFINITY;
    return strcmp(word, "infinite") == 0 || reader_fail(r, at, "must be a number or \"infinite\"");
}

bool reader_coefficients(const reader *r, const place *at, const json_t *object, carom_coeffs *coeffs)
{
    if (!object)
        return true;
    if (!reader_keys(r, at, object, coefficient_keys))
        return false;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        place here = {at, key};
        carom_coeff i = carom_coeff_find(key);
        double number;
        if (json_is_object(value)) {
            if (!reader_of_speed(r, &here, value, i, coeffs))
                return false;
            continue;
        }
        if (!read_value(r, &here, i, value, &number))
            return false;
        if (i == CAROM_COEFF_mu_s && number < 0) /* -1 would mean "not given" */
            return out_of_range(r, &here, number, carom_coeff_at(i)->range);
        carom_coeffs_set(coeffs, i, number);
    }
    return true;
}

bool reader_option(const reader *r, const place *at, const json_t *object, carom_option i, carom_options *options)
{
    const carom_option_info *info = carom_option_at(i);
    const json_t *value = json_object_get(object, info->name);
    if (!value)
        return true;
    place here = {at, info->name};
    const char *word = json_string_value(value);
    int choice = word ? carom_option_choice(i, word) : -1;
    if (choice < 0)
        return reader_fail(r, &here, "%s", carom_option_rule(i));
    carom_options_set(options, i, choice);
    return true;
}

bool read_rule(const reader *r, const json_t *document, carom_rule *rule)
{
    *rule = carom_rule_default(NULL);
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (!reader_option(r, NULL, document, (carom_option)i, &rule->options))
            return false;
    return reader_coefficients(r, &coefficients_place, json_object_get(document, "coefficients"), &rule->coeffs);
}

/* ---- the rules of a case ---- */

static bool read_own_coefficients(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *stroke = json_object_get(document, "stroke");
    for (int i = 0; i < c->count; i++)
        c->coeffs[i] = c->rule.coeffs;
    if (stroke)
        return read_stroke_coefficients(r, stroke, c->coeffs);
    for (int i = 0; i < c->count; i++) {
        contact_entry e;
        contact_entry_at(&e, c, document, i);
        place at = {&e.at, "coefficients"};
        if (!reader_coefficients(r, &at, json_object_get(e.value, "coefficients"), &c->coeffs[i]))
            return false;
    }
    return true;
}

bool read_case_rule(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *law = json_object_get(document, "law");
    if (!read_rule(r, document, &c->rule))
        return false;
    if (!c->together)
        return reader_law(r, &law_place, law, &c->rule.law);
    if (!reader_together(r, &law_place, law, &c->together_rule.law) ||
        !reader_law(r, &base_place, json_object_get(document, "base"), &c->together_rule.base))
        return false;
    c->together_rule.options = c->rule.options;
    c->together_rule.coeffs = c->coeffs;
    return read_own_coefficients(r, document, c) && (fit_spins(c) || reader_fail(r, NULL, "out of memory"));
}

/* Name the coefficient and its contact in words. */
static bool blame_contact(const reader *r, const carom_case *c, carom_status status, int contact, carom_coeff culprit)
{
    const carom_together *law = c->together_rule.law;
    contact_entry e;
    contact_entry_at(&e, c, NULL, contact);
    place at = {&e.at, "coefficients"};
    const carom_coeff_info *info = culprit < CAROM_COEFF_COUNT ? carom_coeff_at(culprit) : NULL;
    place key = {&at, info ? info->name : ""};
    r->error->status = status;
    if (status == CAROM_STATUS_NO_LAW)
        return reader_missing(r, NULL, "law");
    if (status == CAROM_STATUS_BAD_SIZE)
        return reader_fail(r, &contacts_place, "%s takes at most %d contacts (has %d)", law->id, law->most, c->count);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && culprit == CAROM_COEFF_mu)
        return reader_fail(r, &key, "%s needs a finite mu", law->id);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && culprit == CAROM_COEFF_exponent && law->uses & CAROM_USES(eta))
        return reader_fail(r, &key, "%s has linear springs where there is friction: exponent is 1", law->id);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && info)
        return reader_fail(r, &key, "%s needs the same %s at every contact", law->id, info->name);
    if (!info)
        return reader_refuse(r, &e.at, status);
    return reader_fail(r, &key, "%g is outside its range %s", carom_coeffs_get(&c->coeffs[contact], culprit),
                       info->range);
}

bool check_case_rule(const reader *r, const carom_case *c)
{
    int contact;
    carom_coeff culprit;
    if (!c->together)
        return check_rule(r, &c->rule) && check_patch(r, c);
    carom_status status = carom_together_check(&c->together_rule, c->count, &contact, &culprit);
    return (status == CAROM_STATUS_OK || blame_contact(r, c, status, contact, culprit)) && check_patch(r, c);
}

/* A case without a law is to be solved with several: its coefficients alone; of contacts that are solved together by
 * sequential, which takes all of them. */
bool check_read_rule(const reader *r, const carom_case *c)
{
    if (c->together) {
        carom_case any = *c;
        if (!any.together_rule.law)
            any.together_rule.law = carom_together_find("sequential");
        return check_case_rule(r, &any);
    }
    return c->rule.law ? check_case_rule(r, c) : check_coeffs(r, &c->rule) && check_patch(r, c);
}

/* ---- ranges ---- */

/* The range a reader should see: the manifest's, but for a restitution that this law lets be negative. */
static bool blame_coefficient(const reader *r, const place *at, const carom_rule *rule, carom_coeff culprit)
{
    const carom_coeff_info *info = carom_coeff_at(culprit);
    place here = {at, info->name};
    double value = carom_coeffs_get(&rule->coeffs, culprit);
    bool by_mu = culprit == CAROM_COEFF_mu_s && value >= 0;
    bool by_s_1 = culprit == CAROM_COEFF_s_2 && value >= 0 && value <= 1;
    if (!by_mu && !by_s_1)
        return out_of_range(r, &here, value, info->range);
    char range[128], other[CAROM_NUMBER_SIZE];
    double bound = by_mu ? rule->coeffs.mu : rule->coeffs.s_1;
    if (isinf(bound))
        snprintf(other, sizeof other, "infinite");
    else
        carom_internal_number_rounded(other, bound, 6);
    snprintf(range, sizeof range, "%s (%s is %s)", info->range, by_mu ? "mu" : "s_1", other);
    return out_of_range(r, &here, value, range);
}

bool check_coeffs(const reader *r, const carom_rule *rule)
{
    carom_coeff culprit = CAROM_COEFF_COUNT;
    carom_status status = carom_coeffs_check(&rule->coeffs, &culprit);
    r->error->status = status;
    return status == CAROM_STATUS_OK || blame_coefficient(r, &coefficients_place, rule, culprit);
}

bool check_rule_at(const reader *r, const place *above, const carom_rule *rule)
{
    place at = {above, "coefficients"};
    carom_coeff culprit = CAROM_COEFF_COUNT;
    carom_status status = carom_rule_check(rule, &culprit);
    if (status == CAROM_STATUS_OK)
        return true;
    r->error->status = status;
    if (status == CAROM_STATUS_NO_LAW)
        return reader_missing(r, above, "law");
    return blame_coefficient(r, &at, rule, culprit);
}

bool check_rule(const reader *r, const carom_rule *rule)
{
    return check_rule_at(r, NULL, rule);
}

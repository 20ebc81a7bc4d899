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

static const place law_place = {NULL, "law"};
static const place coefficients_place = {NULL, "coefficients"};

bool reader_law(const reader *r, const place *at, const json_t *value, const carom_law **law)
{
    if (!value)
        return true;
    const char *id = json_string_value(value);
    if (!id)
        return reader_fail(r, at, "must be a string, the id of a law");
    *law = carom_law_find(id);
    if (*law)
        return true;
    r->error->status = CAROM_STATUS_NO_LAW;
    const char *hint = carom_nearest_law(id);
    if (hint)
        return reader_fail(r, at, "unknown law \"%s\"; did you mean \"%s\"?", id, hint);
    return reader_fail(r, at, "unknown law \"%s\"; `carom laws` lists them", id);
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
        if (!read_value(r, &here, i, value, &number))
            return false;
        if (i == CAROM_COEFF_mu_s && number < 0) /* -1 would mean "not given" */
            return out_of_range(r, &here, number, carom_coeff_at(i)->range);
        carom_coeffs_set(coeffs, i, number);
    }
    return true;
}

static bool read_option(const reader *r, const json_t *document, carom_option i, carom_options *options)
{
    const carom_option_info *info = carom_option_at(i);
    const json_t *value = json_object_get(document, info->name);
    if (!value)
        return true;
    place here = {NULL, info->name};
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
        if (!read_option(r, document, (carom_option)i, &rule->options))
            return false;
    return reader_coefficients(r, &coefficients_place, json_object_get(document, "coefficients"), &rule->coeffs) &&
           (is_several(document) || reader_law(r, &law_place, json_object_get(document, "law"), &rule->law));
}

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

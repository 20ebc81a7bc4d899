#include "carom/coeffs.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/coeffs_check.h"

static const carom_coeff_info infos[CAROM_COEFF_COUNT] = {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) {#name, unit, range, meaning, min, max, value},
#include "carom/coeffs.def"
#undef CAROM_COEFF
};

static const size_t offsets[CAROM_COEFF_COUNT] = {
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) offsetof(carom_coeffs, name),
#include "carom/coeffs.def"
#undef CAROM_COEFF
};

static const carom_option_info option_infos[CAROM_OPTION_COUNT] = {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning)              [CAROM_OPTION_##name] = {#name, {word, other}, meaning},
#define CAROM_OPTION_THIRD(name, NAME, word, other, third, THIRD, meaning) [CAROM_OPTION_##name].words[2] = third,
#define CAROM_OPTION_FOURTH(name, NAME, fourth, FOURTH, meaning)           [CAROM_OPTION_##name].words[3] = fourth,
#include "carom/options.def"
#undef CAROM_OPTION
};

static const size_t option_offsets[CAROM_OPTION_COUNT] = {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) offsetof(carom_options, name),
#include "carom/options.def"
#undef CAROM_OPTION
};

carom_coeffs carom_coeffs_default(void)
{
    carom_coeffs coeffs = {0};
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) coeffs.name = value;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return coeffs;
}

const carom_coeff_info *carom_coeff_at(carom_coeff i)
{
    return &infos[i];
}

carom_coeff carom_coeff_find(const char *name)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (strcmp(infos[i].name, name) == 0)
            return (carom_coeff)i;
    return CAROM_COEFF_COUNT;
}

double carom_coeffs_get(const carom_coeffs *coeffs, carom_coeff i)
{
    double value;
    memcpy(&value, (const char *)coeffs + offsets[i], sizeof value);
    return value;
}

void carom_coeffs_set(carom_coeffs *coeffs, carom_coeff i, double value)
{
    memcpy((char *)coeffs + offsets[i], &value, sizeof value);
}

/* Coefficient i against its own range; e may be negative for laws with the trait signed-e. */
static bool in_range(const carom_coeffs *c, int i)
{
    if (i == CAROM_COEFF_mu_s)
        return static_friction_fits(c);
    return coeff_in_range(carom_coeffs_get(c, (carom_coeff)i), i) && (i != CAROM_COEFF_s_2 || weights_fit(c)) &&
           (i != CAROM_COEFF_annuli || annuli_fit(c));
}

carom_status carom_coeffs_check(const carom_coeffs *coeffs, carom_coeff *culprit)
{
    if (coeffs_in_range(coeffs))
        return CAROM_STATUS_OK;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        if (in_range(coeffs, i))
            continue;
        if (culprit)
            *culprit = (carom_coeff)i;
        return isfinite(carom_coeffs_get(coeffs, (carom_coeff)i)) ? CAROM_STATUS_BAD_COEFFICIENT
                                                                  : CAROM_STATUS_NOT_FINITE;
    }
    return CAROM_STATUS_OK;
}

const carom_option_info *carom_option_at(carom_option i)
{
    return &option_infos[i];
}

carom_option carom_option_find(const char *name)
{
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (strcmp(option_infos[i].name, name) == 0)
            return (carom_option)i;
    return CAROM_OPTION_COUNT;
}

int carom_option_choice(carom_option i, const char *word)
{
    for (int choice = 0; choice < CAROM_OPTION_WORDS && option_infos[i].words[choice]; choice++)
        if (strcmp(word, option_infos[i].words[choice]) == 0)
            return choice;
    return -1;
}

const char *carom_option_rule(carom_option i)
{
    static const char *const of_two[] = {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) "must be \"" word "\" or \"" other "\"",
#include "carom/options.def"
#undef CAROM_OPTION
    };
    static const char *const of_three[CAROM_OPTION_COUNT] = {
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning)
#define CAROM_OPTION_THIRD(name, NAME, word, other, third, THIRD, meaning)                                             \
    [CAROM_OPTION_##name] = "must be \"" word "\", \"" other "\" or \"" third "\"",
#include "carom/options.def"
#undef CAROM_OPTION
    };
    static const char *const of_four[CAROM_OPTION_COUNT] = {
        [CAROM_OPTION_pressure] = "must be \"hertz\", \"uniform\", \"ring\" or \"ellipse\"",
    };
    return of_four[i] ? of_four[i] : of_three[i] ? of_three[i] : of_two[i];
}

int carom_options_get(const carom_options *options, carom_option i)
{
    int value;
    memcpy(&value, (const char *)options + option_offsets[i], sizeof value);
    return value;
}

void carom_options_set(carom_options *options, carom_option i, int value)
{
    memcpy((char *)options + option_offsets[i], &value, sizeof value);
}

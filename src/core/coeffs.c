#include "carom/coeffs.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning) {#name, {word, other}, meaning},
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
    carom_coeffs coeffs;
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

/* e may be negative for the laws that say so; mu_s may be absent. */
static double minimum_of(int i)
{
    return i == CAROM_COEFF_e ? -1 : infos[i].min;
}

static bool in_range(const carom_coeffs *coeffs, int i)
{
    double value = carom_coeffs_get(coeffs, (carom_coeff)i);
    if (i == CAROM_COEFF_mu_s)
        return value == CAROM_SAME_AS_MU || value >= coeffs->mu;
    if (i == CAROM_COEFF_s_2 && !(coeffs->s_1 + value <= 1 + 1e-15)) /* 1/3 + 2/3 in decimal */
        return false;
    return value >= minimum_of(i) && value <= infos[i].max;
}

carom_status carom_coeffs_check(const carom_coeffs *coeffs, carom_coeff *culprit)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        bool finite = isfinite(carom_coeffs_get(coeffs, (carom_coeff)i));
        if (finite && in_range(coeffs, i))
            continue;
        if (culprit)
            *culprit = (carom_coeff)i;
        return finite ? CAROM_BAD_COEFFICIENT : CAROM_NOT_FINITE;
    }
    return CAROM_OK;
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

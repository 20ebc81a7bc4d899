#include "carom/materials.h"

#include <math.h>

carom_status carom_eta_from_poisson(double nu, double *eta)
{
    *eta = 0;
    if (!isfinite(nu))
        return CAROM_STATUS_NOT_FINITE;
    if (nu < 0 || nu > 0.5)
        return CAROM_STATUS_BAD_COEFFICIENT;
    *eta = sqrt((2 - nu) / (2 * (1 - nu)));
    return CAROM_STATUS_OK;
}

carom_status carom_eta_from_frequencies(double omega_t, double omega_n, double inertia_ratio, double *eta)
{
    *eta = 0;
    if (!isfinite(omega_t) || !isfinite(omega_n) || !isfinite(inertia_ratio))
        return CAROM_STATUS_NOT_FINITE;
    double value = omega_n / omega_t * sqrt(inertia_ratio);
    if (!(omega_t > 0 && omega_n > 0 && inertia_ratio > 0 && value > 0 && isfinite(value)))
        return CAROM_STATUS_BAD_COEFFICIENT;
    *eta = value;
    return CAROM_STATUS_OK;
}

/* ---- published coefficients ---- */

static const carom_pair_info pairs[] = {
#define CAROM_PAIR(pair, e, mu, e_t, eta, source, certainty) {pair, e, mu, e_t, eta, source, certainty},
#include "carom/pairs.def"
#undef CAROM_PAIR
};

int carom_pair_count(void)
{
    return (int)(sizeof pairs / sizeof pairs[0]);
}

const carom_pair_info *carom_pair_at(int i)
{
    return &pairs[i];
}

static bool begins(const char *text, const char *word)
{
    while (*word && *text == *word)
        text++, word++;
    return !*word;
}

static bool contains(const char *text, const char *word)
{
    while (*text && !begins(text, word))
        text++;
    return begins(text, word);
}

bool carom_pair_matches(const carom_pair_info *pair, const char *word)
{
    return contains(pair->pair, word) || contains(pair->source, word);
}

#include "carom/coeffs.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "carom/elementary.h"
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
    if (i == CAROM_COEFF_e)
        coeffs->e_of_speed.form = CAROM_SPEED_CONSTANT;
    if (i == CAROM_COEFF_mu)
        coeffs->mu_of_speed.form = CAROM_SPEED_CONSTANT;
}

void carom_coeffs_take(carom_coeffs *coeffs, carom_coeff i, const carom_coeffs *from)
{
    carom_coeffs_set(coeffs, i, carom_coeffs_get(from, i));
    if (i == CAROM_COEFF_e)
        coeffs->e_of_speed = from->e_of_speed;
    if (i == CAROM_COEFF_mu)
        coeffs->mu_of_speed = from->mu_of_speed;
}

/* Coefficient i against its own range; e may be negative for laws with the trait signed-e. */
static bool in_range(const carom_coeffs *c, int i)
{
    if (i == CAROM_COEFF_mu_s)
        return static_friction_fits(c);
    return coeff_in_range(carom_coeffs_get(c, (carom_coeff)i), i) && (i != CAROM_COEFF_s_2 || weights_fit(c)) &&
           (i != CAROM_COEFF_annuli || annuli_fit(c));
}

/* Coefficient i where it depends on the speed: numbers that make a function, which is finite at all speeds. */
static bool speed_fits(const carom_coeffs *c, int i)
{
    const carom_of_speed *f = i == CAROM_COEFF_e ? &c->e_of_speed : &c->mu_of_speed;
    if ((i != CAROM_COEFF_e && i != CAROM_COEFF_mu) || f->form == CAROM_SPEED_CONSTANT)
        return true;
    return f->form > 0 && f->form < CAROM_SPEED_COUNT && (i == CAROM_COEFF_e || f->form != CAROM_SPEED_VISCOELASTIC) &&
           isfinite(f->q) && f->speed > 0 && isfinite(f->speed) && f->from >= 0 && f->to > f->from &&
           (f->from > 0 || f->form == CAROM_SPEED_LINEAR || (f->form == CAROM_SPEED_POWER ? f->q <= 0 : f->q >= 0)) &&
           isfinite(carom_coeffs_get(c, (carom_coeff)i));
}

carom_status carom_coeffs_check(const carom_coeffs *coeffs, carom_coeff *culprit)
{
    if (coeffs_in_range(coeffs) && !carom_coeffs_vary(coeffs))
        return CAROM_STATUS_OK;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        if (in_range(coeffs, i) && speed_fits(coeffs, i))
            continue;
        if (culprit)
            *culprit = (carom_coeff)i;
        return isfinite(carom_coeffs_get(coeffs, (carom_coeff)i)) ? CAROM_STATUS_BAD_COEFFICIENT
                                                                  : CAROM_STATUS_NOT_FINITE;
    }
    return CAROM_STATUS_OK;
}

/* ---- functions of the speed ---- */

const char *carom_speed_word(carom_speed_form form)
{
    static const char *const words[] = {"constant", "linear", "power", "viscoelastic"};
    return form < CAROM_SPEED_COUNT ? words[form] : "";
}

const char *carom_speed_equation(carom_speed_form form)
{
    static const char *const equations[] = {"c", "c (1 - q (v/V - 1))", "c (v/V)^-q", "1 - (1 - c) (v/V)^q"};
    return form < CAROM_SPEED_COUNT ? equations[form] : "";
}

double carom_of_speed_value(const carom_of_speed *f, double c, double v, double slopes[2])
{
    double s = min(max(v, f->from), f->to) / f->speed, value = c, by_c = 1, by_q = 0;
    if (f->form == CAROM_SPEED_LINEAR) {
        by_c = 1 - f->q * (s - 1);
        value = c * by_c;
        by_q = -c * (s - 1);
    } else if (f->form == CAROM_SPEED_POWER) {
        by_c = carom_pow(s, -f->q);
        value = c * by_c;
        by_q = slopes ? -value * carom_log(s) : 0;
    } else if (f->form == CAROM_SPEED_VISCOELASTIC) {
        by_c = carom_pow(s, f->q);
        value = 1 - (1 - c) * by_c;
        by_q = slopes ? (value - 1) * carom_log(s) : 0;
    }
    if (slopes)
        slopes[0] = by_c, slopes[1] = by_q;
    return value;
}

carom_coeffs carom_coeffs_at_speed(const carom_coeffs *coeffs, double v)
{
    carom_coeffs c = *coeffs;
    if (c.e_of_speed.form != CAROM_SPEED_CONSTANT)
        carom_coeffs_set(&c, CAROM_COEFF_e, min(max(carom_of_speed_value(&c.e_of_speed, c.e, v, NULL), 0), 1));
    if (c.mu_of_speed.form == CAROM_SPEED_CONSTANT)
        return c;
    carom_coeffs_set(&c, CAROM_COEFF_mu, max(carom_of_speed_value(&c.mu_of_speed, c.mu, v, NULL), 0));
    c.mu_s = c.mu_s == CAROM_SAME_AS_MU ? c.mu_s : max(c.mu_s, c.mu);
    return c;
}

/* ---- options ---- */

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

#include "carom/quantities.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define QUANTITY(column, member, key, symbol, unit, meaning) #column,
#include "carom/quantities.def"
#undef QUANTITY
};

enum {
#define QUANTITY(column, member, key, symbol, unit, meaning) AT_##column,
#include "carom/quantities.def"
#undef QUANTITY
    COUNT
};

int carom_quantity_count(void)
{
    return COUNT;
}

const char *carom_quantity_name(int i)
{
    return names[i];
}

static bool has_restitution(const carom_result *r, int i)
{
    unsigned bit = i == AT_restitution_newton    ? CAROM_HAS_NEWTON
                   : i == AT_restitution_poisson ? CAROM_HAS_POISSON
                   : i == AT_restitution_stronge ? CAROM_HAS_STRONGE
                   : i == AT_restitution_ivanov  ? CAROM_HAS_IVANOV
                                                 : 0;
    return !bit || r->outcome.restitution.defined & bit;
}

/* Restitutions are defined or not one by one, times and depths by contact-force laws, velocities where bodies are. */
static bool is_defined(const carom_case *c, const carom_result *r, int i)
{
    if (i >= AT_a_v_x)
        return c->source == CAROM_SOURCE_BODIES && r->bodies;
    if (i >= AT_duration)
        return c->rule.law && c->rule.law->traits & CAROM_TRAIT_CONTACT_FORCE;
    return has_restitution(r, i);
}

double carom_quantity_value(const carom_case *c, const carom_result *result, int i)
{
    switch (is_defined(c, result, i) ? i : COUNT) {
#define QUANTITY(column, member, key, symbol, unit, meaning)                                                           \
    case AT_##column:                                                                                                  \
        return (double)result->member + 0.0;
#include "carom/quantities.def"
#undef QUANTITY
    default:
        return NAN;
    }
}

/* ---- words ---- */

enum { LAW, STATUS, MODE, FLAGS };

const char *carom_quantity_word_name(int k)
{
    static const char *const words[CAROM_QUANTITY_WORDS] = {"law", "status", "mode", "flags"};
    return words[k];
}

static void put_flags(unsigned flags, char text[CAROM_QUANTITY_WORD])
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < CAROM_FLAG_COUNT && used < CAROM_QUANTITY_WORD; i++)
        if (flags >> i & 1)
            used += (size_t)snprintf(text + used, CAROM_QUANTITY_WORD - used, "%s%s", used ? " " : "",
                                     carom_flag_word((carom_flag)i));
}

void carom_quantity_word(const carom_case *c, const carom_result *result, int k, char text[CAROM_QUANTITY_WORD])
{
    const carom_outcome *o = &result->outcome;
    if (k == FLAGS)
        put_flags(o->flags, text);
    else
        snprintf(text, CAROM_QUANTITY_WORD, "%s",
                 k == LAW      ? carom_case_law(c)
                 : k == STATUS ? carom_status_id(o->status)
                 : o->mode     ? o->mode
                               : "");
}

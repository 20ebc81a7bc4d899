/* The tables of the library as one JSON object. */
#include <math.h>

#include "carom/carom.h"
#include "carom/json_short.h"
#include "carom/sim.h"
#include "carom/words.h"

/* Infinite bounds are null. */
static json_t *bound(double value)
{
    return isfinite(value) && fabs(value) < CAROM_UNBOUNDED ? json_real(value) : json_null();
}

static json_t *coefficients(void)
{
    json_t *list = json_array();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        const carom_coeff_info *c = carom_coeff_at((carom_coeff)i);
        bool positive = c->min == CAROM_POSITIVE;
        json_t *entry = json_pack("{s:s, s:s, s:s, s:s}", "name", c->name, "unit", c->unit, "range", c->range,
                                  "meaning", c->meaning);
        json_object_set_new(entry, "min", positive ? json_real(0) : bound(c->min));
        json_object_set_new(entry, "positive", json_boolean(positive));
        json_object_set_new(entry, "max", bound(c->max));
        json_object_set_new(entry, "infinite", json_boolean(isinf(c->max)));
        json_object_set_new(entry, "default", c->value == CAROM_SAME_AS_MU ? json_null() : bound(c->value));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *options(void)
{
    json_t *list = json_array();
    for (int i = 0; i < CAROM_OPTION_COUNT; i++) {
        const carom_option_info *o = carom_option_at((carom_option)i);
        json_t *words = json_array();
        for (int k = 0; k < 3 && o->words[k]; k++)
            json_array_append_new(words, json_string(o->words[k]));
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:s}", "name", o->name, "words", words, "meaning", o->meaning));
    }
    return list;
}

static json_t *statuses(void)
{
    json_t *list = json_array();
    for (int i = 0; i < CAROM_STATUS_COUNT; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "id", carom_status_id((carom_status)i), "message",
                                              carom_status_message((carom_status)i), "answer",
                                              carom_status_is_answer((carom_status)i)));
    return list;
}

static json_t *flags(void)
{
    json_t *list = json_array();
#define CAROM_FLAG(name, bit, word, meaning)                                                                           \
    json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "word", word, "bit", bit, "meaning", meaning));
#include "carom/flags.def"
#undef CAROM_FLAG
    return list;
}

static json_t *ledger(void)
{
    json_t *list = json_array();
#define CAROM_LEDGER(name, member, meaning) json_array_append_new(list, json_string(#name));
#include "carom/ledger.def"
#undef CAROM_LEDGER
    return list;
}

/* Why an advance of a simulation ended, and what its events are. */
static json_t *stops(void)
{
    json_t *list = json_array();
    for (int i = 0; i < CAROM_SIM_STOP_COUNT; i++)
        json_array_append_new(list, json_string(carom_sim_stop_word((carom_sim_stop)i)));
    return list;
}

static json_t *kinds(void)
{
    json_t *list = json_array();
    for (int i = 0; i < CAROM_SIM_EVENT_COUNT; i++)
        json_array_append_new(list, json_string(carom_sim_event_word((carom_sim_event_kind)i)));
    return list;
}

carom_json *carom_manifest_json(void)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "version", carom_version(), "coefficients",
                     coefficients(), "options", options(), "statuses", statuses(), "flags", flags(), "ledger", ledger(),
                     "stops", stops(), "kinds", kinds());
}

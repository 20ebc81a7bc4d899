/* The laws of this build as JSON, from their descriptors. */
#include "carom/json_short.h"
#include "carom/words.h"

static json_t *coefficient_json(carom_coeff i)
{
    const carom_coeff_info *info = carom_coeff_at(i);
    json_t *object = json_pack("{s:s, s:s, s:s}", "name", info->name, "range", info->range, "meaning", info->meaning);
    json_object_set_new(object, "default",
                        i == CAROM_COEFF_mu_s            ? json_string("mu")
                        : info->value == CAROM_NOT_GIVEN ? json_null()
                                                         : json_real(info->value));
    return object;
}

carom_json *carom_law_json(const carom_law *law)
{
    json_t *coefficients = json_array(), *traits = json_array(), *modes = json_array();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (law->uses >> i & 1)
            json_array_append_new(coefficients, coefficient_json((carom_coeff)i));
    for (int i = 0; i < CAROM_TRAIT_COUNT; i++)
        if (law->traits >> i & 1)
            json_array_append_new(traits, json_string(carom_trait_word((carom_trait)i)));
    for (int i = 0; i < law->mode_count; i++)
        json_array_append_new(modes, json_string(law->modes[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "id", law->id, "name", law->name, "family",
                     law->family, "summary", law->summary, "reference", law->reference, "coefficients", coefficients,
                     "traits", traits, "modes", modes);
}

carom_json *carom_together_json(const carom_together *law)
{
    json_t *coefficients = json_array(), *traits = json_array(), *frictionless = json_array();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (law->uses >> i & 1) {
            const carom_coeff_info *info = carom_coeff_at((carom_coeff)i);
            json_t *object =
                json_pack("{s:s, s:s, s:s}", "name", info->name, "range", info->range, "meaning", info->meaning);
            json_object_set_new(object, "default", i == CAROM_COEFF_mu_s ? json_string("mu") : json_real(info->value));
            json_array_append_new(coefficients, object);
        }
    for (int i = 0; i < CAROM_TRAIT_COUNT; i++) {
        if (law->traits >> i & 1)
            json_array_append_new(traits, json_string(carom_trait_word((carom_trait)i)));
        if (law->frictionless >> i & 1)
            json_array_append_new(frictionless, json_string(carom_trait_word((carom_trait)i)));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:i}", "id", law->id, "name", law->name, "family",
                     "together", "summary", law->summary, "reference", law->reference, "coefficients", coefficients,
                     "traits", traits, "traits_without_friction", frictionless, "most_contacts", law->most);
}

carom_json *carom_laws_json(void)
{
    json_t *list = json_array();
    for (int i = 0; i < carom_law_count(); i++)
        json_array_append_new(list, carom_law_json(carom_law_at(i)));
    for (int i = 0; i < carom_together_count(); i++)
        json_array_append_new(list, carom_together_json(carom_together_at(i)));
    return list;
}

static void set(json_t *object, const char *key, double value)
{
    if (value != CAROM_NOT_STATED)
        json_object_set_new(object, key, json_real(value));
}

carom_json *carom_pair_json(const carom_pair_info *pair)
{
    json_t *object = json_pack("{s:s}", "pair", pair->pair);
    set(object, "e", pair->e);
    set(object, "mu", pair->mu);
    set(object, "e_t", pair->e_t);
    set(object, "eta", pair->eta);
    json_object_set_new(object, "source", json_string(pair->source));
    json_object_set_new(object, "certainty", json_string(pair->certainty));
    return object;
}

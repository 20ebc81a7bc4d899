/* One name per quantity: what a column of CSV holds is what its key in the answer holds, and its member in C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "support/check.h"

typedef struct quantity {
    const char *column, *key;
    double value;
} quantity;

/* The value at "a.b.0" in a tree, or NaN. */
static double at(const json_t *value, const char *key)
{
    char text[64];
    snprintf(text, sizeof text, "%s", key);
    for (char *word = strtok(text, "."); word && value; word = strtok(NULL, "."))
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(word)) : json_object_get(value, word);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

#define CASE(law, more)                                                                                                \
    "{\"law\": \"" law "\", \"coefficients\": {\"e\": 0.6, \"mu\": 0.3}" more                                          \
    ", \"bodies\": {\"a\": {\"mass\": 1.3, \"inertia\": [0.4, 0.7, 0.5], \"velocity\": [1.1, -0.4, -3], \"omega\": "   \
    "[0.2, 0.3, 0.1]}, \"b\": {\"mass\": 2.1, \"inertia\": [0.6, 0.8, 0.9], \"velocity\": [0.1, 0.2, 0.3], "           \
    "\"omega\": "                                                                                                      \
    "[0.4, 0.5, 0.6]}}, \"contact\": {\"arm_a\": [0.3, -0.2, -0.8], \"arm_b\": [0.1, 0, 0.7], \"normal\": [0, 0, 1]}}"

enum {
    QUANTITIES = 0
#define QUANTITY(column, member, key, symbol, unit, meaning) +1
#include "carom/quantities.def"
#undef QUANTITY
};

/* Every key that the answer to this case has; marks those. */
static void compare(const char *text, bool found[QUANTITIES])
{
    carom_text source = {"test", 1, text, strlen(text)};
    carom_case c;
    carom_case_error error;
    carom_result result = {0};
    assert_true(carom_case_read(&source, &c, &error));
    assert_int_equal(carom_case_solve(&c, &result), CAROM_STATUS_OK);
    json_t *answer = (json_t *)carom_case_answer(&c, &result);
    const quantity all[] = {
#define QUANTITY(column, member, key, symbol, unit, meaning) {#column, key, (double)result.member},
#include "carom/quantities.def"
#undef QUANTITY
    };
    for (int i = 0; i < QUANTITIES; i++) {
        const double value = at(answer, all[i].key);
        found[i] |= !isnan(value);
        if (!isnan(value) && value != all[i].value)
            fail_msg("%s: the answer has %g at %s, the result %g", all[i].column, value, all[i].key, all[i].value);
    }
    json_decref(answer);
    carom_result_free(&result);
    carom_case_free(&c);
}

static void keys_and_members_agree(void **state)
{
    (void)state;
    bool found[QUANTITIES] = {false};
    compare(CASE("routh-stronge", ""), found);
    compare(CASE("modal", ", \"vibration\": {\"modes\": [{\"omega\": 900, \"zeta\": 0.02, \"phi\": [0.1, 0, 0.7]}]}"),
            found);
    for (int i = 0; i < QUANTITIES; i++)
        if (!found[i])
            fail_msg("no answer has quantity %d", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_and_members_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

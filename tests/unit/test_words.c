#include "support/check.h"

static void test_words_and_meanings(void **state)
{
    (void)state;
    assert_string_equal(carom_flag_word(CAROM_FLAG_BIT_CREATES_ENERGY), "creates-energy");
    assert_string_equal(carom_event_word(CAROM_EVENT_UP), "Z+");
    assert_string_equal(carom_trait_word(CAROM_TRAIT_BIT_ENERGY_SAFE), "energy-safe");
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        assert_true(*carom_flag_word((carom_flag)i) && *carom_flag_meaning((carom_flag)i));
    for (int i = 0; i < CAROM_TRAIT_COUNT; i++)
        assert_true(*carom_trait_word((carom_trait)i) && *carom_trait_meaning((carom_trait)i));
    for (int i = 0; i < CAROM_EVENT_KIND_COUNT; i++)
        assert_true(*carom_event_word((carom_event_kind)i));
}

static void test_out_of_range_is_empty(void **state)
{
    (void)state;
    assert_string_equal(carom_flag_word((carom_flag)99), "");
    assert_string_equal(carom_flag_meaning((carom_flag)99), "");
    assert_string_equal(carom_event_word((carom_event_kind)99), "");
    assert_string_equal(carom_trait_word((carom_trait)99), "");
    assert_string_equal(carom_trait_meaning((carom_trait)99), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_and_meanings),
        cmocka_unit_test(test_out_of_range_is_empty),
    };
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}

#include <string.h>

#include "support/check.h"

static void test_every_status_has_id_and_message(void **state)
{
    (void)state;
    for (int i = 0; i < CAROM_STATUS_COUNT; i++) {
        carom_status s = (carom_status)i;
        assert_true(strlen(carom_status_id(s)) > 1 && strlen(carom_status_message(s)) > 1);
        assert_false(carom_status_is_answer(s) && carom_status_is_refusal(s));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(carom_status_id(s), carom_status_id((carom_status)j));
    }
}

static void test_kinds(void **state)
{
    (void)state;
    assert_int_equal(CAROM_STATUS_OK, 0);
    assert_true(carom_status_is_answer(CAROM_STATUS_OK) && carom_status_is_answer(CAROM_STATUS_SEPARATING));
    assert_true(carom_status_is_answer(CAROM_STATUS_GRAZING));
    assert_false(carom_status_is_answer(CAROM_STATUS_STEP_LIMIT) || carom_status_is_refusal(CAROM_STATUS_STEP_LIMIT));
    assert_true(carom_status_is_refusal(CAROM_STATUS_BAD_MASS));
    assert_string_equal(carom_status_id(CAROM_STATUS_SEPARATING), "separating");
}

static void test_unknown_status_is_harmless(void **state)
{
    (void)state;
    assert_string_equal(carom_status_id((carom_status)4711), "unknown");
    assert_true(carom_status_is_refusal((carom_status)4711));
}

static void test_version_of_header_and_library_agree(void **state)
{
    (void)state;
    assert_string_equal(carom_version(), CAROM_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_id_and_message),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_unknown_status_is_harmless),
        cmocka_unit_test(test_version_of_header_and_library_agree),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}

/* Bounds on the text of a case: at each bound it passes, one beyond it does not. */
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#include "io/case/limits.h"

static bool passes(const char *bytes, size_t length, const char *word)
{
    char rule[200];
    carom_text text = {.bytes = bytes, .length = length};
    bool fine = carom_internal_limits_check(&text, rule, sizeof rule);
    assert_int_equal(fine, rule[0] == 0);
    if (!fine)
        assert_non_null(strstr(rule, word));
    return fine;
}

/* [0,0,...,0]: the array and its values. */
static void test_values(void **state)
{
    (void)state;
    size_t most = (size_t)CAROM_CASE_VALUES, room = 2 * most + 8;
    char *bytes = malloc(room);
    assert_non_null(bytes);
    memset(bytes, '0', room);
    bytes[0] = '[';
    for (size_t i = 1; i < most; i++)
        bytes[2 * i] = ',';
    assert_true(passes(bytes, 2 * (most - 2) + 2, "values"));
    assert_false(passes(bytes, 2 * (most - 1) + 2, "values"));
    free(bytes);
}

static void test_depth(void **state)
{
    (void)state;
    char bytes[CAROM_CASE_DEPTH + 1];
    memset(bytes, '[', sizeof bytes);
    assert_true(passes(bytes, CAROM_CASE_DEPTH, "nested"));
    assert_false(passes(bytes, CAROM_CASE_DEPTH + 1, "nested"));
}

/* Brackets and commas inside a string are text. */
static void test_strings(void **state)
{
    (void)state;
    char bytes[4 * CAROM_CASE_DEPTH];
    memset(bytes, '[', sizeof bytes);
    bytes[0] = '"';
    bytes[7] = '\\';
    bytes[8] = '"';
    bytes[sizeof bytes - 1] = '"';
    assert_true(passes(bytes, sizeof bytes, "nested"));
    bytes[7] = '[';
    assert_false(passes(bytes, sizeof bytes, "nested"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_depth),
                                       cmocka_unit_test(test_strings)};
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}

#define _XOPEN_SOURCE 700 /* setenv, mkdtemp */

/* Whatever the locale of the program, numbers are read and printed with a point. */
#include "support/check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "io/json/number.h"

/* A locale with a decimal comma: one of the machine, or one made here. */
static bool enter_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "comma"};
    char folder[] = "/tmp/carom-locale-XXXXXX", command[128];
    bool found = false;
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/comma >/dev/null 2>&1", folder);
    bool made = system(command) == 0;
    if (made)
        setenv("LOCPATH", folder, 1);
    for (int i = made ? 3 : 0; i < 4 && !found; i++)
        found = setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',';
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && found;
}

static void assert_number(double value, const char *text)
{
    char printed[CAROM_NUMBER_SIZE];
    assert_int_equal(carom_number_print(printed, value), strlen(text));
    assert_string_equal(printed, text);
}

static void test_numbers(void **state)
{
    (void)state;
    char text[CAROM_NUMBER_SIZE];
    assert_number(0.1 + 0.2, "0.30000000000000004");
    assert_number(1e-30 / 3, "3.3333333333333338e-31");
    assert_number(-2.385, "-2.385");
    assert_number(5e-324, "5e-324");
    assert_number(1.7976931348623157e308, "1.7976931348623157e+308");
    assert_string_equal(carom_internal_number_rounded(text, -2.38549, 4), "-2.385");
    assert_string_equal(carom_internal_number_rounded(text, 1.25e-9, 4), "1.25e-09");
    assert_string_equal(carom_internal_number_fixed(text, 2.385, 1), "2.4");
}

/* The whole answer has no comma inside a number: it is the same text as in the C locale. */
static void print_answer(FILE *out)
{
    static const char bytes[] = "{\"law\": \"jia\", \"coefficients\": {\"e\": 0.5, \"mu\": 0.25}, "
                                "\"reduced\": {\"K\": [[1.25, 0, 0.5], [0, 2.5, 0], [0.5, 0, 1.5]], "
                                "\"u\": [0.1, -0.3, -1.7]}}";
    carom_text text = {"locale", 1, bytes, sizeof bytes - 1};
    carom_case c;
    carom_case_error error;
    carom_result result = {0};
    assert_true(carom_case_read(&text, &c, &error));
    assert_true(c.problem.u.n == -1.7 && c.rule.coeffs.mu == 0.25);
    assert_int_equal(carom_case_solve(&c, &result), CAROM_STATUS_OK);
    json_t *answer = carom_case_answer(&c, &result);
    carom_json_print(out, answer, true);
    json_decref(answer);
    carom_result_free(&result);
    carom_case_free(&c);
}

static size_t answer_in(const char *locale, char *text, size_t room)
{
    FILE *out = tmpfile();
    if (locale)
        assert_non_null(setlocale(LC_ALL, locale));
    print_answer(out);
    rewind(out);
    size_t length = fread(text, 1, room - 1, out);
    text[length] = 0;
    fclose(out);
    return length;
}

static void test_answers(void **state)
{
    (void)state;
    static char comma[20000], plain[20000];
    assert_true(answer_in(NULL, comma, sizeof comma) > 500);
    answer_in("C", plain, sizeof plain);
    assert_string_equal(comma, plain);
}

static void test_messages(void **state)
{
    (void)state;
    static const char bytes[] = "{\"law\": \"newton\", \"coefficients\": {\"e\": 1.5}, "
                                "\"reduced\": {\"K\": [[1, 0], [0, 1]], \"u\": [0, -1]}}";
    carom_text text = {"locale", 1, bytes, sizeof bytes - 1};
    carom_case c;
    carom_case_error error;
    assert_false(carom_case_read(&text, &c, &error));
    assert_non_null(strstr(error.message, "1.5 is outside its range"));
    carom_case_free(&c);
}

int main(void)
{
    if (!enter_comma_locale()) {
        printf("no locale with a decimal comma here: nothing tested\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_answers), /* last: it goes back to the C locale */
    };
    return cmocka_run_group_tests_name("locale", tests, NULL, NULL);
}

#include "support/check.h"

#include <string.h>

#include "io/case/locate.h"

static const char text[] = "{ \"law\": \"newton\",\n"
                           "  \"bodies\": {\n"
                           "    \"a\": {\"mass\": 1,\n"
                           "          \"velocity\": [0,\n"
                           "            0, -1]},\n"
                           "    \"b\": {\"fixed\": true, \"say \\\"b\\\": {\": 3} },\n"
                           "  \"tags\": [\"law\", \"bodies: {\"],\n"
                           "  \"contact\": {} }\n";

static void assert_line(const char *path, long line)
{
    assert_int_equal(locate_line(text, strlen(text), path), line);
}

static void test_line_of_a_key(void **state)
{
    (void)state;
    assert_line("law", 0);
    assert_line("bodies", 1);
    assert_line("bodies.a", 2);
    assert_line("bodies.a.velocity", 3);
    assert_line("bodies.b.fixed", 5);
    assert_line("tags", 6);
    assert_line("contact", 7);
}

/* What is missing is looked for where it belongs. */
static void test_line_of_a_missing_key(void **state)
{
    (void)state;
    assert_line("bodies.a.inertia", 2);
    assert_line("contact.normal", 7);
    assert_line("reduced", -1);
    assert_line("", -1);
}

/* Deep, long and broken texts do no harm. */
static void test_odd_texts(void **state)
{
    (void)state;
    char deep[200];
    memset(deep, '[', sizeof deep);
    assert_int_equal(locate_line(deep, sizeof deep, "a"), -1);
    const char *closed = "]]}}\"\\";
    assert_int_equal(locate_line(closed, strlen(closed), "a"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_of_a_key),
        cmocka_unit_test(test_line_of_a_missing_key),
        cmocka_unit_test(test_odd_texts),
    };
    return cmocka_run_group_tests_name("locate", tests, NULL, NULL);
}

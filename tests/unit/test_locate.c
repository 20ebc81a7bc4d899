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

static void assert_key(const char *mark, const char *path)
{
    char found[64];
    locate_key(text, strlen(text), (size_t)(strstr(text, mark) - text), found, sizeof found);
    assert_string_equal(found, path);
}

static void test_key_at_a_byte(void **state)
{
    (void)state;
    assert_key("newton", "law");
    assert_key("1,\n", "bodies.a.mass");
    assert_key("-1]", "bodies.a.velocity");
    assert_key("true", "bodies.b.fixed");
}

/* Deep, long and broken texts do no harm. */
static void test_odd_texts(void **state)
{
    (void)state;
    char deep[200], path[32];
    memset(deep, '[', sizeof deep);
    locate_key(deep, sizeof deep, sizeof deep, path, sizeof path);
    assert_string_equal(path, "");
    assert_int_equal(locate_line(deep, sizeof deep, "a"), -1);
    const char *closed = "]]}}\"\\";
    assert_int_equal(locate_line(closed, strlen(closed), "a"), -1);
    const char *wide = "{\"0123456789012345678901234567890123456789012345678901234567890123456789\": {\"x\": 1}}";
    locate_key(wide, strlen(wide), strlen(wide), path, sizeof path);
    assert_true(strlen(path) < sizeof path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_of_a_key),
        cmocka_unit_test(test_line_of_a_missing_key),
        cmocka_unit_test(test_key_at_a_byte),
        cmocka_unit_test(test_odd_texts),
    };
    return cmocka_run_group_tests_name("locate", tests, NULL, NULL);
}

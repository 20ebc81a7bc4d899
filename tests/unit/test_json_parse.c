/* Texts of JSON, right and wrong: what is wrong, where, and under which key; numbers to the last bit; the bounds. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "support/check.h"

static carom_json_error parse(const char *bytes, size_t length)
{
    carom_json_error error;
    char *copy = malloc(length ? length : 1); /* of exactly this size: reading past its end is seen */
    memcpy(copy, bytes, length);
    json_t *tree = json_parse(copy, length, &error);
    assert_int_equal(tree != NULL, error.fault == CAROM_JSON_FINE);
    json_decref(tree);
    free(copy);
    return error;
}

/* ---- errors ---- */

static const struct {
    const char *text;
    carom_json_fault fault;
    int line, column;
    const char *key, *message;
} wrong[] = {
    {"", CAROM_JSON_ENDS_EARLY, 1, 1, "", "unexpected token near end of file"},
    {"{\"a\": 1,\n \"b\" 2}", CAROM_JSON_SYNTAX, 2, 6, "a", "':' expected near '2'"},
    {"{\"a\": {\"b\": [1, 2 3]}}", CAROM_JSON_SYNTAX, 1, 19, "a.b", "']' expected near '3'"},
    {"{\"a\": {\"b\": [1, 2", CAROM_JSON_ENDS_EARLY, 1, 17, "a.b", "']' expected near end of file"},
    {"{\"a\": 1, \"a\": 2}", CAROM_JSON_SYNTAX, 1, 12, "a", "duplicate object key near '\"a\"'"},
    {"{\"a\": 01}", CAROM_JSON_SYNTAX, 1, 7, "a", "invalid token near '0'"},
    {"{\"a\": .5}", CAROM_JSON_SYNTAX, 1, 7, "a", "invalid token near '.'"},
    {"{\"a\": 1.e3}", CAROM_JSON_SYNTAX, 1, 8, "a", "invalid token near '1.'"},
    {"{\"a\": 1e400}", CAROM_JSON_OVERFLOW, 1, 11, "a", "real number overflow near '1e400'"},
    {"{\"a\": NaN}", CAROM_JSON_SYNTAX, 1, 9, "a", "invalid token near 'NaN'"},
    {"{\"\xC3\xA4\": \xC3\xBC}", CAROM_JSON_SYNTAX, 1, 7, "\xC3\xA4", "invalid token near '\xC3\xBC'"},
    {"{\"a\": \"\xFF\"}", CAROM_JSON_SYNTAX, 1, 7, "a", "unable to decode byte 0xff near '\"'"},
    {"{\"a\": \"x\n\"}", CAROM_JSON_SYNTAX, 1, 8, "a", "unexpected newline near '\"x'"},
    {"{\"a\": \"\\x\"}", CAROM_JSON_SYNTAX, 1, 9, "a", "invalid escape near '\"\\x'"},
    {"{\"a\": \"\\ud800\"}", CAROM_JSON_SYNTAX, 1, 14, "a", "invalid Unicode '\\uD800' near '\"\\ud800\"'"},
    {"{\"a\": \"\\u0000\"}", CAROM_JSON_SYNTAX, 1, 14, "a", "\\u0000 is not allowed near '\"\\u0000\"'"},
    {"{\"\\u0000\": 1}", CAROM_JSON_SYNTAX, 1, 9, "", "NUL byte in object key not supported near '\"\\u0000\"'"},
    {"{1: 2}", CAROM_JSON_SYNTAX, 1, 2, "", "string or '}' expected near '1'"},
    {"{} []", CAROM_JSON_SYNTAX, 1, 4, "", "end of file expected near '['"},
    {"{\"a\": // remark\n1}", CAROM_JSON_SYNTAX, 1, 7, "a", "invalid token near '/'"},
    {"{\"a\": \"open", CAROM_JSON_ENDS_EARLY, 1, 11, "a", "premature end of input near '\"open'"},
};

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        carom_json_error error = parse(wrong[i].text, strlen(wrong[i].text));
        assert_string_equal(error.text, wrong[i].message);
        assert_int_equal(error.fault, wrong[i].fault);
        assert_int_equal(error.line, wrong[i].line);
        assert_int_equal(error.column, wrong[i].column);
        assert_string_equal(error.key, wrong[i].key);
    }
}

/* ---- values ---- */

static void test_strings(void **state)
{
    (void)state;
    static const char text[] = "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e9\\u20AC\\ud83d\\ude00\", \"\xE2\x82\xAC\"]";
    json_t *tree = json_parse(text, strlen(text), NULL);
    assert_string_equal(json_string_value(json_array_get(tree, 0)), "\"\\/\b\f\n\r\t");
    assert_string_equal(json_string_value(json_array_get(tree, 1)), "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    assert_string_equal(json_string_value(json_array_get(tree, 2)), "\xE2\x82\xAC");
    json_decref(tree);
}

/* Many members: found by their keys, in their order, also after one has gone. */
static void test_objects(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    char key[16];
    json_t *object = json_object();
    for (int i = 0; i < COUNT; i++) {
        snprintf(key, sizeof key, "k%d", i * 7919);
        assert_int_equal(json_object_set_new(object, key, json_integer(i)), 0);
    }
    assert_int_equal(json_object_del(object, "k7919"), 0);
    assert_int_equal(json_object_del(object, "k7919"), -1);
    assert_int_equal(json_object_size(object), COUNT - 1);
    assert_string_equal(json_object_key(object, 1), "k15838");
    for (int i = 2; i < COUNT; i++) {
        snprintf(key, sizeof key, "k%d", i * 7919);
        assert_true(json_number_value(json_object_get(object, key)) == i);
    }
    json_t *twin = json_deep_copy(object);
    assert_true(json_equal(object, twin));
    json_object_set_new(twin, key, json_string("other"));
    assert_false(json_equal(object, twin));
    json_decref(twin);
    json_decref(object);
}

/* Null and wrong kinds are no harm, and what was to be taken over is freed. */
static void test_nothing(void **state)
{
    (void)state;
    json_t *number = json_real(2.385);
    assert_int_equal(json_object_set_new(NULL, "a", json_real(1)), -1);
    assert_int_equal(json_object_set_new(number, "a", json_real(1)), -1);
    assert_int_equal(json_array_append_new(number, json_string("x")), -1);
    assert_null(json_object_get(number, "a"));
    assert_null(json_array_get(NULL, 0));
    assert_null(json_real(INFINITY));
    assert_null(json_pack("{s:f}", "x", NAN));
    assert_false(json_equal(NULL, number));
    json_decref(number);
}

/* ---- numbers ---- */

static void assert_read(const char *text)
{
    json_t *value = json_parse(text, strlen(text), NULL);
    double got = json_number_value(value), want = strtod(text, NULL); /* glibc rounds every text correctly */
    if (memcmp(&got, &want, sizeof got) != 0)
        print_error("%s\n", text);
    assert_memory_equal(&got, &want, sizeof got);
    json_decref(value);
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "-0.0e7",
                                        "1",
                                        "0.1",
                                        "9007199254740993",
                                        "9007199254740992.9999999999999999",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678e-22",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "4.9e-324",
                                        "2e-324",
                                        "1e-400",
                                        "1.7976931348623157e308",
                                        "179769313486231580000000000000000000000e270",
                                        "0.000000000000000000000000000001e30",
                                        "1e-99999999999999999999",
                                        "6.9294956446009195e15",
                                        "8.5e+0",
                                        "17976931348623158e292",
                                        "0.30000000000000004"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_read(texts[i]);
    unsigned long long seed = 2385;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        unsigned long long n = seed >> (i % 40);
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        snprintf(text, sizeof text, "%s%llu.%0*llue%d", i % 2 ? "-" : "", n, 1 + i % 9, (seed >> 40) % 10,
                 (int)(seed >> 33) % 330 - 20);
        if (isfinite(strtod(text, NULL)))
            assert_read(text);
    }
}

/* Exactly half between two doubles, with a digit far behind that decides. */
static void test_long_numbers(void **state)
{
    (void)state;
    enum { LONG = 5000 };
    char *text = malloc(LONG + 8);
    for (int last = '0'; last <= '1'; last++) {
        int used = sprintf(text, "9007199254740993.");
        memset(text + used, '0', LONG - (size_t)used);
        text[LONG - 1] = (char)last;
        text[LONG] = 0;
        assert_read(text);
    }
    memset(text, '9', LONG);
    strcpy(text + LONG, "e-4990");
    assert_read(text);
    free(text);
}

/* ---- bounds: at each bound a text passes, one beyond it does not ---- */

/* [0,0,...,0]: the array and its values. */
static void test_values(void **state)
{
    (void)state;
    size_t most = (size_t)CAROM_JSON_VALUES;
    char *bytes = malloc(2 * most + 8);
    for (size_t i = 0; i < most; i++)
        memcpy(bytes + 1 + 2 * i, "0,", 2);
    bytes[0] = '[';
    bytes[2 * (most - 1)] = ']';
    assert_int_equal(parse(bytes, 2 * (most - 1) + 1).fault, CAROM_JSON_FINE);
    bytes[2 * (most - 1)] = ',';
    bytes[2 * most] = ']';
    assert_int_equal(parse(bytes, 2 * most + 1).fault, CAROM_JSON_TOO_MANY);
    free(bytes);
}

static void test_depth(void **state)
{
    (void)state;
    char bytes[2 * CAROM_JSON_DEPTH + 2];
    memset(bytes, '[', CAROM_JSON_DEPTH);
    memset(bytes + CAROM_JSON_DEPTH, ']', CAROM_JSON_DEPTH);
    assert_int_equal(parse(bytes, (size_t)2 * CAROM_JSON_DEPTH).fault, CAROM_JSON_FINE);
    memset(bytes, '[', CAROM_JSON_DEPTH + 1);
    assert_int_equal(parse(bytes, CAROM_JSON_DEPTH + 1).fault, CAROM_JSON_TOO_DEEP);
    memset(bytes + 1, '[', sizeof bytes - 2); /* brackets inside a string are text */
    bytes[0] = bytes[sizeof bytes - 1] = '"';
    assert_int_equal(parse(bytes, sizeof bytes).fault, CAROM_JSON_FINE);
}

/* ---- memory that ends ---- */

static long allocations_left = LONG_MAX;

/* The linker sends the calls of the library here (tests/CMakeLists.txt). */
void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    return allocations_left-- > 0 ? __real_malloc(size) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    return allocations_left-- > 0 ? __real_realloc(block, size) : NULL;
}

static void test_memory(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, \"two\", {\"three\": null}], \"b\": {\"c\": -2.385e-7}}";
    carom_json_error error;
    bool read = false;
    for (long most = 0; !read; most++) {
        allocations_left = most;
        json_t *tree = json_parse(text, strlen(text), &error), *twin = json_deep_copy(tree);
        read = tree && json_equal(tree, twin);
        assert_true(!read || carom_json_is_whole(twin));
        assert_int_equal(error.fault, tree ? CAROM_JSON_FINE : CAROM_JSON_NO_MEMORY);
        json_decref(twin);
        json_decref(tree);
    }
    assert_true(allocations_left == 0);
    allocations_left = LONG_MAX;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_strings), cmocka_unit_test(test_objects),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_numbers), cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_values),  cmocka_unit_test(test_depth),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("json_parse", tests, NULL, NULL);
}

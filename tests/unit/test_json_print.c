#include "support/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "io/json/number.h"
#include "support/json.h"

static void assert_number(double value, const char *text)
{
    char printed[CAROM_NUMBER_SIZE];
    int length = carom_number_print(printed, value);
    assert_string_equal(printed, text);
    assert_int_equal(length, strlen(text));
}

static void test_plain_numbers(void **state)
{
    (void)state;
    assert_number(0, "0");
    assert_number(-0.0, "0");
    assert_number(1, "1");
    assert_number(-17, "-17");
    assert_number(123456789012345, "123456789012345");
    assert_number(0.1, "0.1");
    assert_number(-2.385, "-2.385");
    assert_number(1.0 / 3, "0.3333333333333333");
    assert_number(2.0 / 3, "0.6666666666666666");
    assert_number(0.1 + 0.2, "0.30000000000000004");
    assert_number(0.8357551487634955, "0.8357551487634955"); /* its 17 digits end in 5, rounded up */
    assert_number(100.5, "100.5");
    assert_number(99999.99, "99999.99");
    assert_number(0.000123, "0.000123");
    assert_number(123456.789e3, "123456789");
}

static void test_exponents(void **state)
{
    (void)state;
    assert_number(1e15, "1e+15");
    assert_number(1.5e300, "1.5e+300");
    assert_number(1e-5, "1e-05");
    assert_number(-2.5e-17, "-2.5e-17");
    assert_number(5e-324, "5e-324");
    assert_number(1.7976931348623157e308, "1.7976931348623157e+308");
    assert_number(9007199254740993.0, "9.007199254740992e+15");
}

static void test_no_number(void **state)
{
    (void)state;
    assert_number(INFINITY, "null");
    assert_number(NAN, "null");
}

/* A fixed sequence of bit patterns (splitmix64): every finite double may come. */
static uint64_t next_bits(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* The shortest of 15, 16, 17 digits, by the C library. */
static size_t shortest_digits(double value)
{
    for (int digits = 15; digits < 17; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            return (size_t)digits;
    }
    return 17;
}

/* Digits without sign, point, exponent, leading and trailing zeros. */
static size_t count_digits(const char *text)
{
    size_t count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

/* printf rounds once: where its number with as many digits reads back, it is the one that is printed. */
static bool is_closest(const char *text, double value)
{
    char closest[32];
    snprintf(closest, sizeof closest, "%.*e", (int)count_digits(text) - 1, value);
    return strtod(closest, NULL) != value || strtold(closest, NULL) == strtold(text, NULL);
}

static void check_round_trip(double value)
{
    char text[CAROM_NUMBER_SIZE];
    carom_number_print(text, value);
    if (strtod(text, NULL) != value || count_digits(text) > shortest_digits(value) || !is_closest(text, value)) {
        print_error("%.17g printed as %s\n", value, text);
        fail();
    }
}

static void test_round_trip_of_any_bits(void **state)
{
    (void)state;
    uint64_t seed = 2385;
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = next_bits(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_round_trip(value);
    }
}

static void test_round_trip_of_usual_sizes(void **state)
{
    (void)state;
    uint64_t seed = 41;
    for (int i = 0; i < 200000; i++) {
        double unit = (double)(next_bits(&seed) >> 11) * 0x1p-53;
        check_round_trip((unit - 0.5) * pow(10, (double)(i % 25 - 12)));
        check_round_trip(ldexp(1, i % 200 - 100));                      /* powers of two: uneven neighbours */
        check_round_trip(round(unit * 1e6) / 1e3 * pow(10, i % 7 - 3)); /* few digits */
    }
}

/* ---- against the C library ---- */

static void check_all_digits(double value)
{
    char text[CAROM_NUMBER_SIZE], library[40];
    snprintf(library, sizeof library, "%.17g", value);
    assert_string_equal(carom_internal_number_rounded(text, value, 17), library);
}

static void check_reading(const char *text)
{
    double value = carom_internal_number_read(text, strlen(text)), library = strtod(text, NULL);
    if (memcmp(&value, &library, sizeof value) != 0) {
        print_error("%s read as %.17g, not %.17g\n", text, value, library);
        fail();
    }
}

static void test_all_digits(void **state)
{
    (void)state;
    uint64_t seed = 17;
    const double some[] = {0,      -0.0,    3,    -17,         0.5,   1e15, 1.2345678901234568e17,
                           0.0001, 0.00009, 1e-6, 1 - 0x1p-53, 1e-300};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        check_all_digits(some[i]);
    for (int i = 0; i < 200000; i++) {
        double unit = (double)(next_bits(&seed) >> 11) * 0x1p-53;
        check_all_digits((unit - 0.5) * pow(10, (double)(i % 25 - 8)));
        check_all_digits(ldexp(floor(unit * 4096), i % 90 - 45)); /* ends in 5: ties of the last digit */
    }
}

/* Decimals of up to 18 digits, and those half way between two doubles, which go to the even one. */
static void test_reading(void **state)
{
    (void)state;
    uint64_t seed = 29;
    char text[64];
    for (int i = 0; i < 200000; i++) {
        uint64_t n = next_bits(&seed) % 1000000000000000000u;
        for (int k = 0; k < i % 4; k++)
            n /= 10;
        snprintf(text, sizeof text, "%" PRIu64 "e%d", n, -(i % 27));
        check_reading(text);
        const uint64_t odd = (UINT64_C(1) << 53) + 1 + 2 * (n % 1000); /* 2^53 + odd: half way, as it is or in tenths */
        snprintf(text, sizeof text, "%" PRIu64 "%.*de-%d", odd, i % 3, 0, i % 3);
        check_reading(text);
    }
}

/* ---- trees ---- */

static void assert_printed(const char *json, bool compact, const char *text)
{
    char *printed = NULL;
    size_t size = 0;
    json_t *value = json_parse(json, strlen(json), NULL);
    assert_non_null(value);
    FILE *out = tmpfile();
    assert_non_null(out);
    carom_json_print(out, value, compact);
    size = (size_t)ftell(out);
    rewind(out);
    printed = calloc(size + 1, 1);
    assert_int_equal(fread(printed, 1, size, out), size);
    assert_string_equal(printed, text);
    free(printed);
    fclose(out);
    json_decref(value);
}

static void test_pretty(void **state)
{
    (void)state;
    assert_printed(
        "{\"a\": [1, 2.5, -3], \"b\": {}, \"c\": [], \"d\": [[1, 0], [0, 1]]}", false,
        "{\n  \"a\": [1, 2.5, -3],\n  \"b\": {},\n  \"c\": [],\n  \"d\": [\n    [1, 0],\n    [0, 1]\n  ]\n}\n");
    assert_printed("[\"stick\", true, null]", false, "[\"stick\", true, null]\n");
}

static void test_compact(void **state)
{
    (void)state;
    assert_printed("{\"a\": [1, 2.5], \"b\": {\"c\": false}}", true, "{\"a\":[1,2.5],\"b\":{\"c\":false}}\n");
}

static void test_strings(void **state)
{
    (void)state;
    assert_printed("[\"quote \\\" back \\\\ line \\n tab \\t bell \\u0007 umlaut \\u00fc\"]", true,
                   "[\"quote \\\" back \\\\ line \\n tab \\t bell \\u0007 umlaut \xc3\xbc\"]\n");
}

/* What is printed reads back as the same tree, whatever the length of its parts. */
static void test_long_values(void **state)
{
    (void)state;
    static char name[20001];
    memset(name, 'x', sizeof name - 1);
    json_t *value = json_object(), *array = json_array();
    for (int i = 0; i < 5000; i++)
        json_array_append_new(array, json_real(i / 7.0));
    json_object_set_new(value, "name", json_string(name));
    json_object_set_new(value, "array", array);
    FILE *out = tmpfile();
    carom_json_print(out, value, false);
    rewind(out);
    json_t *back = read_json(out);
    assert_true(json_equal(value, back));
    json_decref(back);
    json_decref(value);
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_numbers),
        cmocka_unit_test(test_exponents),
        cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_round_trip_of_any_bits),
        cmocka_unit_test(test_round_trip_of_usual_sizes),
        cmocka_unit_test(test_all_digits),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_pretty),
        cmocka_unit_test(test_compact),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_long_values),
    };
    return cmocka_run_group_tests_name("json_print", tests, NULL, NULL);
}

#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/utf8.h"

/* One character as bytes, by the definition of UTF-8. */
static void encode(unsigned code, char text[5])
{
    memset(text, 0, 5);
    if (code < 0x80) {
        text[0] = (char)code;
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    for (int i = more; i > 0; i--, code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3F));
    text[0] = (char)(code | (more == 1 ? 0xC0u : more == 2 ? 0xE0u : 0xF0u));
}

/* Every code there is comes back; surrogates do not count. */
static void test_every_code(void **state)
{
    (void)state;
    for (unsigned code = 1; code <= 0x10FFFF; code++) {
        char text[5];
        unsigned found;
        encode(code, text);
        int length = carom_utf8_decode(text, &found);
        if (code >= 0xD800 && code <= 0xDFFF)
            assert_true(found == CAROM_UTF8_BAD && length == 1);
        else
            assert_true(found == code && length == (int)strlen(text));
    }
}

/* Any three bytes: what is decoded encodes to the same bytes again; what is not has length 1. */
static void test_any_bytes(void **state)
{
    (void)state;
    for (unsigned bytes = 0; bytes < 1u << 24; bytes += 7) {
        char text[5] = {(char)(bytes >> 16), (char)(bytes >> 8), (char)bytes, 0, 0}, again[5];
        unsigned code;
        int length = carom_utf8_decode(text, &code);
        encode(code, again);
        if (length > 1 || (text[0] & 0x80) == 0)
            assert_memory_equal(text, again, (size_t)length);
        else
            assert_int_equal(code, CAROM_UTF8_BAD);
    }
}

static void assert_clean(const char *text, const char *wanted)
{
    char *copy = malloc(strlen(text) + 1); /* exactly: so that reading past the end is seen */
    strcpy(copy, text);
    carom_utf8_clean(copy);
    assert_string_equal(copy, wanted);
    free(copy);
}

static void test_clean(void **state)
{
    (void)state;
    assert_clean("", "");
    assert_clean("Grüße, 衝突 𝕏 é", "Grüße, 衝突 𝕏 é");
    assert_clean("\033[31mred\033[0m", "?[31mred?[0m");
    assert_clean("a\nb\tc\rd\be\177", "a?b?c?d?e?");
    assert_clean("\xC2\x9B"
                 "31m",
                 "?31m"); /* CSI as one character */
    assert_clean("\x9B"
                 "31m",
                 "?31m"); /* ... and as a stray byte */
    assert_clean("abc\xE2\x80\xAE"
                 "fdp.exe",
                 "abc?fdp.exe"); /* right-to-left override */
    assert_clean("cut \xE2\x80", "cut ??");
    assert_clean("over \xC0\x9B long", "over ?? long");
    assert_clean("\xEF\xBF\xBD", "\xEF\xBF\xBD"); /* the replacement character itself is a character */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_clean),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}

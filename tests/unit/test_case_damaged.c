/* Damaged case files: cut after every byte, and with bytes changed. Whatever comes, there is one line of message or a
 * valid case, and (under the sanitizers) no bad access and no leak. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "support/json.h"

/* The last is JSON Lines, and the only one that is no whole case. */
static const char *const files[] = {
    CAROM_VECTORS "/../../examples/cases/ball.json",      CAROM_VECTORS "/../../examples/cases/rod.json",
    CAROM_VECTORS "/../../examples/cases/disk.json",      CAROM_VECTORS "/../../examples/cases/double-pendulum.json",
    CAROM_VECTORS "/../../examples/cases/reduced.json",   CAROM_VECTORS "/../../examples/cases/separating.json",
    CAROM_VECTORS "/../../examples/cases/two-links.json", CAROM_VECTORS "/../../examples/cases/stream.jsonl",
};

enum { FILES = sizeof files / sizeof files[0], LARGEST = 4096, DAMAGES = 20000 };

static size_t load(const char *path, char *bytes)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(bytes, 1, LARGEST, file);
    fclose(file);
    assert_true(length > 0 && length < LARGEST);
    while (length > 0 && strchr(" \n", bytes[length - 1]))
        length--;
    return length;
}

/* Read from memory of exactly this size, so that reading past its end is seen. */
static bool read_exactly(const char *bytes, size_t length)
{
    char *copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    carom_text text = {"damaged", 1, copy, length};
    carom_case c;
    carom_case_error error;
    carom_result result = {0};
    bool fine = carom_case_read(&text, &c, &error);
    if (fine && c.rule.law)
        carom_case_solve(&c, &result);
    if (!fine)
        assert_true(error.rule[0] && error.message[0] && !strchr(error.message, '\n'));
    carom_result_free(&result);
    carom_case_free(&c);
    free(copy);
    return fine;
}

static void test_cut(void **state)
{
    (void)state;
    char bytes[LARGEST];
    for (int i = 0; i < FILES - 1; i++) {
        size_t length = load(files[i], bytes);
        for (size_t cut = 0; cut < length; cut++)
            assert_false(read_exactly(bytes, cut));
        assert_true(read_exactly(bytes, length));
    }
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void test_changed(void **state)
{
    (void)state;
    static const char replacements[] = "{}[]\",:0129-+.eEx \n\\\x80\xff";
    char bytes[LARGEST], damaged[LARGEST];
    unsigned seed = 2385;
    for (int i = 0; i < DAMAGES; i++) {
        size_t length = load(files[i % FILES], bytes);
        memcpy(damaged, bytes, length);
        for (unsigned k = 0, count = 1 + next_random(&seed) % 4; k < count; k++)
            damaged[next_random(&seed) % length] = replacements[next_random(&seed) % sizeof replacements];
        (void)read_exactly(damaged, length);
    }
}

/* Values of every JSON kind under every key of the examples. */
static void replace_everywhere(json_t *node, const json_t *root)
{
    static const char *const values[] = {"null", "true",        "\"x\"", "[]", "{}",
                                         "[[]]", "[1,2,3,4,5]", "-1",    "0",  "1e300"};
    const char *key;
    json_t *member;
    json_object_foreach(node, key, member)
    {
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            json_incref(member);
            json_object_set_new(node, key, json_parse(values[i], strlen(values[i]), NULL));
            char *text = json_text(root, 17);
            (void)read_exactly(text, strlen(text));
            free(text);
            json_object_set_new(node, key, member);
        }
        if (json_is_object(member))
            replace_everywhere(member, root);
        for (size_t i = 0; i < json_array_size(member); i++)
            replace_everywhere(json_array_get(member, i), root);
    }
}

static void test_other_kinds(void **state)
{
    (void)state;
    for (int i = 0; i < FILES - 1; i++) {
        json_t *root = load_json(files[i]);
        assert_non_null(root);
        replace_everywhere(root, root);
        json_decref(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_changed),
        cmocka_unit_test(test_other_kinds),
    };
    return cmocka_run_group_tests_name("case_damaged", tests, NULL, NULL);
}

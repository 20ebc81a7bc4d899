/* Words and numbers: cleaning, hints, --set, and every double there and back. */
#include "program.h"

#include <math.h>

#include "cli.h"

static void must_print_back(double value)
{
    char text[CAROM_NUMBER_SIZE];
    int length = carom_number_print(text, value);
    MUST(length == (int)strlen(text));
    MUST(isfinite(value) ? strtod(text, NULL) == value : strcmp(text, "null") == 0);
}

static void must_clean(char *text)
{
    size_t before = strlen(text);
    carom_utf8_clean(text);
    MUST(strlen(text) <= before);
    json_t *value = json_string(text);
    MUST(value);
    json_t *array = json_array();
    json_array_append_new(array, value);
    must_read_back(array);
    json_decref(array);
    for (const char *at = text; *at;) {
        unsigned code;
        at += carom_utf8_decode(at, &code);
        MUST(carom_utf8_is_printable(code));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const words[] = {"newton", "mu", "velocity", "", NULL};
    settings s = {0};
    char *text = malloc(size + 1);
    MUST(text);
    memcpy(text, data, size);
    text[size] = 0;
    for (size_t i = 0; i + sizeof(double) <= size; i += sizeof(double)) {
        double value;
        memcpy(&value, data + i, sizeof value);
        must_print_back(value);
    }
    (void)carom_nearest(text, words);
    (void)carom_nearest_law(text);
    (void)settings_set(&s, text);
    (void)settings_law(&s, text);
    must_clean(text);
    free(text);
    return 0;
}

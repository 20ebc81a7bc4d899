#define _POSIX_C_SOURCE 200809L /* open_memstream */

/* JSON as text: numbers as short as they can be, arrays of numbers on one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "carom/utf8.h"
#include "io/json/number.h"

enum { INDENT = 2, SINK = 4096 };

typedef struct sink {
    FILE *out;
    bool compact;
    int digits; /* 0: as many as it takes */
    size_t used;
    char bytes[SINK];
} sink;

static void flush(sink *s)
{
    fwrite(s->bytes, 1, s->used, s->out);
    s->used = 0;
}

static void put(sink *s, const char *text, size_t length)
{
    if (length > SINK - s->used)
        flush(s);
    if (length > SINK) {
        fwrite(text, 1, length, s->out);
        return;
    }
    memcpy(s->bytes + s->used, text, length);
    s->used += length;
}

static void put_line(sink *s, int depth)
{
    if (s->compact)
        return;
    put(s, "\n", 1);
    for (int i = 0; i < depth * INDENT; i++)
        put(s, " ", 1);
}

static void put_separator(sink *s, bool on_one_line, int depth)
{
    put(s, ",", 1);
    if (on_one_line)
        put(s, " ", !s->compact);
    else
        put_line(s, depth);
}

/* A character that JSON does not take as it is, or that a terminal would obey. None of them is above 0xFFFF. */
static void put_escaped(sink *s, unsigned code)
{
    static const char from[] = "\"\\\n\t\r", to[] = "\"\\ntr";
    char text[8] = {'\\'};
    const char *at = code && code < 0x80 ? strchr(from, (int)code) : NULL;
    if (at)
        text[1] = to[at - from];
    else
        snprintf(text, sizeof text, "\\u%04x", code & 0xFFFF);
    put(s, text, strlen(text));
}

static bool is_plain(unsigned code)
{
    return code != '"' && code != '\\' && (code > 0xFFFF || carom_utf8_is_printable(code));
}

static void put_string(sink *s, const char *text)
{
    const char *run = text; /* plain characters that are not written yet */
    put(s, "\"", 1);
    while (*text) {
        unsigned code;
        int length = carom_utf8_decode(text, &code);
        if (!is_plain(code) || (code == CAROM_UTF8_BAD && length == 1)) {
            put(s, run, (size_t)(text - run));
            put_escaped(s, code);
            run = text + length;
        }
        text += length;
    }
    put(s, run, (size_t)(text - run));
    put(s, "\"", 1);
}

static void put_number(sink *s, const json_t *value)
{
    char text[CAROM_NUMBER_SIZE];
    if (s->digits > 0)
        carom_internal_number_rounded(text, json_number_value(value), s->digits);
    else
        carom_number_print(text, json_number_value(value));
    put(s, text, strlen(text));
}

/* An array goes on one line when nothing in it needs more than a word. */
static bool is_short(const json_t *array)
{
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)array, i, entry)
    {
        if (json_is_object(entry) || json_is_array(entry))
            return false;
    }
    return true;
}

static void put_value(sink *s, const json_t *value, int depth);

static void put_array(sink *s, const json_t *array, int depth)
{
    bool on_one_line = is_short(array);
    size_t i;
    json_t *entry;
    put(s, "[", 1);
    json_array_foreach((json_t *)array, i, entry)
    {
        if (i > 0)
            put_separator(s, on_one_line, depth + 1);
        else if (!on_one_line)
            put_line(s, depth + 1);
        put_value(s, entry, depth + 1);
    }
    if (!on_one_line)
        put_line(s, depth);
    put(s, "]", 1);
}

static void put_object(sink *s, const json_t *object, int depth)
{
    const char *key;
    json_t *member;
    bool first = true;
    put(s, "{", 1);
    json_object_foreach((json_t *)object, key, member)
    {
        if (first)
            put_line(s, depth + 1);
        else
            put_separator(s, false, depth + 1);
        first = false;
        put_string(s, key);
        put(s, ": ", s->compact ? 1 : 2);
        put_value(s, member, depth + 1);
    }
    if (!first)
        put_line(s, depth);
    put(s, "}", 1);
}

static void put_value(sink *s, const json_t *value, int depth)
{
    if (json_is_object(value))
        put_object(s, value, depth);
    else if (json_is_array(value))
        put_array(s, value, depth);
    else if (json_is_number(value))
        put_number(s, value);
    else if (json_is_string(value))
        put_string(s, json_string_value(value));
    else if (json_is_boolean(value))
        put(s, json_is_true(value) ? "true" : "false", json_is_true(value) ? 4 : 5);
    else
        put(s, "null", 4);
}

void carom_json_print(FILE *out, const carom_json *value, bool compact)
{
    sink s;
    s.out = out;
    s.compact = compact;
    s.digits = 0;
    s.used = 0;
    put_value(&s, value, 0);
    put(&s, "\n", 1);
    flush(&s);
}

char *carom_json_text(const carom_json *value, int digits)
{
    char *text = NULL;
    size_t length = 0;
    sink s;
    s.out = open_memstream(&text, &length);
    s.compact = true;
    s.digits = digits;
    s.used = 0;
    if (!s.out)
        return NULL;
    put_value(&s, value, 0);
    flush(&s);
    bool failed = ferror(s.out) != 0;
    if (fclose(s.out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

/* Values of JSON: scalars, arrays, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_memory.h"

typedef struct number {
    json_t head;
    union {
        json_int_t integer;
        double real;
    };
} number;

typedef struct string {
    json_t head;
    char text[];
} string;

typedef struct array {
    json_t head;
    size_t count, room;
    json_t **entries;
} array;

/* ---- memory ---- */

static json_malloc_t allocate = malloc;
static json_free_t release = free;

void json_set_alloc_funcs(json_malloc_t with, json_free_t without)
{
    allocate = with;
    release = without;
}

void *json_room(size_t bytes)
{
    return allocate(bytes);
}

void json_release(void *block)
{
    if (block)
        release(block);
}

void *json_larger(void *block, size_t count, size_t room, size_t size)
{
    void *larger = json_room(room * size);
    if (!larger)
        return NULL;
    if (count > 0)
        memcpy(larger, block, count * size);
    json_release(block);
    return larger;
}

static void *new_value(size_t bytes, json_type type)
{
    json_t *value = json_room(bytes);
    if (value)
        *value = (json_t){type, 1};
    return value;
}

/* ---- scalars ---- */

json_t *json_true(void)
{
    static json_t value = {JSON_TRUE, SIZE_MAX};
    return &value;
}

json_t *json_false(void)
{
    static json_t value = {JSON_FALSE, SIZE_MAX};
    return &value;
}

json_t *json_null(void)
{
    static json_t value = {JSON_NULL, SIZE_MAX};
    return &value;
}

json_t *json_integer(json_int_t value)
{
    number *n = new_value(sizeof *n, JSON_INTEGER);
    if (n)
        n->integer = value;
    return (json_t *)n;
}

json_t *json_real(double value)
{
    number *n = isfinite(value) ? new_value(sizeof *n, JSON_REAL) : NULL;
    if (n)
        n->real = value;
    return (json_t *)n;
}

double json_number_value(const json_t *value)
{
    const number *n = (const number *)value;
    return json_is(value, JSON_INTEGER) ? (double)n->integer : json_is(value, JSON_REAL) ? n->real : 0;
}

/* ---- strings ---- */

/* The lowest code point of a sequence of so many bytes, from two on. */
static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};

size_t json_utf8_length(const char *text, size_t room)
{
    const unsigned char *b = (const unsigned char *)text;
    size_t length = b[0] < 0x80 ? 1 : b[0] < 0xC2 ? 0 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : b[0] < 0xF5 ? 4 : 0;
    if (length <= 1 || length > room)
        return length <= 1 ? length : 0;
    uint32_t code = b[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (b[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < lowest[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

json_t *json_string_of(const char *bytes, size_t length)
{
    string *s = new_value(sizeof *s + length + 1, JSON_STRING);
    if (!s)
        return NULL;
    memcpy(s->text, bytes, length);
    s->text[length] = 0;
    return &s->head;
}

static bool is_utf8(const char *text)
{
    size_t room = strlen(text);
    while (room > 0) {
        size_t length = json_utf8_length(text, room);
        if (length == 0)
            return false;
        text += length;
        room -= length;
    }
    return true;
}

json_t *json_string_nocheck(const char *text)
{
    return text ? json_string_of(text, strlen(text)) : NULL;
}

json_t *json_string(const char *text)
{
    return text && is_utf8(text) ? json_string_nocheck(text) : NULL;
}

const char *json_string_value(const json_t *value)
{
    return json_is_string(value) ? ((const string *)value)->text : NULL;
}

/* ---- arrays ---- */

json_t *json_array(void)
{
    array *a = new_value(sizeof *a, JSON_ARRAY);
    if (a) {
        a->count = a->room = 0;
        a->entries = NULL;
    }
    return (json_t *)a;
}

size_t json_array_size(const json_t *value)
{
    return json_is_array(value) ? ((const array *)value)->count : 0;
}

json_t *json_array_get(const json_t *value, size_t i)
{
    return i < json_array_size(value) ? ((const array *)value)->entries[i] : NULL;
}

int json_array_set_new(json_t *value, size_t i, json_t *entry)
{
    if (!entry || i >= json_array_size(value)) {
        json_decref(entry);
        return -1;
    }
    array *a = (array *)value;
    json_decref(a->entries[i]);
    a->entries[i] = entry;
    return 0;
}

static bool array_has_room(array *a)
{
    if (a->count < a->room)
        return true;
    size_t room = a->room ? 2 * a->room : 4;
    json_t **larger = json_larger(a->entries, a->count, room, sizeof *larger);
    if (!larger)
        return false;
    a->entries = larger;
    a->room = room;
    return true;
}

int json_array_append_new(json_t *value, json_t *entry)
{
    array *a = (array *)value;
    if (!entry || !json_is_array(value) || !array_has_room(a)) {
        json_decref(entry);
        return -1;
    }
    a->entries[a->count++] = entry;
    return 0;
}

static void array_clear(array *a)
{
    for (size_t i = 0; i < a->count; i++)
        json_decref(a->entries[i]);
    json_release(a->entries);
}

/* ---- whole trees ---- */

void json_object_clear(json_t *object);

void json_delete(json_t *value)
{
    if (json_is_array(value))
        array_clear((array *)value);
    else if (json_is_object(value))
        json_object_clear(value);
    json_release(value);
}

static json_t *array_copy(const json_t *from, bool deep)
{
    json_t *copy = json_array();
    for (size_t i = 0; i < json_array_size(from); i++) {
        json_t *entry = json_array_get(from, i);
        json_array_append_new(copy, deep ? json_deep_copy(entry) : json_incref(entry));
    }
    return copy;
}

static json_t *object_copy(const json_t *from, bool deep)
{
    json_t *copy = json_object(), *value;
    const char *key;
    json_object_foreach((json_t *)from, key, value)
        json_object_set_new_nocheck(copy, key, deep ? json_deep_copy(value) : json_incref(value));
    return copy;
}

static json_t *copy_of(const json_t *value, bool deep)
{
    if (json_is_array(value))
        return array_copy(value, deep);
    if (json_is_object(value))
        return object_copy(value, deep);
    if (json_is_string(value))
        return json_string_nocheck(json_string_value(value));
    if (json_is(value, JSON_INTEGER))
        return json_integer(((const number *)value)->integer);
    return json_is(value, JSON_REAL) ? json_real(json_number_value(value)) : json_incref((json_t *)value);
}

json_t *json_copy(json_t *value)
{
    return value ? copy_of(value, false) : NULL;
}

json_t *json_deep_copy(const json_t *value)
{
    return value ? copy_of(value, true) : NULL;
}

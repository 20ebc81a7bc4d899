/* Values of JSON: scalars, arrays, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/json_tree.h"

typedef struct number {
    carom_json head;
    double value;
} number;

typedef struct string {
    carom_json head;
    char text[];
} string;

typedef struct array {
    carom_json head;
    size_t count, room;
    carom_json **entries;
} array;

carom_json_kind carom_json_kind_of(const carom_json *value)
{
    return value->kind;
}

bool carom_json_is(const carom_json *value, carom_json_kind kind)
{
    return value && value->kind == kind;
}

/* ---- memory ---- */

static void *new_value(size_t bytes, carom_json_kind kind)
{
    carom_json *value = malloc(bytes);
    if (value)
        *value = (carom_json){.kind = kind, .references = 1};
    return value;
}

carom_json *carom_json_share(carom_json *value)
{
    if (value && value->references > 0)
        value->references++;
    return value;
}

static void array_clear(array *a)
{
    for (size_t i = 0; i < a->count; i++)
        carom_json_free(a->entries[i]);
    free(a->entries);
}

void carom_json_free(carom_json *value)
{
    if (!value || value->references == 0 || --value->references > 0)
        return;
    if (value->kind == CAROM_JSON_ARRAY)
        array_clear((array *)value);
    else if (value->kind == CAROM_JSON_OBJECT)
        carom_internal_json_object_clear(value);
    free(value);
}

/* ---- scalars ---- */

carom_json *carom_json_boolean(bool flag)
{
    static const carom_json words[] = {{.kind = CAROM_JSON_FALSE}, {.kind = CAROM_JSON_TRUE}};
    return (carom_json *)&words[flag];
}

carom_json *carom_json_null(void)
{
    static const carom_json word = {.kind = CAROM_JSON_NULL};
    return (carom_json *)&word;
}

carom_json *carom_json_real(double value)
{
    number *n = isfinite(value) ? new_value(sizeof *n, CAROM_JSON_NUMBER) : NULL;
    if (n)
        n->value = value;
    return (carom_json *)n;
}

double carom_json_number_value(const carom_json *value)
{
    return carom_json_is(value, CAROM_JSON_NUMBER) ? ((const number *)value)->value : 0;
}

carom_json *carom_internal_json_string(const char *bytes, size_t length)
{
    string *s = new_value(sizeof *s + length + 1, CAROM_JSON_STRING);
    if (!s)
        return NULL;
    memcpy(s->text, bytes, length);
    s->text[length] = 0;
    return &s->head;
}

carom_json *carom_json_string(const char *text)
{
    return text ? carom_internal_json_string(text, strlen(text)) : NULL;
}

const char *carom_json_string_value(const carom_json *value)
{
    return carom_json_is(value, CAROM_JSON_STRING) ? ((const string *)value)->text : NULL;
}

/* ---- arrays ---- */

carom_json *carom_json_array(void)
{
    array *a = new_value(sizeof *a, CAROM_JSON_ARRAY);
    if (a) {
        a->count = a->room = 0;
        a->entries = NULL;
    }
    return (carom_json *)a;
}

size_t carom_json_array_size(const carom_json *value)
{
    return carom_json_is(value, CAROM_JSON_ARRAY) ? ((const array *)value)->count : 0;
}

carom_json *carom_json_array_get(const carom_json *value, size_t i)
{
    return i < carom_json_array_size(value) ? ((const array *)value)->entries[i] : NULL;
}

int carom_json_array_set_new(carom_json *value, size_t i, carom_json *entry)
{
    if (!entry || i >= carom_json_array_size(value)) {
        carom_json_free(entry);
        return -1;
    }
    array *a = (array *)value;
    carom_json_free(a->entries[i]);
    a->entries[i] = entry;
    return 0;
}

static bool array_has_room(array *a)
{
    if (a->count < a->room)
        return true;
    size_t room = a->room ? 2 * a->room : 4;
    carom_json **larger = realloc(a->entries, room * sizeof *larger);
    if (!larger)
        return false;
    a->entries = larger;
    a->room = room;
    return true;
}

int carom_json_array_append_new(carom_json *value, carom_json *entry)
{
    array *a = (array *)value;
    if (!entry || entry == value || !carom_json_is(value, CAROM_JSON_ARRAY)) {
        carom_json_free(entry);
        return -1;
    }
    if (!array_has_room(a)) {
        carom_json_free(entry);
        return carom_internal_json_break(value);
    }
    a->entries[a->count++] = entry;
    return 0;
}

/* ---- whole trees ---- */

int carom_internal_json_break(carom_json *value)
{
    if (value)
        value->broken = true;
    return -1;
}

bool carom_json_is_whole(const carom_json *value)
{
    bool whole = value && !value->broken;
    for (size_t i = 0; whole && i < carom_json_array_size(value); i++)
        whole = carom_json_is_whole(carom_json_array_get(value, i));
    for (size_t i = 0; whole && i < carom_json_object_size(value); i++)
        whole = carom_json_is_whole(carom_json_object_value(value, i));
    return whole;
}

static carom_json *array_copy(const carom_json *from, bool deep)
{
    carom_json *copy = carom_json_array();
    for (size_t i = 0; i < carom_json_array_size(from); i++) {
        carom_json *entry = carom_json_array_get(from, i);
        carom_json_array_append_new(copy, deep ? carom_json_deep_copy(entry) : carom_json_share(entry));
    }
    return copy;
}

static carom_json *object_copy(const carom_json *from, bool deep)
{
    carom_json *copy = carom_json_object();
    for (size_t i = 0; i < carom_json_object_size(from); i++) {
        carom_json *value = carom_json_object_value(from, i);
        carom_json_object_set_new(copy, carom_json_object_key(from, i),
                                  deep ? carom_json_deep_copy(value) : carom_json_share(value));
    }
    return copy;
}

static carom_json *copy_of(const carom_json *value, bool deep)
{
    switch (value->kind) {
    case CAROM_JSON_ARRAY:
        return array_copy(value, deep);
    case CAROM_JSON_OBJECT:
        return object_copy(value, deep);
    case CAROM_JSON_STRING:
        return carom_json_string(carom_json_string_value(value));
    case CAROM_JSON_NUMBER:
        return carom_json_real(carom_json_number_value(value));
    default:
        return (carom_json *)value;
    }
}

carom_json *carom_json_copy(const carom_json *value)
{
    return value ? copy_of(value, false) : NULL;
}

carom_json *carom_json_deep_copy(const carom_json *value)
{
    return value ? copy_of(value, true) : NULL;
}

static bool equal_arrays(const carom_json *a, const carom_json *b)
{
    size_t count = carom_json_array_size(a);
    bool same = count == carom_json_array_size(b);
    for (size_t i = 0; same && i < count; i++)
        same = carom_json_equal(carom_json_array_get(a, i), carom_json_array_get(b, i));
    return same;
}

static bool equal_objects(const carom_json *a, const carom_json *b)
{
    size_t count = carom_json_object_size(a);
    bool same = count == carom_json_object_size(b);
    for (size_t i = 0; same && i < count; i++)
        same = carom_json_equal(carom_json_object_value(a, i), carom_json_object_get(b, carom_json_object_key(a, i)));
    return same;
}

bool carom_json_equal(const carom_json *a, const carom_json *b)
{
    if (!a || !b || a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CAROM_JSON_ARRAY:
        return equal_arrays(a, b);
    case CAROM_JSON_OBJECT:
        return equal_objects(a, b);
    case CAROM_JSON_STRING:
        return strcmp(carom_json_string_value(a), carom_json_string_value(b)) == 0;
    case CAROM_JSON_NUMBER:
        return carom_json_number_value(a) == carom_json_number_value(b);
    default:
        return true;
    }
}

/* Trees of JSON as text, and trees from a format. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_memory.h"

/* ---- text, always without spaces ---- */

typedef struct text {
    char *bytes;
    size_t used, room;
    int precision;
    bool failed;
} text;

static void put(text *t, const char *bytes, size_t length)
{
    if (t->used + length + 1 > t->room) {
        size_t room = 2 * (t->used + length + 1);
        char *larger = json_larger(t->bytes, t->used, room, 1);
        t->failed |= !larger;
        if (!larger)
            return;
        t->bytes = larger;
        t->room = room;
    }
    memcpy(t->bytes + t->used, bytes, length);
    t->used += length;
    t->bytes[t->used] = 0;
}

static void put_string(text *t, const char *s)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    put(t, "\"", 1);
    for (; *s; s++) {
        char escaped[8] = {'\\'};
        const char *at = strchr(from, *s);
        if (at)
            escaped[1] = to[at - from];
        else if ((unsigned char)*s < 0x20)
            snprintf(escaped, sizeof escaped, "\\u%04X", *s);
        bool plain = !escaped[1];
        put(t, plain ? s : escaped, plain ? 1 : strlen(escaped));
    }
    put(t, "\"", 1);
}

/* With a point or an exponent, so that it reads back as a real number; the exponent without plus and leading zeros. */
static void put_real(text *t, double value)
{
    char raw[40];
    snprintf(raw, sizeof raw, "%.*g", t->precision, value);
    char *e = strchr(raw, 'e');
    put(t, raw, e ? (size_t)(e - raw) : strlen(raw));
    if (!e) {
        put(t, ".0", strchr(raw, '.') ? 0 : 2);
        return;
    }
    char exponent[16];
    put(t, exponent, (size_t)snprintf(exponent, sizeof exponent, "e%d", atoi(e + 1)));
}

static void put_value(text *t, const json_t *value);

static void put_object(text *t, const json_t *object)
{
    const char *key, *between = "{";
    json_t *member;
    json_object_foreach((json_t *)object, key, member)
    {
        put(t, between, 1);
        put_string(t, key);
        put(t, ":", 1);
        put_value(t, member);
        between = ",";
    }
    put(t, "{}", json_object_size(object) == 0 ? 1 : 0);
    put(t, "}", 1);
}

static void put_array(text *t, const json_t *array)
{
    put(t, "[", 1);
    for (size_t i = 0; i < json_array_size(array); i++) {
        put(t, ",", i > 0);
        put_value(t, json_array_get(array, i));
    }
    put(t, "]", 1);
}

static void put_value(text *t, const json_t *value)
{
    char integer[32];
    if (json_is_object(value))
        put_object(t, value);
    else if (json_is_array(value))
        put_array(t, value);
    else if (json_is_string(value))
        put_string(t, json_string_value(value));
    else if (json_is(value, JSON_REAL))
        put_real(t, json_number_value(value));
    else if (json_is(value, JSON_INTEGER))
        put(t, integer, (size_t)snprintf(integer, sizeof integer, "%.0f", json_number_value(value)));
    else if (json_is_boolean(value))
        put(t, json_is_true(value) ? "true" : "false", json_is_true(value) ? 4 : 5);
    else
        put(t, "null", 4);
}

char *json_dumps(const json_t *tree, size_t flags)
{
    int precision = (int)(flags >> 11 & 0x1F);
    text t = {.precision = precision ? precision : 17};
    if (!tree)
        return NULL;
    put_value(&t, tree);
    if (!t.failed)
        return t.bytes;
    json_release(t.bytes);
    return NULL;
}

/* ---- trees from a format ---- */

typedef struct packer {
    const char *at;
    va_list arguments;
} packer;

static char token(packer *p)
{
    while (*p->at && strchr(" ,:", *p->at))
        p->at++;
    return *p->at ? *p->at++ : 0;
}

static json_t *pack_value(packer *p, char kind);

static json_t *pack_object(packer *p)
{
    json_t *object = json_object();
    bool fine = object != NULL;
    while (token(p) == 's') {
        const char *key = va_arg(p->arguments, const char *);
        fine &= json_object_set_new(object, key, pack_value(p, token(p))) == 0;
    }
    if (fine)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *pack_array(packer *p)
{
    json_t *array = json_array();
    bool fine = array != NULL;
    for (char kind = token(p); kind && kind != ']'; kind = token(p))
        fine &= json_array_append_new(array, pack_value(p, kind)) == 0;
    if (fine)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *pack_value(packer *p, char kind)
{
    switch (kind) {
    case '{':
        return pack_object(p);
    case '[':
        return pack_array(p);
    case 's':
        return json_string(va_arg(p->arguments, const char *));
    case 'f':
        return json_real(va_arg(p->arguments, double));
    case 'i':
        return json_integer(va_arg(p->arguments, int));
    case 'b':
        return json_boolean(va_arg(p->arguments, int));
    case 'o':
        return va_arg(p->arguments, json_t *);
    case 'O':
        return json_incref(va_arg(p->arguments, json_t *));
    default:
        return NULL;
    }
}

json_t *json_pack(const char *format, ...)
{
    packer p = {.at = format};
    va_start(p.arguments, format);
    json_t *value = pack_value(&p, token(&p));
    va_end(p.arguments);
    return value;
}

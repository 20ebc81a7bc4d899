/* Trees of JSON from a format. */
#include <stdarg.h>
#include <string.h>

#include "carom/json.h"

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

static carom_json *pack_value(packer *p, char kind);

static carom_json *pack_object(packer *p)
{
    carom_json *object = carom_json_object();
    bool fine = object != NULL;
    while (token(p) == 's') {
        const char *key = va_arg(p->arguments, const char *);
        fine &= carom_json_object_set_new(object, key, pack_value(p, token(p))) == 0;
    }
    if (fine)
        return object;
    carom_json_free(object);
    return NULL;
}

static carom_json *pack_array(packer *p)
{
    carom_json *array = carom_json_array();
    bool fine = array != NULL;
    for (char kind = token(p); kind && kind != ']'; kind = token(p))
        fine &= carom_json_array_append_new(array, pack_value(p, kind)) == 0;
    if (fine)
        return array;
    carom_json_free(array);
    return NULL;
}

static carom_json *pack_value(packer *p, char kind)
{
    switch (kind) {
    case '{':
        return pack_object(p);
    case '[':
        return pack_array(p);
    case 's':
        return carom_json_string(va_arg(p->arguments, const char *));
    case 'f':
        return carom_json_real(va_arg(p->arguments, double));
    case 'i':
        return carom_json_real(va_arg(p->arguments, int));
    case 'b':
        return carom_json_boolean(va_arg(p->arguments, int));
    case 'o':
        return va_arg(p->arguments, carom_json *);
    default:
        return NULL;
    }
}

carom_json *carom_json_pack(const char *format, ...)
{
    packer p = {.at = format};
    va_start(p.arguments, format);
    carom_json *value = pack_value(&p, token(&p));
    va_end(p.arguments);
    return value;
}

/* The part of jansson's interface that Carom's readers and writers use, for builds that cannot link jansson.
 *
 * Trees, errors and messages are those of jansson 2.14: the tests compare both on texts right and wrong. Not here:
 * everything Carom does not call. */
#ifndef CAROM_JS_JANSSON_H
#define CAROM_JS_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_type {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;

typedef struct json_t {
    json_type type;
    size_t refcount; /* SIZE_MAX: never freed */
} json_t;

typedef long long json_int_t;

/* ---- memory ---- */

typedef void *(*json_malloc_t)(size_t);
typedef void (*json_free_t)(void *);

void json_set_alloc_funcs(json_malloc_t allocate, json_free_t release);
void json_delete(json_t *value);

static inline json_t *json_incref(json_t *value)
{
    if (value && value->refcount != SIZE_MAX)
        value->refcount++;
    return value;
}

static inline void json_decref(json_t *value)
{
    if (value && value->refcount != SIZE_MAX && --value->refcount == 0)
        json_delete(value);
}

/* ---- kinds ---- */

#define json_typeof(value) ((value)->type)

static inline bool json_is(const json_t *value, json_type type)
{
    return value && value->type == type;
}

#define json_is_object(value)  json_is(value, JSON_OBJECT)
#define json_is_array(value)   json_is(value, JSON_ARRAY)
#define json_is_string(value)  json_is(value, JSON_STRING)
#define json_is_true(value)    json_is(value, JSON_TRUE)
#define json_is_false(value)   json_is(value, JSON_FALSE)
#define json_is_boolean(value) (json_is_true(value) || json_is_false(value))
#define json_is_number(value)  (json_is(value, JSON_INTEGER) || json_is(value, JSON_REAL))

/* ---- scalars ---- */

json_t *json_true(void);
json_t *json_false(void);
json_t *json_null(void);
#define json_boolean(flag) ((flag) ? json_true() : json_false())

json_t *json_integer(json_int_t value);
json_t *json_real(double value); /* null unless finite */
double json_number_value(const json_t *value);

json_t *json_string(const char *text); /* null unless UTF-8 */
json_t *json_string_nocheck(const char *text);
const char *json_string_value(const json_t *value);

/* ---- arrays ---- */

json_t *json_array(void);
size_t json_array_size(const json_t *array);
json_t *json_array_get(const json_t *array, size_t i);
int json_array_set_new(json_t *array, size_t i, json_t *value);
int json_array_append_new(json_t *array, json_t *value);

#define json_array_foreach(array, i, value)                                                                            \
    for (i = 0; i < json_array_size(array) && (value = json_array_get(array, i)); i++)

/* ---- objects: members stay in the order in which they came ---- */

json_t *json_object(void);
size_t json_object_size(const json_t *object);
json_t *json_object_get(const json_t *object, const char *key);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_set_new_nocheck(json_t *object, const char *key, json_t *value);
int json_object_set(json_t *object, const char *key, json_t *value);
int json_object_del(json_t *object, const char *key);
int json_object_update(json_t *object, json_t *other);

void *json_object_iter(json_t *object);
void *json_object_iter_next(json_t *object, void *member);
const char *json_object_iter_key(void *member);
json_t *json_object_iter_value(void *member);
void *json_object_key_to_iter(const char *key);

#define json_object_foreach(object, key, value)                                                                        \
    for (key = json_object_iter_key(json_object_iter(object));                                                         \
         key && (value = json_object_iter_value(json_object_key_to_iter(key)));                                        \
         key = json_object_iter_key(json_object_iter_next(object, json_object_key_to_iter(key))))

/* ---- whole trees ---- */

json_t *json_copy(json_t *value);
json_t *json_deep_copy(const json_t *value);

/* Formats {s:V, ...} and [V, ...] with V one of s (string), f (real), i (int), b (bool), o (new reference), O. */
json_t *json_pack(const char *format, ...);

/* ---- text ---- */

#define JSON_COMPACT            0x20
#define JSON_ENCODE_ANY         0x200
#define JSON_REAL_PRECISION(n)  (((n)&0x1F) << 11)
#define JSON_REJECT_DUPLICATES  0x1
#define JSON_DISABLE_EOF_CHECK  0x2
#define JSON_DECODE_ANY         0x4
#define JSON_DECODE_INT_AS_REAL 0x8

enum { JSON_ERROR_TEXT_LENGTH = 160, JSON_ERROR_SOURCE_LENGTH = 80 };

typedef struct json_error_t {
    int line, column, position;
    char source[JSON_ERROR_SOURCE_LENGTH];
    char text[JSON_ERROR_TEXT_LENGTH]; /* the last byte is the code */
} json_error_t;

enum json_error_code {
    json_error_unknown,
    json_error_out_of_memory,
    json_error_stack_overflow,
    json_error_cannot_open_file,
    json_error_invalid_argument,
    json_error_invalid_utf8,
    json_error_premature_end_of_input,
    json_error_end_of_input_expected,
    json_error_invalid_syntax,
    json_error_invalid_format,
    json_error_wrong_type,
    json_error_null_character,
    json_error_null_value,
    json_error_null_byte_in_key,
    json_error_duplicate_key,
    json_error_numeric_overflow
};

static inline enum json_error_code json_error_code(const json_error_t *error)
{
    return (enum json_error_code)error->text[JSON_ERROR_TEXT_LENGTH - 1];
}

json_t *json_loadb(const char *bytes, size_t length, size_t flags, json_error_t *error);
json_t *json_loads(const char *text, size_t flags, json_error_t *error);
char *json_dumps(const json_t *tree, size_t flags); /* the caller frees it, with the function given for that */

#endif

/* Carom: trees of JSON. Library carom-io; not part of carom/carom.h.
 *
 *     carom_json_error error;
 *     carom_json *tree = carom_json_parse(bytes, length, &error);   null: error says what is wrong and where
 *     double mass = carom_json_number_value(carom_json_object_get(tree, "mass"));
 *     carom_json_object_set_new(tree, "speed", carom_json_real(2.385));
 *     carom_json_print(stdout, tree, false);
 *     carom_json_free(tree);
 *
 * Members of an object keep their order. Numbers are doubles, read and printed exactly in every locale. A value that
 * does not exist is null: every function takes null and wrong kinds, and then returns null, 0 or -1, so that a missing
 * value (or memory that ends) is tested once, at the end. Functions named _new take over the reference that they are
 * given, even when they fail. */
#ifndef CAROM_JSON_H
#define CAROM_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "carom/export.h"

CAROM_BEGIN

typedef struct carom_json carom_json;

typedef enum carom_json_kind {
    CAROM_JSON_OBJECT,
    CAROM_JSON_ARRAY,
    CAROM_JSON_STRING,
    CAROM_JSON_NUMBER,
    CAROM_JSON_TRUE,
    CAROM_JSON_FALSE,
    CAROM_JSON_NULL
} carom_json_kind;

/* A null pointer is of no kind: carom_json_kind_of takes values only, carom_json_is takes anything. */
CAROM_API carom_json_kind carom_json_kind_of(const carom_json *value);
CAROM_API bool carom_json_is(const carom_json *value, carom_json_kind kind);

/* ---- memory ---- */

CAROM_API carom_json *carom_json_share(carom_json *value); /* one reference more; returns value */
CAROM_API void carom_json_free(carom_json *value);         /* one reference less */

/* False when memory ended while the tree was made: parts are missing. */
CAROM_API bool carom_json_is_whole(const carom_json *value);

/* ---- scalars ---- */

CAROM_API carom_json *carom_json_boolean(bool flag);
CAROM_API carom_json *carom_json_null(void);
CAROM_API carom_json *carom_json_real(double value); /* null unless finite */
CAROM_API carom_json *carom_json_string(const char *text);

CAROM_API double carom_json_number_value(const carom_json *value);      /* 0 where there is no number */
CAROM_API const char *carom_json_string_value(const carom_json *value); /* null where there is no string */

/* ---- arrays ---- */

CAROM_API carom_json *carom_json_array(void);
CAROM_API size_t carom_json_array_size(const carom_json *array);
CAROM_API carom_json *carom_json_array_get(const carom_json *array, size_t i);
CAROM_API int carom_json_array_set_new(carom_json *array, size_t i, carom_json *value);
CAROM_API int carom_json_array_append_new(carom_json *array, carom_json *value);

/* ---- objects ---- */

CAROM_API carom_json *carom_json_object(void);
CAROM_API size_t carom_json_object_size(const carom_json *object);
CAROM_API carom_json *carom_json_object_get(const carom_json *object, const char *key);
CAROM_API int carom_json_object_set(carom_json *object, const char *key, carom_json *value);
CAROM_API int carom_json_object_set_new(carom_json *object, const char *key, carom_json *value);
CAROM_API int carom_json_object_del(carom_json *object, const char *key);
CAROM_API int carom_json_object_update(carom_json *object, const carom_json *other); /* every member of other */

/* Member i in order: its key, its value, and the byte of the text behind the key when the object was parsed. */
CAROM_API const char *carom_json_object_key(const carom_json *object, size_t i);
CAROM_API carom_json *carom_json_object_value(const carom_json *object, size_t i);
CAROM_API size_t carom_json_object_place(const carom_json *object, size_t i);

/* ---- whole trees ---- */

CAROM_API carom_json *carom_json_copy(const carom_json *value); /* shares the values below */
CAROM_API carom_json *carom_json_deep_copy(const carom_json *value);
CAROM_API bool carom_json_equal(const carom_json *a, const carom_json *b);

/* A tree from a format: {s:V, ...} and [V, ...] with V one of s (string), f (double), i (int), b (bool), o (a tree,
 * taken over) or again such a format. Null when any part of it is. */
CAROM_API carom_json *carom_json_pack(const char *format, ...);

/* ---- text ---- */

enum {
    CAROM_JSON_DEPTH = 64,       /* objects and arrays inside each other, and ... */
    CAROM_JSON_VALUES = 1 << 22, /* ... numbers, words, objects and arrays in one text: at most */
    CAROM_JSON_MESSAGE = 160,
    CAROM_JSON_KEY = 128
};

typedef enum carom_json_fault {
    CAROM_JSON_FINE,
    CAROM_JSON_NO_MEMORY,
    CAROM_JSON_ENDS_EARLY,
    CAROM_JSON_SYNTAX,
    CAROM_JSON_OVERFLOW, /* a number beyond the doubles */
    CAROM_JSON_TOO_DEEP,
    CAROM_JSON_TOO_MANY
} carom_json_fault;

typedef struct carom_json_error {
    carom_json_fault fault;
    int line, column;              /* from 1; columns count characters */
    char key[CAROM_JSON_KEY];      /* path of the key whose value holds the error: "bodies.a.mass" */
    char text[CAROM_JSON_MESSAGE]; /* "':' expected near '12'" */
} carom_json_error;

/* One value and nothing else, in UTF-8. A key that stands twice in an object is an error. error may be null. */
CAROM_API carom_json *carom_json_parse(const char *bytes, size_t length, carom_json_error *error);

/* Print a tree: indented with arrays of numbers on one line, or compact on one line; a newline ends it. Numbers are
 * the shortest of 15, 16, 17 digits that read back as the same double. */
CAROM_API void carom_json_print(FILE *out, const carom_json *value, bool compact);

/* The same compact, without the newline, as a new text; numbers have so many digits: 17 are every double, and -0; 0 is
 * as many as carom_json_print takes. */
CAROM_API char *carom_json_text(const carom_json *value, int digits);

enum { CAROM_NUMBER_SIZE = 32 };

/* One number as carom_json_print writes it; returns its length. */
CAROM_API int carom_number_print(char text[CAROM_NUMBER_SIZE], double value);

CAROM_END

#endif

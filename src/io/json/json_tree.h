/* What the files of the JSON tree share. */
#ifndef CAROM_IO_JSON_TREE_H
#define CAROM_IO_JSON_TREE_H

#include "carom/json.h"

/* The head of every value. */
struct carom_json {
    carom_json_kind kind;
    unsigned references; /* 0: a constant, never freed */
    bool broken;         /* memory ended: it lacks what was put into it */
};

/* Note that something could not be put into this array or object. Always -1. */
int carom_internal_json_break(carom_json *value);

carom_json *carom_internal_json_string(const char *bytes, size_t length);
bool carom_internal_json_has(const carom_json *object, const char *key);
void carom_internal_json_object_clear(carom_json *object);

/* A member that is not there yet, whose key ends at this byte of the text; takes over the reference. */
bool carom_internal_json_add(carom_json *object, const char *key, size_t place, carom_json *value);

#endif

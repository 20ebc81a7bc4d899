/* What the files of the JSON tree share. */
#ifndef CAROM_JS_JSON_MEMORY_H
#define CAROM_JS_JSON_MEMORY_H

#include "jansson.h"

void *json_room(size_t bytes);
void json_release(void *block);

/* A block of count + 1 elements that holds the first count of another, which is released; null when memory ends. */
void *json_larger(void *block, size_t count, size_t room, size_t size);

json_t *json_string_of(const char *bytes, size_t length);
json_t *json_member_of(const json_t *object, const char *key, size_t length);
int json_member_set(json_t *object, const char *key, size_t length, json_t *value);

/* Bytes of the UTF-8 sequence at text, at most room; 0 when it is none. */
size_t json_utf8_length(const char *text, size_t room);

#endif

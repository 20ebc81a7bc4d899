#include "io/case/locate.h"

#include <string.h>

#include "carom/json_short.h"

/* How much of the path has been found, in bytes, and where in the text. */
typedef struct match {
    size_t length, at;
} match;

/* The bytes of the path that this key adds at its dot or start, or 0. */
static size_t key_fits(const char *rest, const char *key)
{
    size_t dot = rest[0] == '.', length = strlen(key);
    const char *end = rest + dot + length;
    bool fits = length > 0 && strncmp(rest + dot, key, length) == 0 && (*end == '.' || *end == '[' || *end == 0);
    return fits ? dot + length : 0;
}

/* The key that matches most of the path; entries of an array stand for the array. */
static void search(const json_t *value, const char *path, size_t found, match *best)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        search(json_array_get(value, i), path, found, best);
    for (size_t i = 0; i < json_object_size(value); i++) {
        size_t more = key_fits(path + found, json_object_key(value, i));
        if (more == 0)
            continue;
        if (found + more > best->length)
            *best = (match){found + more, carom_json_object_place(value, i)};
        search(json_object_value(value, i), path, found + more, best);
    }
}

long locate_line(const char *text, size_t length, const char *path)
{
    json_t *tree = path[0] ? json_parse(text, length, NULL) : NULL;
    match best = {0, 0};
    search(tree, path, 0, &best);
    json_decref(tree);
    if (best.length == 0)
        return -1;
    long line = 0;
    for (size_t i = 0; i < best.at; i++)
        line += text[i] == '\n';
    return line;
}

/* Files of JSON as trees. */
#ifndef CAROM_TESTS_JSON_H
#define CAROM_TESTS_JSON_H

#include <stdio.h>
#include <stdlib.h>

#include "carom/json_short.h"

/* The rest of a file as a tree, or null. */
static inline json_t *read_json(FILE *file)
{
    enum { MOST = 1 << 20 };
    char *bytes = malloc(MOST);
    size_t length = fread(bytes, 1, MOST, file);
    json_t *tree = json_parse(bytes, length, NULL);
    free(bytes);
    return tree;
}

static inline json_t *load_json(const char *path)
{
    FILE *file = fopen(path, "rb");
    json_t *tree = file ? read_json(file) : NULL;
    if (file)
        fclose(file);
    return tree;
}

#endif

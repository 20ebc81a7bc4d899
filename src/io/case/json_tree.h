/* Public headers do not name the library that parses JSON; here and in the program a carom_json is jansson's json_t. */
#ifndef CAROM_IO_JSON_TREE_H
#define CAROM_IO_JSON_TREE_H

#include <jansson.h>

#include "carom/case.h"

static inline carom_json *carom_json_of(json_t *tree)
{
    return (carom_json *)tree;
}

static inline json_t *jansson_of(const carom_json *json)
{
    return (json_t *)json;
}

#endif

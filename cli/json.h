/* Trees of JSON by short names. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include "carom/case.h"
#include "carom/json_short.h"

/* Print a tree that is not needed any more. */
static inline void json_print_free(FILE *out, json_t *tree)
{
    json_print(out, tree, false);
    json_decref(tree);
}

#endif

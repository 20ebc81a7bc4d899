/* Trees of JSON by short names, and vectors as cases write them. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include "carom/case.h"
#include "carom/json_short.h"

/* A contact vector as the case counts. */
static inline json_t *json_vector(const carom_case *c, carom_cvec v)
{
    json_t *array = json_array();
    json_array_append_new(array, json_real(v.t1));
    if (c->dim == 3)
        json_array_append_new(array, json_real(v.t2));
    json_array_append_new(array, json_real(v.n));
    return array;
}

#endif

/* The library's JSON trees as jansson's, which they are; the program adds to them and looks into them. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include <jansson.h>

#include "carom/case.h"

static inline json_t *json_document(const carom_case *c)
{
    return (json_t *)c->document;
}

static inline json_t *json_answer(const carom_case *c, const carom_result *result)
{
    return (json_t *)carom_case_answer(c, result);
}

static inline json_t *json_error_answer(const carom_case *c, const carom_case_error *error)
{
    return (json_t *)carom_case_error_answer(c, error);
}

static inline json_t *json_solutions(const carom_case *c, const carom_result *result)
{
    return (json_t *)carom_case_solutions(c, result);
}

static inline json_t *json_derivatives(const carom_case *c, carom_status *status)
{
    return (json_t *)carom_case_derivatives(c, status);
}

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

static inline void json_print(FILE *out, const json_t *tree, bool compact)
{
    carom_json_print(out, (const carom_json *)tree, compact);
}

#endif

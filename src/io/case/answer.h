/* Inside carom-io: the parts of an answer. Zero has no sign in an answer. */
#ifndef CAROM_IO_ANSWER_H
#define CAROM_IO_ANSWER_H

#include "io/case/reader.h"

static inline void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static inline json_t *number(double value)
{
    return json_real(value + 0.0);
}

static inline void set_number(json_t *object, const char *key, double value)
{
    set(object, key, number(value));
}

static inline json_t *numbers(const double *list, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, number(list[i]));
    return array;
}

/* A contact vector as the case counts: [t1, t2, n], or [t, n] in planar cases. */
json_t *contact_vector(const carom_case *c, carom_cvec v);

/* The same with what turns, where the contact has a patch. */
json_t *patch_vector(const carom_case *c, carom_cvec v, carom_cspin w);

/* The value of the one contact, or an array of the values of all that are solved together. */
typedef json_t *contact_value(const carom_case *c, const carom_result *result, int i);
json_t *by_contact(const carom_case *c, const carom_result *result, contact_value *value);

/* What happened inside the impact: path, modes and losses of the law, and of contacts that are solved together the
 * order in which they acted. */
void answer_inside(const carom_case *c, const carom_result *result, json_t *answer);

#endif

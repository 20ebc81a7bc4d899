/* The objects of carom/case.def and carom/scene.def, as readers check them. */
#ifndef CAROM_IO_FORMAT_H
#define CAROM_IO_FORMAT_H

#include "io/case/reader.h"

typedef enum format_object {
#define CAROM_OBJECT(object, title) FORMAT_##object,
#define CAROM_CHOICE(object, how, keys)
#define CAROM_KEY(object, key, kind, of, otherwise, meaning)
#include "carom/case.def"
#include "carom/scene.def"
#undef CAROM_KEY
#undef CAROM_CHOICE
#undef CAROM_OBJECT
    FORMAT_COUNT
} format_object;

/* value must be an object of this kind: its keys are known (the nearest one is a hint), numbers are finite and have
 * their sign, flags are true or false, and what is needed is there. What depends on other keys is the caller's. */
bool reader_object(const reader *r, const place *at, const json_t *value, format_object object);

/* A number of an object that has been checked; where the key is missing it stays as it was. */
static inline void reader_take(const json_t *object, const char *key, double *number)
{
    const json_t *value = json_object_get(object, key);
    *number = value ? json_number_value(value) : *number;
}

#endif

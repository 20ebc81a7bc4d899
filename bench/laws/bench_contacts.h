/* Random contacts to time the laws on: the same ones on every machine. */
#ifndef CAROM_BENCH_CONTACTS_H
#define CAROM_BENCH_CONTACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/carom.h"

/* general: boxes of random shape and orientation that hit the ground with a corner; sphere: solid balls that spin;
 * planar: the same boxes in the plane. */
typedef enum contact_kind { CONTACT_GENERAL, CONTACT_SPHERE, CONTACT_PLANAR, CONTACT_KINDS } contact_kind;

const char *contact_word(contact_kind kind);

enum { CONTACT_ARRAYS = 9, CONTACT_OUTPUTS = 6 };

/* count contacts as problems (at most CONTACT_PROBLEMS of them differ) and as the arrays of a batch. */
enum { CONTACT_PROBLEMS = 1024 };

typedef struct contacts {
    size_t count;
    contact_kind kind;
    carom_problem *problems;
    double *memory;
    unsigned char *status;
    carom_batch_in in;
    carom_batch_out out;
} contacts;

/* False when memory ends. */
bool contacts_make(contacts *c, contact_kind kind, size_t count);
void contacts_free(contacts *c);

#endif

/* Inside carom-io: the parts of a case with several contacts. */
#ifndef CAROM_IO_SEVERAL_H
#define CAROM_IO_SEVERAL_H

#include "io/case/reader.h"

typedef struct several_name {
    char text[32]; /* "contacts[2]" */
} several_name;

several_name several_contact_name(int i);

/* Zeroed memory; null after a complaint when there is none. */
void *several_take(const reader *r, size_t bytes);

bool read_bodies_contacts(const reader *r, const json_t *document, carom_case *c);
bool read_mechanism_contacts(const reader *r, const json_t *document, carom_case *c);

#endif

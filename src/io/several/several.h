/* Inside carom-io: the parts of a case with several contacts. */
#ifndef CAROM_IO_SEVERAL_H
#define CAROM_IO_SEVERAL_H

#include "carom/stroke.h"
#include "io/case/reader.h"

typedef struct several_name {
    char text[32]; /* "contacts[2]" */
} several_name;

several_name several_contact_name(int i);

/* Zeroed memory; null after a complaint when there is none. */
void *several_take(const reader *r, size_t bytes);

bool read_bodies_contacts(const reader *r, const json_t *document, carom_case *c);
bool read_stroke_contacts(const reader *r, const json_t *document, carom_case *c);

/* "tip" and "table" of a stroke, over those that coeffs holds. */
bool read_stroke_coefficients(const reader *r, const json_t *object, carom_coeffs coeffs[2]);

/* A "stroke" that has been checked, over what s holds. */
bool reader_stroke(const reader *r, const json_t *object, carom_stroke *s);

bool read_mechanism_contacts(const reader *r, const json_t *document, carom_case *c);

#endif

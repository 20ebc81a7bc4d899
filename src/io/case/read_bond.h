/* The joint of a link, as links: one of the types of a mechanism, or any pair of linear and angular freedoms. A pair
 * becomes a chain of links without mass, each with a joint of the mechanism, that ends in the link itself. */
#ifndef CAROM_IO_CASE_READ_BOND_H
#define CAROM_IO_CASE_READ_BOND_H

#include "carom/mechanism.h"
#include "io/case/reader.h"

enum { BOND_PIECES = 5 }; /* three slides and two turns */

typedef struct bond {
    int count;
    carom_link_def pieces[BOND_PIECES]; /* from the parent to the link; parents and the link's own mass are not set */
} bond;

bool read_bond(const reader *r, const place *at, const json_t *object, bond *made);

/* Three numbers; an absent value leaves v as it was. */
bool read_vec3(const reader *r, const place *at, const json_t *value, carom_vec3 *v);

#endif

/* The joint of a link, as links: one of the types of a mechanism, or any pair of linear and angular freedoms. A pair
 * becomes a chain of links without mass, each with a joint of the mechanism, that ends in the link itself. */
#ifndef CAROM_IO_CASE_READ_BOND_H
#define CAROM_IO_CASE_READ_BOND_H

#include "carom/mechanism.h"
#include "io/case/reader.h"

enum { BOND_PIECES = 5 }; /* three slides and two turns */

typedef struct joint_pieces {
    int count;
    carom_link_def pieces[BOND_PIECES]; /* from the parent to the link; parents and the link's own mass are not set */
} joint_pieces;

bool read_bond(const reader *r, const place *at, const json_t *object, joint_pieces *made);

/* "linear" and "angular", 0 to 3 each. */
bool read_freedoms(const reader *r, const place *at, const json_t *object, int freedoms[2]);

/* The axes of an angular piece: the same where it has one freedom, apart where it has two. at is that of the first. */
bool check_axes(const reader *r, const place *at, int angular, carom_vec3 a, carom_vec3 b);

/* Three numbers; an absent value leaves v as it was. */
bool read_vec3(const reader *r, const place *at, const json_t *value, carom_vec3 *v);

#endif

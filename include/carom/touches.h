/* Carom: several contacts of a mechanism at once, of trees of links (carom/mechanism.h) or jointed bodies
 * (carom/joint.h). They become one problem of carom/contacts.h:
 *
 *     carom_touch feet[2];                                   two feet of a walker, from carom_touch_init
 *     carom_touches set = {2, feet, 3};
 *     void *memory = malloc(carom_touches_size(&set));
 *     carom_touches_reduce(&set, memory, &problem);          K and u of both feet
 *     carom_together_solve(&problem, &rule, NULL, work, &out);
 *     carom_touches_apply(&set, out.p);                      all generalized speeds at once
 *
 * For n speeds and m contacts the reduction takes O(m n + m^2 n) operations, the application O(n + m). */
#ifndef CAROM_TOUCHES_H
#define CAROM_TOUCHES_H

#include <stddef.h>

#include "carom/contacts.h"
#include "carom/export.h"
#include "carom/joint.h"
#include "carom/mechanism.h"
#include "carom/status.h"

CAROM_BEGIN

/* ---- trees ---- */

/* Touches may be of different mechanisms, and between them. dim 2 takes rows t1 and n of each; nothing may move along
 * t2 then. */
typedef struct carom_touches {
    int count;
    const carom_touch *touches;
    int dim;
} carom_touches;

/* Bytes that the reduction needs. */
CAROM_API size_t carom_touches_size(const carom_touches *set);

/* The touches become (K, u). K is a sum of squares over the freedoms, so it is positive semi-definite; rows along which
 * nothing moves are exactly zero. CAROM_STATUS_BAD_SIZE, CAROM_STATUS_BAD_LINK, CAROM_STATUS_BAD_PAIR (a link touches
 * itself), CAROM_STATUS_NOT_PLANAR (dim 2, and something moves along t2), CAROM_STATUS_IMMOVABLE. */
CAROM_API CAROM_MUST_USE carom_status carom_touches_reduce(const carom_touches *set, void *memory,
                                                           carom_contacts *problem);

/* Add the impulses p (dim m numbers) to all mechanisms of the touches. */
CAROM_API void carom_touches_apply(const carom_touches *set, const double *p);

/* ---- jointed bodies ---- */

/* Contacts of members of a linkage; pair.a and pair.b are their numbers, or CAROM_WORLD for b. */
typedef struct carom_linkage_contacts {
    carom_linkage *linkage;
    int count;
    const carom_pair *pairs;
    int dim;
} carom_linkage_contacts;

CAROM_API size_t carom_linkage_contacts_size(const carom_linkage_contacts *set);

/* As above, with the impulses of the joints inside the impact; besides, the statuses of carom_linkage_reduce. */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_contacts_reduce(const carom_linkage_contacts *set, void *memory,
                                                                    carom_contacts *problem);

/* Add the impulses p; needs the memory as reduce left it. */
CAROM_API void carom_linkage_contacts_apply(const carom_linkage_contacts *set, const void *memory, const double *p);

CAROM_END

#endif

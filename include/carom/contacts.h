/* Carom: several contacts that close at the same instant.
 *
 *     u   velocities at the contacts, stacked: [t1, t2, n] of contact 1, then of contact 2, ...; [t, n] in the plane
 *     K   inverse mass that all contacts feel: u_after = u + K p, symmetric positive semi-definite
 *
 * K is kept as blocks of dim x dim numbers, one for every ordered pair of contacts that share a movable body, and for
 * every contact with itself. Bodies, mechanisms and plain matrices are reduced to it:
 *
 *     carom_pair pairs[2] = {{0, CAROM_WORLD, left}, {0, CAROM_WORLD, right}};
 *     carom_bodies set = {1, &box, 2, pairs, 2};
 *     void *memory = malloc(carom_bodies_size(&set));
 *     carom_contacts problem;
 *     carom_status status = carom_bodies_contacts(&set, memory, &problem);
 *
 * The caller owns all memory; the laws that solve the problem are in carom/together.h. */
#ifndef CAROM_CONTACTS_H
#define CAROM_CONTACTS_H

#include <stddef.h>

#include "carom/body.h"
#include "carom/export.h"
#include "carom/generalized.h"
#include "carom/status.h"

CAROM_BEGIN

enum { CAROM_CONTACTS_MOST = 65536 }; /* contacts of one problem; a law may allow fewer */

/* A reduced problem. Its arrays live in the memory that it was made in. */
typedef struct carom_contacts {
    int count;         /* contacts, m */
    int dim;           /* rows per contact: 3 for (t1, t2, n), 2 for (t, n); with spins 4 or 6, see carom/patch.h */
    const int *row;    /* m + 1: the blocks of contact j are row[j] ... row[j + 1] - 1 */
    const int *column; /* of each block, ascending within a row */
    const double *K;   /* dim * dim numbers per block, by rows */
    const double *u;   /* dim numbers per contact */
} carom_contacts;

/* The row of the normal among those of a contact. */
static inline int carom_contacts_normal(const carom_contacts *problem)
{
    return problem->dim == 2 ? 1 : 2;
}

/* ---- K and u given ---- */

/* Bytes for m contacts whose K is full. */
CAROM_API size_t carom_contacts_size(int m, int dim);

/* From arrays: K is (dim m) x (dim m) by rows, u has dim m entries. Blocks of zeros are left out.
 * CAROM_STATUS_BAD_SIZE, CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_MATRIX (not symmetric or indefinite) or
 * CAROM_STATUS_IMMOVABLE (a contact with K_nn = 0) refuse it. */
CAROM_API CAROM_MUST_USE carom_status carom_contacts_from_K(int m, int dim, const double *K, const double *u,
                                                            void *memory, carom_contacts *problem);

/* The block of contacts i and j, dim x dim by rows, or null when they share no movable body. */
CAROM_API const double *carom_contacts_block(const carom_contacts *problem, int i, int j);

/* u_after = u + K p; all arrays have dim m entries. */
CAROM_API void carom_contacts_after(const carom_contacts *problem, const double *p, double *u_after);

/* Contact i alone, as the laws of one contact see it. */
CAROM_API carom_problem carom_contacts_alone(const carom_contacts *problem, int i);

/* ---- bodies ---- */

/* Bodies a and b (indices, or CAROM_WORLD for b) touch. */
typedef struct carom_pair {
    int a, b;
    carom_contact contact; /* arms, frame; contact.planar as the dimension says */
} carom_pair;

typedef struct carom_bodies {
    int body_count;
    const carom_body *bodies;
    int count; /* contacts */
    const carom_pair *pairs;
    int dim;
} carom_bodies;

/* Bytes that the reduction of these bodies needs. */
CAROM_API size_t carom_bodies_size(const carom_bodies *set);

/* The bodies become (K, u). CAROM_STATUS_BAD_PAIR refuses a contact of a body with itself or with a body that does not
 * exist, CAROM_STATUS_IMMOVABLE one between bodies that cannot move. */
CAROM_API CAROM_MUST_USE carom_status carom_bodies_contacts(const carom_bodies *set, void *memory,
                                                            carom_contacts *problem);

/* All bodies after the impulses p; after may be set->bodies. */
CAROM_API void carom_bodies_push(const carom_bodies *set, const double *p, carom_body *after);

/* ---- mass matrix and Jacobians ---- */

/* A mechanism with m contacts: J has dim m rows, contact after contact. */
typedef struct carom_generalized_contacts {
    int n;              /* generalized speeds */
    int count, dim;     /* contacts, rows per contact */
    const double *M;    /* n x n by rows, symmetric positive definite */
    const double *J;    /* (dim m) x n by rows */
    const double *qdot; /* n */
} carom_generalized_contacts;

/* Bytes that the reduction and the application need. */
CAROM_API size_t carom_generalized_contacts_size(const carom_generalized_contacts *mechanism);

/* K = J M^-1 J^T, u = J qdot. */
CAROM_API CAROM_MUST_USE carom_status carom_generalized_contacts_reduce(const carom_generalized_contacts *mechanism,
                                                                        void *memory, carom_contacts *problem);

/* qdot_after = qdot + M^-1 J^T p; needs the memory as reduce left it. qdot_after may be qdot. */
CAROM_API void carom_generalized_contacts_apply(const carom_generalized_contacts *mechanism, void *memory,
                                                const double *p, double *qdot_after);

CAROM_END

#endif

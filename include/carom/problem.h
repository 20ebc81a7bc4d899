/* Carom: the one small problem that every impact reduces to.
 *
 *     K   inverse local mass at the contact, symmetric positive semi-definite: u_after = u + K p
 *     u   velocity of A relative to B at the contact; u.n < 0 approaches
 *
 * Bodies (carom/body.h) and mechanisms (carom/generalized.h) are reduced to it; or K and u are given directly with
 * the functions below. K may be singular: a pendulum has rank one, a planar problem has rank two.
 *
 * A planar problem lives in the plane of t1 and n: its t2 row of K and its u.t2 are exactly zero. Nothing else marks
 * it. */
#ifndef CAROM_PROBLEM_H
#define CAROM_PROBLEM_H

#include "carom/export.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

enum { CAROM_WORLD = -1 }; /* the index of what does not move, among bodies and among links */

typedef struct carom_problem {
    carom_csym K;
    carom_cvec u;
} carom_problem;

/* From arrays at the edge of the program: K is dim x dim by rows, u has dim entries, ordered [t1, t2, n] for dim 3 and
 * [t, n] for dim 2. CAROM_STATUS_BAD_SIZE, CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_MATRIX or CAROM_STATUS_IMMOVABLE
 * refuse it. */
CAROM_API CAROM_MUST_USE carom_status carom_problem_from_K(int dim, const double *K, const double *u,
                                                           carom_problem *problem);

/* The same for a problem that goes to carom_solve or carom_derivative_solve, which judge K themselves: finite and
 * symmetric are all that is looked at. */
CAROM_API CAROM_MUST_USE carom_status carom_problem_load(int dim, const double *K, const double *u,
                                                         carom_problem *problem);

/* The same from M = K^-1, which must be positive definite. */
CAROM_API CAROM_MUST_USE carom_status carom_problem_from_M(int dim, const double *M, const double *u,
                                                           carom_problem *problem);

/* What carom_solve requires of a problem: finite, symmetric positive semi-definite to rounding, K.nn > 0. */
CAROM_API CAROM_MUST_USE carom_status carom_problem_check(const carom_problem *problem);

/* A direction c t1 + s t2 in the tangent plane. */
typedef struct carom_direction {
    double c, s;
} carom_direction;

/* If K couples only one tangent direction with n, and u lies in that plane, the problem is planar: *plane is that
 * direction, pointing along +t1 (or along +t2 when it has no part along t1), and the answer CAROM_STATUS_OK. Otherwise
 * CAROM_STATUS_NOT_PLANAR. Judged to rounding (64 eps against the diagonal of K). */
CAROM_API CAROM_MUST_USE carom_status carom_problem_plane(const carom_problem *problem, carom_direction *plane);

/* The same problem seen from tangents turned by the direction d: new t1 = d. */
CAROM_API carom_problem carom_problem_turned(const carom_problem *problem, carom_direction d);

/* Half of u K^+ u: the kinetic energy that impulses at this contact can reach. Never more than the energy of the
 * bodies. */
CAROM_API double carom_problem_energy(const carom_problem *problem);

CAROM_END

#endif

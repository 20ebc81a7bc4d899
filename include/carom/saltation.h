/* Carom: the saltation matrix, how a whole trajectory changes through an impact.
 *
 * A trajectory in state x = (q, qdot) meets the surface g(q) = 0, where J_n = dg/dq, and its speeds jump by M^-1 J^T p.
 * A neighbour meets the surface a little earlier or later, with other M, J and speeds. To first order
 *
 *     change of the state after = Xi times the change of the state before,   both at the same time,
 *
 * which is what multiplies the derivatives of a flow with impacts: shooting, sensitivity, Lyapunov exponents, learning.
 * The first n rows and columns of Xi (2n x 2n by rows) are positions, the others speeds. */
#ifndef CAROM_SALTATION_H
#define CAROM_SALTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/body.h"
#include "carom/derivative.h"
#include "carom/export.h"
#include "carom/generalized.h"
#include "carom/law.h"
#include "carom/status.h"

CAROM_BEGIN

/* What is said about a saltation matrix besides its entries. */
typedef struct carom_saltation {
    carom_status status;
    bool nonsmooth; /* the impact lies on a border between two branches of the law */
    bool grazing;   /* u_n is small against the velocity: Xi has entries that grow like 1/u_n */
    carom_outcome outcome;
    double room[8];
} carom_saltation;

/* How a mechanism and its contact change with q, and its accelerations. The caller owns all arrays. */
typedef struct carom_mechanism_variation {
    const double *M_q;          /* n matrices n x n by rows: dM/dq_k; null: M is constant */
    const double *J_q;          /* n matrices dim x n by rows: dJ/dq_k; null: J is constant */
    const double *qddot_before; /* n: just before the impact, and just after; null: zero */
    const double *qddot_after;
} carom_mechanism_variation;

/* Doubles of workspace for n generalized coordinates. */
#define CAROM_SALTATION_WORK(n) (3 * (size_t)(n) * (size_t)(n) + 16 * (size_t)(n))

/* The saltation matrix of a mechanism, whose workspace is as carom_generalized_reduce left it. matrix has (2n)^2
 * entries and is zero when the status refuses: see carom_derivative_solve, and CAROM_STATUS_NO_DERIVATIVE at u_n >=
 * 0, where the trajectory does not cross the surface. */
CAROM_API CAROM_MUST_USE carom_status carom_saltation_mechanism(const carom_generalized *mechanism,
                                                                const carom_mechanism_variation *variation,
                                                                const carom_rule *rule, double *work, double *matrix,
                                                                carom_saltation *saltation);

/* The curvature of a surface in the tangent plane of the contact, along t1 and t2: 1/R for a sphere, 0 for a plane. */
typedef struct carom_curvature {
    double t11, t12, t22;
} carom_curvature;

enum { CAROM_BODIES_COORDINATES = 12 };

/* The saltation matrix of two free bodies, 24 x 24: positions and small rotations of A, then of B, in world axes; then
 * velocities and angular velocities likewise. Between impacts the bodies move freely in this gravity (an acceleration).
 * The contact moves along both surfaces: their curvatures must not vanish together in any direction
 * (CAROM_STATUS_NO_DERIVATIVE), for then there is no single contact. A planar contact has its curvatures along t1
 * alone, and entries of coordinates that leave the plane mean nothing. */
CAROM_API CAROM_MUST_USE carom_status carom_saltation_bodies(const carom_contact *contact, const carom_body *a,
                                                             const carom_body *b, const carom_curvature curvature[2],
                                                             carom_vec3 gravity, const carom_rule *rule, double *matrix,
                                                             carom_saltation *saltation);

CAROM_END

#endif

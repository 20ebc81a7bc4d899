/* Carom: two rigid bodies that touch at a point.
 *
 *     carom_body_def def = carom_body_def_default();      describe a body,
 *     carom_body_init(&def, &a);                          check it and prepare it once,
 *     carom_contact_init(arm_a, arm_b, normal, &contact); the same for the contact,
 *     carom_bodies_reduce(&a, &b, &contact, &problem);    two bodies become (K, u),
 *     carom_solve(&problem, &rule, NULL, &out);
 *     carom_bodies_apply(&contact, out.p, &a, &b);        and the impulse moves the bodies.
 */
#ifndef CAROM_BODY_H
#define CAROM_BODY_H

#include <stdbool.h>

#include "carom/export.h"
#include "carom/problem.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

/* What a person knows about a body. Inertia is about the centre of mass, in body axes; for three principal values fill
 * the diagonal. */
typedef struct carom_body_def {
    double mass;            /* kg, > 0 */
    carom_sym3 inertia;     /* kg m^2, positive definite */
    carom_quat orientation; /* body to world */
    carom_vec3 position;    /* of the centre of mass */
    carom_vec3 velocity;    /* of the centre of mass, world axes */
    carom_vec3 omega;       /* rad/s, world axes */
    bool fixed;             /* immovable: mass and inertia are ignored; it may still have a velocity */
    bool unphysical;        /* accept an inertia that breaks the triangle inequality, as no real body does */
} carom_body_def;

/* A body prepared for impacts, in world axes. Immovable bodies have zero inverses. */
typedef struct carom_body {
    double mass, inv_mass;
    carom_sym3 inertia, inv_inertia;
    carom_vec3 position, velocity, omega;
} carom_body;

/* Where and how two bodies touch. */
typedef struct carom_contact {
    carom_vec3 arm_a, arm_b; /* from each centre of mass to the contact point */
    carom_frame frame;       /* frame.n points from B to A */
    bool planar;             /* motion is confined to the plane of t1 and n */
} carom_contact;

/* Unit mass, unit inertia, at rest, movable. */
CAROM_API carom_body_def carom_body_def_default(void);

/* Check a description and prepare it. CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_MASS, CAROM_STATUS_BAD_INERTIA,
 * CAROM_STATUS_BAD_ORIENTATION. */
CAROM_API CAROM_MUST_USE carom_status carom_body_init(const carom_body_def *def, carom_body *body);

/* The same for a body that moves in the x, y plane and turns about z: only inertia.zz, orientation-free. */
CAROM_API CAROM_MUST_USE carom_status carom_body_init_planar(const carom_body_def *def, carom_body *body);

/* Does a distribution of mass with this inertia exist? Each principal moment is at most the sum of the others (to
 * 1e-6 of their sum). */
CAROM_API bool carom_inertia_is_physical(carom_sym3 inertia);

/* A right-handed frame with this normal. t1 is the world axis least aligned with n, made orthogonal to it. The normal
 * must have unit length to 1e-6 and is normalised; CAROM_STATUS_BAD_NORMAL otherwise. */
CAROM_API CAROM_MUST_USE carom_status carom_frame_init(carom_vec3 normal, carom_frame *frame);

/* The same with a given t1, which must be a unit vector orthogonal to the normal to 1e-6. CAROM_STATUS_BAD_TANGENT
 * otherwise.
 */
CAROM_API CAROM_MUST_USE carom_status carom_frame_init_t1(carom_vec3 normal, carom_vec3 t1, carom_frame *frame);

/* The frame of a planar contact: t1 = (n_y, -n_x), t2 = -z. */
CAROM_API CAROM_MUST_USE carom_status carom_frame_init_planar(double n_x, double n_y, carom_frame *frame);

/* A spatial contact with the frame of carom_frame_init. */
CAROM_API CAROM_MUST_USE carom_status carom_contact_init(carom_vec3 arm_a, carom_vec3 arm_b, carom_vec3 normal,
                                                         carom_contact *contact);

/* Two bodies become (K, u). CAROM_STATUS_IMMOVABLE when neither can move along the normal. */
CAROM_API CAROM_MUST_USE carom_status carom_bodies_reduce(const carom_body *a, const carom_body *b,
                                                          const carom_contact *contact, carom_problem *problem);

/* Add the impulse p to A and -p to B. */
CAROM_API void carom_bodies_apply(const carom_contact *contact, carom_cvec p, carom_body *a, carom_body *b);

/* Kinetic energy of a movable body; an immovable one counts zero. */
CAROM_API double carom_body_energy(const carom_body *body);

CAROM_END

#endif

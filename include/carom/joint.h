/* Carom: joints made of impulses, between free bodies.
 *
 * A joint is two pieces, each with 0 to 3 freedoms; any pair combines.
 *
 *     linear  0  point a stays on point b                       angular  0  A keeps its orientation against B
 *             1  point a stays on a line of B                            1  axis a stays along axis b
 *             2  point a stays on a plane of B                           2  axis a keeps its angle with axis b
 *             3  free                                                    3  free
 *
 *     ball 0+3, hinge 0+1, universal 0+2, weld 0+0, slider 1+0, cylinder 1+1, point on plane 2+3, ...
 *
 * Points and axes are given in the axes of their own body, from its centre of mass; line and plane pass through point b
 * and turn with B. What is not free is held by impulses, solved for all joints at once:
 *
 *     positions    G W G^T j = -d / dt,  moved by W G^T j dt, again until every joint is closed (Newton)
 *     velocities   G W G^T j = -G v,     exact in one solve
 *     impacts      K of the jointed bodies: an impulse reaches everything the joints reach, at once
 *
 * W is the inverse mass of the bodies. Joints that share a body are coupled; the matrix is stored within the envelope
 * that the order of the joints gives, so number them along the chain. Loops are welcome. A joint that repeats what
 * others already hold is refused: CAROM_STATUS_OVER_CONSTRAINED names it. */
#ifndef CAROM_JOINT_H
#define CAROM_JOINT_H

#include <stddef.h>

#include "carom/body.h"
#include "carom/export.h"
#include "carom/mechanism.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

/* A body of a linkage: what impacts need, and the orientation. */
typedef struct carom_member {
    carom_body body; /* world axes */
    carom_quat orientation;
    carom_sym3 inertia, inv_inertia; /* body axes */
    int first_joint;                 /* the first joint that holds it, or -1; set by carom_linkage_init */
} carom_member;

/* carom_body_init, and the rest. */
CAROM_API CAROM_MUST_USE carom_status carom_member_init(const carom_body_def *def, carom_member *member);

typedef struct carom_joint_def {
    int a, b;                    /* bodies, or CAROM_WORLD: immovable, with the axes of the world */
    int linear, angular;         /* freedoms, 0 to 3 */
    carom_vec3 point_a, point_b; /* body axes, from the centre of mass (the world: from its origin) */
    carom_vec3 direction;        /* linear 1: of the line; linear 2: normal of the plane; unit, axes of B */
    carom_vec3 axis_a, axis_b;   /* angular 1 and 2: unit, each in its own body's axes */
    double angle;                /* angular 2: kept between the axes, away from 0 and pi */
    carom_quat turn;             /* angular 0: the orientation of A seen from B */
} carom_joint_def;

/* A ball joint of body 0 with the world. */
CAROM_API carom_joint_def carom_joint_def_default(void);

/* Fill points, axes, angle and turn of def (whose a and b are set) from where the bodies are: a point and the two axes
 * in the world; direction becomes axis_b. */
CAROM_API void carom_joint_at(const carom_member *bodies, carom_vec3 point, carom_vec3 axis_a, carom_vec3 axis_b,
                              carom_joint_def *def);

/* A joint that has been checked. */
typedef struct carom_joint {
    carom_joint_def def;
    int row, rows;     /* where its equations begin, and how many it has */
    int first;         /* the first joint it shares a body with */
    carom_vec3 t1, t2; /* orthogonal to direction, axes of B */
    carom_vec3 s1, s2; /* orthogonal to axis_b, axes of B */
} carom_joint;

/* One equation: the wrench (f, ta) on A and (-f, -tb) on B that it can make. World axes. */
typedef struct carom_joint_row {
    carom_vec3 f, ta, tb;
    carom_vec3 wa, wb; /* inverse inertias times ta, tb */
    double error;      /* d: m, or rad */
    double rate;       /* velocity part of its second derivative */
    double j;          /* impulse or force */
    int first;         /* first column of its row in the envelope */
    size_t start;      /* where that is */
} carom_joint_row;

#define CAROM_JOINT_TOLERANCE   1e-10 /* m and rad: joints are closed to this */
#define CAROM_JOINT_OPENING     1e-6  /* m and rad: joints that begin further open are refused */
#define CAROM_LINKAGE_TOLERANCE 1e-9  /* error per step of the motion, against 1 + |y| */
enum { CAROM_JOINT_ITERATIONS = 50, CAROM_LINKAGE_STEPS = 1000000 };

/* Bodies and joints. Start from carom_linkage_default, set the first block, call init, then give rows and work. */
typedef struct carom_linkage {
    int body_count, joint_count;
    carom_member *bodies; /* the caller's, moved by the functions below */
    carom_joint *joints;  /* joint_count, filled by init */
    carom_vec3 gravity;
    /* Forces on body i besides gravity, and moments about its centre of mass, in world axes; null: none. */
    void (*load)(void *context, int i, const carom_member *body, carom_vec3 *force, carom_vec3 *moment);
    void *load_context;

    double tolerance;      /* of the joints */
    double step_tolerance; /* of the motion */
    int iteration_limit, step_limit;

    int row_count;         /* out: equations */
    size_t work_size;      /* out: doubles of work */
    carom_joint_row *rows; /* row_count */
    double *work;          /* work_size */

    double step;                        /* next step of the motion; zero: chosen */
    int culprit;                        /* out: the joint to blame, else -1 */
    int iterations;                     /* out: of the last correction */
    double linear_error, angular_error; /* out: largest of all joints after the last check or correction, m and rad */
} carom_linkage;

CAROM_API carom_linkage carom_linkage_default(void);

/* Check joint_count descriptions and prepare them. CAROM_STATUS_BAD_SIZE, CAROM_STATUS_BAD_JOINT,
 * CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_AXIS, CAROM_STATUS_BAD_ORIENTATION, CAROM_STATUS_JOINT_SINGULAR (an angle
 * of 0 or pi). */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_init(carom_linkage *linkage, const carom_joint_def *defs);

/* Are the joints closed to CAROM_JOINT_OPENING? CAROM_STATUS_JOINT_OPEN names the worst. Sets the errors. */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_check(carom_linkage *linkage);

/* Close every joint to the tolerance by correction impulses. CAROM_STATUS_ITERATION_LIMIT: the bodies are where the
 * last iteration left them, culprit is the worst joint. CAROM_STATUS_JOINT_SINGULAR, CAROM_STATUS_OVER_CONSTRAINED. */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_correct(carom_linkage *linkage);

/* Velocities that keep every joint closed: the least change of kinetic energy that does. */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_constrain(carom_linkage *linkage);

/* Move for a time >= 0 under gravity: forces of the joints from the equations of motion (Dormand-Prince 5(4),
 * adaptive), then positions and velocities corrected after every step. CAROM_STATUS_BAD_TIME, CAROM_STATUS_JOINT_OPEN,
 * CAROM_STATUS_STEP_LIMIT or any of the above. */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_advance(carom_linkage *linkage, double duration);

/* (K, u) of a contact of body a with body b (or CAROM_WORLD), joints and all. Directions in which the joints hold the
 * two together have exact zero rows in K: entries are judged against K of the bodies without joints, with the rounding
 * of arms and what the joints are open by. CAROM_STATUS_IMMOVABLE: nothing moves along the normal. */
CAROM_API CAROM_MUST_USE carom_status carom_linkage_reduce(carom_linkage *linkage, int a, int b,
                                                           const carom_contact *contact, carom_problem *problem);

/* Add the impulse p to the contact of the last reduce; every jointed body moves. Needs the work as reduce left it. */
CAROM_API void carom_linkage_apply(carom_linkage *linkage, carom_cvec p);

CAROM_API double carom_linkage_kinetic(const carom_linkage *linkage);
CAROM_API double carom_linkage_potential(const carom_linkage *linkage);

CAROM_END

#endif

/* Carom: mechanisms, trees of rigid links with joints, that hit the world, themselves or each other.
 *
 *     carom_link_def def[2] = {carom_link_def_default(), ...};          describe the links,
 *     carom_mechanism_init(def, 2, links, &mechanism);                  check them and prepare them once: the model,
 *     carom_motion m = {&mechanism, q, qdot, states, freedoms};         the state, all of it the caller's memory,
 *     carom_motion_place(&m);                                           after every change of q or qdot,
 *     carom_touch_init(&m, 1, tip, normal, &touch);                     link 1 touches the world,
 *     carom_touch_reduce(&touch, &problem);                             (K, u) in O(n),
 *     carom_solve(&problem, &rule, NULL, &out);
 *     carom_touch_apply(&touch, out.p);                                 all generalized speeds in O(n).
 *
 * A link's frame sits at its joint. The joint frame is placed in the parent's frame by origin and rotation; the joint
 * moves the link's frame away from it. Mass, centre of mass and inertia are given in the link's frame. Links are
 * numbered so that parents come first; the parent of a root is CAROM_WORLD.
 *
 * Coordinates q and speeds qdot are the joints' in the order of the links (joint_types.def says how many each has and
 * what they mean). qdot is the rate of q except for orientations: q holds a unit quaternion, link to parent, and qdot
 * the angular velocity relative to the parent along the axes of the link. */
#ifndef CAROM_MECHANISM_H
#define CAROM_MECHANISM_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/export.h"
#include "carom/problem.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

typedef enum carom_joint_type {
#define CAROM_JOINT_TYPE(name, word, coordinates, speeds, meaning) CAROM_JOINT_##name,
#include "carom/joint_types.def"
#undef CAROM_JOINT_TYPE
    CAROM_JOINT_TYPE_COUNT
} carom_joint_type;

/* "revolute" ..., the number of its coordinates and speeds, and one sentence. */
CAROM_API const char *carom_joint_type_word(carom_joint_type type);
CAROM_API int carom_joint_type_coordinates(carom_joint_type type);
CAROM_API int carom_joint_type_speeds(carom_joint_type type);
CAROM_API const char *carom_joint_type_meaning(carom_joint_type type);

/* ---- the model: const once it is prepared ---- */

/* What a person knows about a link and the joint that carries it. */
typedef struct carom_link_def {
    int parent; /* an earlier link, or CAROM_WORLD */
    carom_joint_type joint;
    carom_vec3 axis;     /* unit; revolute, prismatic: the axis; planar: the normal of the plane; in the joint frame */
    carom_vec3 origin;   /* of the joint frame, in the parent's frame */
    carom_quat rotation; /* of the joint frame, in the parent's frame */
    double mass;         /* kg, >= 0; a leaf must have some */
    carom_vec3 com;      /* centre of mass, in the link's frame */
    carom_sym3 inertia;  /* about the centre of mass, link axes; may be semi-definite (slender bars, point masses) */
} carom_link_def;

/* A link that has been checked. */
typedef struct carom_link {
    carom_link_def def; /* axis and rotation at unit length */
    int q_at, v_at;     /* where its coordinates and speeds begin */
    int nq, nv;         /* how many it has */
    carom_vec3 t1, t2;  /* planar: the directions of x and y, in the joint frame */
    carom_vec3 root[3]; /* inertia = sum of root root^T, in the link's frame */
    bool is_leaf;       /* no other link hangs on it */
} carom_link;

typedef struct carom_mechanism {
    int count;  /* links */
    int nq, nv; /* coordinates, generalized speeds */
    const carom_link *links;
    carom_vec3 gravity; /* m/s^2; zero after init */
    int culprit;        /* the link to blame when init refuses, else -1 */
} carom_mechanism;

/* Unit mass and inertia at the joint; revolute about z at the parent's origin; child of the world. */
CAROM_API carom_link_def carom_link_def_default(void);

/* Check count descriptions and prepare them in links, which must live as long as the mechanism. mechanism->culprit
 * names the link when it refuses: CAROM_STATUS_BAD_SIZE, CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_LINK,
 * CAROM_STATUS_BAD_JOINT, CAROM_STATUS_BAD_AXIS, CAROM_STATUS_BAD_ORIENTATION, CAROM_STATUS_BAD_MASS,
 * CAROM_STATUS_BAD_INERTIA, CAROM_STATUS_MASSLESS. */
CAROM_API CAROM_MUST_USE carom_status carom_mechanism_init(const carom_link_def *defs, int count, carom_link *links,
                                                           carom_mechanism *mechanism);

/* ---- the state ---- */

/* Angular velocity, and the velocity of a reference point. World axes. */
typedef struct carom_twist {
    carom_vec3 w, v;
} carom_twist;

/* Moment about a reference point, and force. World axes. */
typedef struct carom_wrench {
    carom_vec3 n, f;
} carom_wrench;

/* n = A w + B v, f = B^T w + M v: rigid or articulated inertia about a reference point. */
typedef struct carom_artic {
    carom_sym3 A;
    carom_vec3 B1, B2, B3; /* rows of B */
    carom_sym3 M;
} carom_artic;

enum { CAROM_ROOTS = 6 };

/* What carom_motion_place computes for each link, at the link's origin, world axes. */
typedef struct carom_link_state {
    carom_quat turn;                /* link to world */
    carom_vec3 origin;              /* of the link's frame, in the world */
    carom_vec3 offset;              /* from the parent's origin to this one */
    carom_vec3 arm;                 /* from the origin to the centre of mass */
    carom_sym3 inertia;             /* about the centre of mass */
    carom_twist velocity;           /* of the link, at its origin */
    carom_wrench root[CAROM_ROOTS]; /* what the parent feels of this link and all beyond it: I = sum of root root^T */
    double angular;      /* bounds of the inertia of it and all beyond, as if no joint gave way: kg m^2 ... */
    double linear;       /* ... and kg; rounding is measured against them */
    carom_artic scratch; /* composite inertia */
    carom_twist rate;    /* acceleration or change of velocity */
    carom_wrench load;   /* force or impulse */
} carom_link_state;

/* The same for each generalized speed. */
typedef struct carom_freedom {
    carom_twist S;  /* the motion it makes */
    carom_wrench U; /* articulated inertia times S */
    double D;       /* S U */
    double u;       /* force or impulse left for it */
} carom_freedom;

/* A mechanism in motion. The caller owns the arrays and may write q and qdot; then call carom_motion_place. */
typedef struct carom_motion {
    const carom_mechanism *mechanism;
    double *q;               /* mechanism->nq */
    double *qdot;            /* mechanism->nv */
    carom_link_state *links; /* mechanism->count */
    carom_freedom *freedoms; /* mechanism->nv */
    int culprit;             /* the link to blame when place refuses, else -1 */
} carom_motion;

/* All coordinates zero (orientations: identity), all speeds zero. */
CAROM_API void carom_motion_reset(carom_motion *motion);

/* Compute poses, velocities and articulated inertias from q and qdot, in O(n). Quaternions are normalised.
 * CAROM_STATUS_NOT_FINITE, CAROM_STATUS_BAD_ORIENTATION, CAROM_STATUS_MASSLESS; motion->culprit names the link. */
CAROM_API CAROM_MUST_USE carom_status carom_motion_place(carom_motion *motion);

/* The rest of this section reads what place has computed. */

/* A point of a link, given in the link's frame, in the world; and its velocity there. */
CAROM_API carom_vec3 carom_motion_point(const carom_motion *motion, int link, carom_vec3 point);
CAROM_API carom_vec3 carom_motion_velocity(const carom_motion *motion, int link, carom_vec3 point);

CAROM_API double carom_motion_kinetic(const carom_motion *motion);
CAROM_API double carom_motion_potential(const carom_motion *motion); /* in gravity, zero at the world's origin */

/* M: nv x nv by rows, symmetric (composite rigid bodies, O(n depth)). Uses the scratch of the links. */
CAROM_API void carom_motion_mass_matrix(carom_motion *motion, double *M);

/* h: the generalized forces that make qddot = 0: Coriolis, centrifugal and gravity (Newton-Euler, O(n)). */
CAROM_API void carom_motion_bias(carom_motion *motion, double *h);

/* qddot = M^-1 (tau - h) by articulated bodies, O(n). tau may be null. */
CAROM_API void carom_motion_accelerate(carom_motion *motion, const double *tau, double *qddot);

/* ---- contact ---- */

/* Link link_a of a touches the world, another of its links, or a link of a second mechanism. frame.n points to A. */
typedef struct carom_touch {
    carom_motion *a, *b; /* b null: the world */
    int link_a, link_b;  /* link_b is CAROM_WORLD when b is null */
    carom_vec3 point;    /* world */
    carom_frame frame;
} carom_touch;

/* Link link_a touches the world at a point given in the link's frame, with the frame of carom_frame_init. For another
 * link set touch->b and touch->link_b afterwards. CAROM_STATUS_BAD_LINK, CAROM_STATUS_NOT_FINITE,
 * CAROM_STATUS_BAD_NORMAL. */
CAROM_API CAROM_MUST_USE carom_status carom_touch_init(carom_motion *a, int link_a, carom_vec3 point, carom_vec3 normal,
                                                       carom_touch *touch);

/* (K, u) in O(n). K is a sum of squares over the freedoms between the contact and the world: positive semi-definite by
 * construction. Rounding is removed: where nothing moves along a contact axis, its row of K and its entry of u are
 * exactly zero. CAROM_STATUS_IMMOVABLE: nothing moves along the normal. */
CAROM_API CAROM_MUST_USE carom_status carom_touch_reduce(const carom_touch *touch, carom_problem *problem);

/* J: 3 x nv by rows t1, t2, n, with respect to the speeds of one of the two mechanisms: u = J_a qdot_a + J_b qdot_b
 * (one term when both are the same). */
CAROM_API void carom_touch_jacobian(const carom_touch *touch, const carom_motion *of, double *J);

/* The rows of the relative angular velocity, for contacts with a patch (carom/patch.h): 3 x nv by rows n, t1, t2. */
CAROM_API void carom_touch_spin_jacobian(const carom_touch *touch, const carom_motion *of, double *J);

/* The speeds of one of the two mechanisms once the impulse p has acted, without changing anything:
 * qdot + M^-1 J^T p, in O(n). With the impulse of an event (carom/path.h) these are the speeds there. */
CAROM_API void carom_touch_speeds(const carom_touch *touch, carom_cvec p, carom_motion *of, double *qdot);

/* Add the impulse p to A and -p to B: every generalized speed and link velocity changes at once, in O(n). */
CAROM_API void carom_touch_apply(const carom_touch *touch, carom_cvec p);

/* ---- smooth motion between impacts ---- */

#define CAROM_FLIGHT_TOLERANCE 1e-12 /* error per step, against 1 + |y|; the double pendulum drifts < 1e-9 J/(J s) */
enum { CAROM_FLIGHT_STEPS = 1000000 };

/* Doubles of workspace of a flight. */
#define CAROM_FLIGHT_WORK(nq, nv) (11 * ((size_t)(nq) + (size_t)(nv)))

/* A stretch of motion under gravity. Start from carom_flight_default and set until and work. */
typedef struct carom_flight {
    double time, until; /* time is moved forward to until; infinite: only an event ends it */
    double tolerance;
    double step;                                              /* the next step to try; zero: chosen */
    int step_limit;                                           /* steps, accepted or not */
    double (*gap)(void *context, const carom_motion *motion); /* may be null; an event is gap > 0 falling to 0 */
    void *context;
    bool hit;     /* out: the gap closed at time, before until */
    int steps;    /* out */
    double *work; /* CAROM_FLIGHT_WORK(nq, nv) */
} carom_flight;

CAROM_API carom_flight carom_flight_default(void);

/* Move until flight->until, or until the gap closes: there the flight stops with hit set and the gap within rounding
 * of zero. A flight that begins with the gap closed and closing further, or with a bounce too small for double
 * arithmetic, hits at once: time does not move. Dormand-Prince 5(4), adaptive; place has been called on return.
 * CAROM_STATUS_OK; CAROM_STATUS_BAD_TIME, until is before time or not a number, changes nothing;
 * CAROM_STATUS_STEP_LIMIT, or what place refuses with, leaves the last good state. */
CAROM_API CAROM_MUST_USE carom_status carom_motion_advance(carom_motion *motion, carom_flight *flight);

CAROM_END

#endif

/* What the files of a linkage share. */
#ifndef CAROM_MECHANISM_LINKAGE_H
#define CAROM_MECHANISM_LINKAGE_H

#include "carom/joint.h"
#include "core/rotate.h"
#include "mechanism/runge.h"
#include "mechanism/spatial.h"

enum { BODY_STATE = 13 }; /* position, orientation, velocity, omega */
enum { TWIST = 6 };       /* doubles in a carom_twist */

/* The body of a joint, or the world. */
static inline const carom_member *linkage_member(const carom_member *bodies, int index)
{
    static const carom_member world = {.orientation = {1, 0, 0, 0}};
    return index < 0 ? &world : &bodies[index];
}

/* Layout of work: envelope, two vectors of row_count, three twists and the states of the integrator for
 * each body. */
static inline double *linkage_factor(const carom_linkage *l)
{
    return l->work;
}

/* What follows the envelope: its size does not depend on where the rows have been laid. */
static inline size_t linkage_tail(const carom_linkage *l)
{
    return 2 * (size_t)l->row_count + (3 * TWIST + RUNGE_VECTORS * BODY_STATE) * (size_t)l->body_count;
}

static inline double *linkage_vector(const carom_linkage *l, int which)
{
    return l->work + (l->work_size - linkage_tail(l)) + (size_t)which * (size_t)l->row_count;
}

/* Three twists for each body: responses to a contact, or velocities set aside. */
static inline carom_twist *linkage_twists(const carom_linkage *l, int which)
{
    return (carom_twist *)(void *)linkage_vector(l, 2) + (size_t)which * (size_t)l->body_count;
}

/* RUNGE_VECTORS states. */
static inline double *linkage_flight(const carom_linkage *l)
{
    return linkage_vector(l, 2) + 3 * TWIST * (size_t)l->body_count;
}

/* Orientation to inertia in world axes. */
static inline void member_turned(carom_member *m)
{
    m->body.inertia = quat_turn_sym3(m->orientation, m->inertia);
    m->body.inv_inertia = quat_turn_sym3(m->orientation, m->inv_inertia);
}

/* The equations of one joint from where its bodies are and how they move. */
void carom_joint_fill(const carom_member *bodies, const carom_joint *joint, carom_joint_row *row);

/* How far open: m, rad. */
void carom_joint_errors(const carom_member *bodies, const carom_joint *joint, double *linear, double *angular);

/* Fill the rows and factor G W G^T. CAROM_STATUS_JOINT_SINGULAR or CAROM_STATUS_OVER_CONSTRAINED with the culprit. */
carom_status carom_linkage_factorise(carom_linkage *l);

/* Fill the rows only. */
void carom_linkage_fill(carom_linkage *l);

/* G v for row i. */
double carom_linkage_row_velocity(const carom_linkage *l, const carom_joint *joint, const carom_joint_row *row);

/* Solve G W G^T j = rhs (in vector 0) into rows[i].j. Returns j G W G^T j, the square of what j changes, in terms of
 * energy. */
double carom_linkage_solve(carom_linkage *l);

/* Joints that hold weakly make one solve inexact: eps over the smallest pivot. A repeated solve for what is left gains
 * as many digits again. True while it is worth repeating; count and change are about the solves so far. */
enum { LINKAGE_SOLVES = 8 };
bool carom_linkage_repeats(int count, const double change[LINKAGE_SOLVES]);

/* Add W G^T j to the velocities. */
void carom_linkage_push(carom_linkage *l);

/* (K, u) of a contact; needs the factors. Leaves the velocities V that unit impulses along t1, t2 and n make in
 * linkage_twists(l, 0 ... 2). */
carom_status carom_linkage_respond(carom_linkage *l, const int pair[2], const carom_contact *contact,
                                   carom_problem *problem);

/* The state of a member as BODY_STATE numbers, and back. */
void carom_member_save(const carom_member *m, double *y);
void carom_member_load(carom_member *m, const double *y);

/* Rates dy of the states y of all members, under gravity and the forces of the joints; context is the linkage, whose
 * members are left at y. */
carom_status carom_linkage_rate(void *context, const double *y, double *dy);

/* Adds to the velocities V, one for each body, those of the impulses of the joints which they cause, so that no joint
 * opens; needs the factors. */
void carom_linkage_hold(carom_linkage *l, carom_twist *V);

/* V W^-1 U: K of two such responses. */
double carom_linkage_inner(const carom_linkage *l, const carom_twist *V, const carom_twist *U);

#endif

/* From coordinates and speeds to poses, velocities and articulated inertias (Featherstone 2008, chapter 7).
 *
 * Going out:   turn, origin, S, velocity of every link
 * Coming in:   I = rigid + sum of the children's, then for each freedom of the joint, the last one first,
 *
 *     U = I S,   D = S U,   I <- I - U U^T / D                                         (1)
 *
 * with I kept as a sum of squares, see root.h. Freedoms are eliminated one by one, so a joint with six of them is no
 * different from six joints. */
#include "mechanism/place.h"

#include "carom/assert.h"
#include "core/dense.h"
#include "core/num.h"
#include "core/rotate.h"
#include "mechanism/root.h"

#define UNIT_TOL 1e-6 /* a quaternion in q this close to unit length is normalised */

/* Roots of inertia below this of the inertia that moves are what rounding leaves of zero. */
#define ROOT_TOL (64 * EPS)

static carom_quat quat_from(const double *q)
{
    carom_quat out = {q[0], q[1], q[2], q[3]};
    return out;
}

/* The quaternion of this link in q, or null. */
static double *quat_in(const carom_link *link, double *q)
{
    if (link->def.joint == CAROM_JOINT_SPHERICAL)
        return q + link->q_at;
    return link->def.joint == CAROM_JOINT_FREE ? q + link->q_at + 3 : NULL;
}

bool carom_motion_normalise(const carom_mechanism *mechanism, double *q)
{
    bool changed = false;
    for (int i = 0; i < mechanism->count; i++) {
        double *w = quat_in(&mechanism->links[i], q);
        double norm = w ? quat_norm(quat_from(w)) : 1;
        for (int k = 0; w && norm > 0 && k < 4; k++)
            w[k] /= norm;
        changed = changed || norm != 1;
    }
    return changed;
}

/* The displacement of the joint: where its frame carries the link's, seen from the joint frame. */
static void displace(const carom_link *link, const double *q, carom_vec3 *shift, carom_quat *turn)
{
    static const carom_quat identity = {1, 0, 0, 0};
    const double *x = q + link->q_at;
    *shift = vec_zero();
    *turn = identity;
    switch (link->def.joint) {
    case CAROM_JOINT_REVOLUTE:
        *turn = quat_about(link->def.axis, x[0]);
        break;
    case CAROM_JOINT_PRISMATIC:
        *shift = carom_vec3_scale(x[0], link->def.axis);
        break;
    case CAROM_JOINT_SPHERICAL:
        *turn = quat_from(x);
        break;
    case CAROM_JOINT_PLANAR:
        *shift = carom_vec3_add(carom_vec3_scale(x[0], link->t1), carom_vec3_scale(x[1], link->t2));
        *turn = quat_about(link->def.axis, x[2]);
        break;
    case CAROM_JOINT_FREE:
        *shift = carom_vec3_make(x[0], x[1], x[2]);
        *turn = quat_from(x + 3);
        break;
    default:
        break;
    }
}

static const carom_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* The motions of the joint. frame: joint frame to world; turn: link to world. */
static void motions(const carom_link *link, carom_quat frame, carom_quat turn, carom_freedom *freedom)
{
    carom_joint_type type = link->def.joint;
    carom_vec3 axis = quat_turn(frame, link->def.axis);
    for (int k = 0; k < link->nv; k++) {
        carom_twist S = twist_zero();
        if (type == CAROM_JOINT_PRISMATIC)
            S.v = axis;
        else if (type == CAROM_JOINT_PLANAR && k < 2)
            S.v = quat_turn(frame, k == 0 ? link->t1 : link->t2);
        else if (type == CAROM_JOINT_FREE && k < 3)
            S.v = quat_turn(frame, unit[k]);
        else if (type == CAROM_JOINT_SPHERICAL || type == CAROM_JOINT_FREE)
            S.w = quat_turn(turn, unit[k % 3]);
        else
            S.w = axis;
        freedom[k].S = S;
        freedom[k].u = 0;
    }
}

static void place_link(carom_motion *motion, int i)
{
    static const carom_link_state world = {.turn = {1, 0, 0, 0}};
    const carom_link *link = &motion->mechanism->links[i];
    const carom_link_state *parent = link->def.parent >= 0 ? &motion->links[link->def.parent] : &world;
    carom_link_state *self = &motion->links[i];
    carom_freedom *freedom = motion->freedoms + link->v_at;
    carom_vec3 shift;
    carom_quat turn, frame = quat_multiply(parent->turn, link->def.rotation);
    displace(link, motion->q, &shift, &turn);
    self->turn = quat_trimmed(quat_multiply(frame, turn));
    self->offset = carom_vec3_add(quat_turn(parent->turn, link->def.origin), quat_turn(frame, shift));
    self->origin = carom_vec3_add(parent->origin, self->offset);
    self->arm = quat_turn(self->turn, link->def.com);
    self->inertia = quat_turn_sym3(self->turn, link->def.inertia);
    carom_vec3 root[3];
    for (int k = 0; k < 3; k++)
        root[k] = quat_turn(self->turn, link->root[k]);
    carom_root_rigid(link->def.mass, self->arm, root, self->root);
    self->angular = sym3_trace(self->inertia) + 2 * link->def.mass * carom_vec3_dot(self->arm, self->arm);
    self->linear = 3 * link->def.mass;
    motions(link, frame, self->turn, freedom);
    self->velocity = twist_shift(parent->velocity, self->offset);
    for (int k = 0; k < link->nv; k++)
        self->velocity = twist_plus(self->velocity, motion->qdot[link->v_at + k], freedom[k].S);
}

/* The motion of freedom k while the freedoms released before it give way; D of (1) is its inertia. */
static carom_twist released_motion(const carom_freedom *freedom, int k, int count)
{
    carom_twist t = freedom[k].S;
    for (int j = k + 1; j < count; j++)
        t = twist_plus(t, -spatial_power(t, freedom[j].U) / freedom[j].D, freedom[j].S);
    return t;
}

/* The size of the terms that the inertia of the motion t is left from. */
static double inertia_size(const carom_link_state *self, carom_twist t)
{
    return carom_vec3_dot(t.w, t.w) * self->angular + carom_vec3_dot(t.v, t.v) * self->linear;
}

/* (1) for one joint; false when nothing resists a freedom. A joint that turns every way passes on no moment, and a free
 * one no force: there rounding is removed. */
static bool release(const carom_link *link, carom_link_state *self, carom_freedom *freedom)
{
    for (int k = link->nv - 1; k >= 0; k--) {
        root_release(self->root, &freedom[k]);
        double size = inertia_size(self, released_motion(freedom, k, link->nv));
        if (!(freedom[k].D > square(ROOT_TOL) * size))
            return false;
    }
    bool turns = link->def.joint == CAROM_JOINT_FREE || link->def.joint == CAROM_JOINT_SPHERICAL;
    for (int i = 0; i < CAROM_ROOTS && turns; i++) {
        self->root[i].n = vec_zero();
        if (link->def.joint == CAROM_JOINT_FREE)
            self->root[i].f = vec_zero();
    }
    return true;
}

/* One link on the way in: its joint gives way, and the parent takes what is left. */
static bool fold(const carom_mechanism *m, carom_link_state *states, carom_freedom *freedoms, int i)
{
    const carom_link *link = &m->links[i];
    carom_link_state *self = &states[i];
    if (!release(link, self, freedoms + link->v_at))
        return false;
    if (link->def.parent < 0)
        return true;
    carom_link_state *parent = &states[link->def.parent];
    carom_root_absorb(self->root, self->offset, parent->root);
    parent->angular += square(sqrt(self->angular) + carom_vec3_length(self->offset) * sqrt(self->linear));
    parent->linear += self->linear;
    return true;
}

carom_status carom_motion_compute(carom_motion *motion)
{
    const carom_mechanism *m = motion->mechanism;
    for (int i = 0; i < m->count; i++)
        place_link(motion, i);
    for (int i = m->count - 1; i >= 0; i--)
        if (!fold(m, motion->links, motion->freedoms, i)) {
            motion->culprit = i;
            return CAROM_STATUS_MASSLESS;
        }
    return CAROM_STATUS_OK;
}

static bool is_unit(const double *w)
{
    return !w || fabs(quat_norm(quat_from(w)) - 1) <= UNIT_TOL;
}

/* The link whose numbers are not numbers, or whose quaternion is not one. */
static carom_status check(const carom_motion *motion, int *culprit)
{
    const carom_mechanism *m = motion->mechanism;
    for (*culprit = 0; *culprit < m->count; ++*culprit) {
        const carom_link *link = &m->links[*culprit];
        if (!dense_finite(motion->q + link->q_at, (size_t)link->nq) ||
            !dense_finite(motion->qdot + link->v_at, (size_t)link->nv))
            return CAROM_STATUS_NOT_FINITE;
        if (!is_unit(quat_in(link, motion->q)))
            return CAROM_STATUS_BAD_ORIENTATION;
    }
    *culprit = -1;
    return CAROM_STATUS_OK;
}

carom_status carom_motion_place(carom_motion *motion)
{
    CAROM_ASSERT(motion && motion->mechanism && motion->links);
    carom_status status = check(motion, &motion->culprit);
    if (status)
        return status;
    carom_motion_normalise(motion->mechanism, motion->q);
    return carom_motion_compute(motion);
}

void carom_motion_reset(carom_motion *motion)
{
    CAROM_ASSERT(motion && motion->mechanism);
    const carom_mechanism *m = motion->mechanism;
    for (int i = 0; i < m->nq; i++)
        motion->q[i] = 0;
    for (int i = 0; i < m->nv; i++)
        motion->qdot[i] = 0;
    for (int i = 0; i < m->count; i++) {
        double *w = quat_in(&m->links[i], motion->q);
        if (w)
            w[0] = 1;
    }
}

carom_vec3 carom_motion_point(const carom_motion *motion, int link, carom_vec3 point)
{
    if (link == CAROM_WORLD)
        return point;
    const carom_link_state *s = &motion->links[link];
    return carom_vec3_add(s->origin, quat_turn(s->turn, point));
}

carom_vec3 carom_motion_velocity(const carom_motion *motion, int link, carom_vec3 point)
{
    if (link == CAROM_WORLD)
        return vec_zero();
    const carom_link_state *s = &motion->links[link];
    return twist_shift(s->velocity, quat_turn(s->turn, point)).v;
}

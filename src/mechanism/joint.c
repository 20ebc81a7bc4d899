/* Joints: their description, its check, and the layout of the equations of a linkage. */
#include "carom/joint.h"

#include "carom/assert.h"
#include "carom/elementary.h"
#include "mechanism/linkage.h"

#define UNIT_TOL  1e-6 /* axes and quaternions this close to unit length are normalised */
#define ANGLE_TOL 1e-6 /* sin(angle) below this: the axes are aligned, and nothing turns one against the other */

carom_status carom_member_init(const carom_body_def *def, carom_member *member)
{
    CAROM_ASSERT(def && member);
    static const carom_member nothing = {.orientation = {1, 0, 0, 0}};
    *member = nothing;
    carom_status status = carom_body_init(def, &member->body);
    double norm = quat_norm(def->orientation);
    if (status)
        return status;
    if (!(fabs(norm - 1) <= UNIT_TOL))
        return CAROM_STATUS_BAD_ORIENTATION;
    member->orientation = quat_scale(1 / norm, def->orientation);
    carom_quat back = quat_conjugate(member->orientation);
    member->inertia = quat_turn_sym3(back, member->body.inertia);
    member->inv_inertia = quat_turn_sym3(back, member->body.inv_inertia);
    return CAROM_STATUS_OK;
}

carom_joint_def carom_joint_def_default(void)
{
    carom_joint_def def = {.a = 0, .b = CAROM_WORLD, .linear = 0, .angular = 3};
    def.direction = def.axis_a = def.axis_b = carom_vec3_make(0, 0, 1);
    def.angle = 1.5707963267948966; /* a universal joint */
    def.turn.w = 1;
    return def;
}

/* A world vector in the axes of a body. */
static carom_vec3 into(const carom_member *m, carom_vec3 v)
{
    return quat_turn(quat_conjugate(m->orientation), v);
}

void carom_joint_at(const carom_member *bodies, carom_vec3 point, carom_vec3 axis_a, carom_vec3 axis_b,
                    carom_joint_def *def)
{
    CAROM_ASSERT(bodies && def);
    const carom_member *A = linkage_member(bodies, def->a), *B = linkage_member(bodies, def->b);
    def->point_a = into(A, carom_vec3_sub(point, A->body.position));
    def->point_b = into(B, carom_vec3_sub(point, B->body.position));
    def->axis_a = into(A, axis_a);
    def->axis_b = def->direction = into(B, axis_b);
    def->angle = carom_atan2(carom_vec3_length(carom_vec3_cross(axis_a, axis_b)), carom_vec3_dot(axis_a, axis_b));
    def->turn = quat_multiply(quat_conjugate(B->orientation), A->orientation);
}

carom_linkage carom_linkage_default(void)
{
    carom_linkage l = {.tolerance = CAROM_JOINT_TOLERANCE,
                       .step_tolerance = CAROM_LINKAGE_TOLERANCE,
                       .iteration_limit = CAROM_JOINT_ITERATIONS,
                       .step_limit = CAROM_LINKAGE_STEPS,
                       .culprit = -1};
    return l;
}

static bool is_finite(const carom_joint_def *d)
{
    const carom_vec3 *v[5] = {&d->point_a, &d->point_b, &d->direction, &d->axis_a, &d->axis_b};
    double sum = 0 * d->angle + 0 * quat_norm(d->turn);
    for (int i = 0; i < 5; i++)
        sum += 0 * v[i]->x + 0 * v[i]->y + 0 * v[i]->z;
    return sum == 0;
}

/* An axis at unit length and two directions orthogonal to it. */
static carom_status prepare_axis(carom_vec3 *axis, carom_vec3 *first, carom_vec3 *second)
{
    double length = carom_vec3_length(*axis);
    carom_frame frame;
    if (!(fabs(length - 1) <= UNIT_TOL))
        return CAROM_STATUS_BAD_AXIS;
    *axis = carom_vec3_scale(1 / length, *axis);
    carom_status status = carom_frame_init(*axis, &frame);
    *first = frame.t1;
    *second = frame.t2;
    return status;
}

static carom_status prepare_axes(carom_joint *j)
{
    carom_joint_def *d = &j->def;
    carom_vec3 unused_1, unused_2;
    carom_status status = CAROM_STATUS_OK;
    if (d->linear == 1 || d->linear == 2)
        status = prepare_axis(&d->direction, &j->t1, &j->t2);
    if (!status && (d->angular == 1 || d->angular == 2))
        status = prepare_axis(&d->axis_b, &j->s1, &j->s2);
    if (!status && (d->angular == 1 || d->angular == 2))
        status = prepare_axis(&d->axis_a, &unused_1, &unused_2);
    if (!status && d->angular == 2 && !(fabs(carom_sin(d->angle)) > ANGLE_TOL))
        status = CAROM_STATUS_JOINT_SINGULAR;
    return status;
}

static bool is_body(const carom_linkage *l, int index)
{
    return index >= CAROM_WORLD && index < l->body_count;
}

static carom_status prepare(const carom_linkage *l, const carom_joint_def *def, carom_joint *joint)
{
    static const carom_joint nothing;
    *joint = nothing;
    joint->def = *def;
    bool counts = def->linear >= 0 && def->linear <= 3 && def->angular >= 0 && def->angular <= 3;
    if (!is_body(l, def->a) || !is_body(l, def->b) || def->a == def->b || !counts)
        return CAROM_STATUS_BAD_JOINT;
    if (!is_finite(def))
        return CAROM_STATUS_NOT_FINITE;
    double norm = quat_norm(def->turn);
    if (def->angular == 0 && !(fabs(norm - 1) <= UNIT_TOL))
        return CAROM_STATUS_BAD_ORIENTATION;
    if (def->angular == 0)
        joint->def.turn = quat_scale(1 / norm, def->turn);
    joint->rows = 6 - def->linear - def->angular;
    return prepare_axes(joint);
}

/* The first joint that holds a body, joint j included. */
static int first_joint(carom_linkage *l, int body, int j)
{
    if (body < 0)
        return j;
    carom_member *m = &l->bodies[body];
    if (m->first_joint < 0)
        m->first_joint = j;
    return m->first_joint;
}

/* The first joint that joint j shares a body with: the envelope of its rows begins there. */
static int first_coupled(carom_linkage *l, int j)
{
    int a = first_joint(l, l->joints[j].def.a, j), b = first_joint(l, l->joints[j].def.b, j);
    return a < b ? a : b;
}

carom_status carom_linkage_init(carom_linkage *l, const carom_joint_def *defs)
{
    CAROM_ASSERT(l && defs && l->joints && l->bodies);
    l->row_count = 0;
    l->culprit = -1;
    if (l->joint_count < 0 || l->body_count < 1)
        return CAROM_STATUS_BAD_SIZE;
    size_t envelope = 0;
    for (int i = 0; i < l->body_count; i++)
        l->bodies[i].first_joint = -1;
    for (int j = 0; j < l->joint_count; j++) {
        carom_joint *joint = &l->joints[j];
        carom_status status = prepare(l, &defs[j], joint);
        if (status) {
            l->culprit = j;
            return status;
        }
        joint->row = l->row_count;
        joint->first = first_coupled(l, j);
        for (int k = 0; k < joint->rows; k++)
            envelope += (size_t)(joint->row + k - l->joints[joint->first].row + 1);
        l->row_count += joint->rows;
    }
    l->work_size = envelope + linkage_tail(l);
    return CAROM_STATUS_OK;
}

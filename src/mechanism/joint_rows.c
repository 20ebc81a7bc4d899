/* The equations of one joint.
 *
 * Linear   c = t (p_A - p_B),   t fixed in B (linear 0: in the world)
 *          c'  = t (v_A + w_A x r_A - v_B - w_B x rho),   rho = p_A - x_B                                    (1)
 *          c'' = t (accelerations of the two points - 2 w_B x (relative velocity))                           (2)
 * Angular  c = a t,   a fixed in A, t in B
 *          c'  = (w_A - w_B) (a x t)                                                                         (3)
 *          c'' = (alpha_A - alpha_B) (a x t) + (w_A - w_B) ((w_A x a) x t + a x (w_B x t))                   (4)
 *
 * angular 1: t = s1, s2 orthogonal to axis b; angular 2: t = axis b / sin(angle), so that c counts radians; angular 0:
 * the rotation vector that is missing, along world axes. In (1) the arm on B reaches to p_A, not to p_B: a force that
 * holds a point on a line acts where the point is. */
#include "carom/elementary.h"
#include "core/num.h"
#include "mechanism/linkage.h"

static const carom_vec3 world_axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Everything about a joint in world axes. */
typedef struct pose {
    const carom_member *A, *B;
    carom_vec3 r_a, r_b, rho; /* arms to point a, to point b, and from B to point a */
    carom_vec3 d;             /* point a - point b */
} pose;

static pose pose_of(const carom_member *bodies, const carom_joint *joint)
{
    pose p = {linkage_member(bodies, joint->def.a),
              linkage_member(bodies, joint->def.b),
              {0, 0, 0},
              {0, 0, 0},
              {0, 0, 0},
              {0, 0, 0}};
    p.r_a = quat_turn(p.A->orientation, joint->def.point_a);
    p.r_b = quat_turn(p.B->orientation, joint->def.point_b);
    p.rho = carom_vec3_add(carom_vec3_sub(p.A->body.position, p.B->body.position), p.r_a);
    p.d = carom_vec3_sub(p.rho, p.r_b);
    return p;
}

static carom_vec3 double_cross(carom_vec3 w, carom_vec3 r)
{
    return carom_vec3_cross(w, carom_vec3_cross(w, r));
}

/* (1), (2) along t; reach is the arm on B. */
static void linear_row(const pose *p, carom_vec3 t, carom_vec3 reach, bool moves, carom_joint_row *row)
{
    const carom_body *A = &p->A->body, *B = &p->B->body;
    carom_vec3 v_a = carom_vec3_add(A->velocity, carom_vec3_cross(A->omega, p->r_a));
    carom_vec3 v_b = carom_vec3_add(B->velocity, carom_vec3_cross(B->omega, reach));
    carom_vec3 turning = carom_vec3_cross(B->omega, carom_vec3_sub(v_a, v_b));
    carom_vec3 rate = carom_vec3_sub(double_cross(A->omega, p->r_a), double_cross(B->omega, reach));
    row->f = t;
    row->ta = carom_vec3_cross(p->r_a, t);
    row->tb = carom_vec3_cross(reach, t);
    row->error = carom_vec3_dot(t, p->d);
    row->rate = carom_vec3_dot(t, moves ? vec_plus(rate, -2, turning) : rate);
}

static int fill_linear(const pose *p, const carom_joint *joint, carom_joint_row *row)
{
    carom_quat turn = p->B->orientation;
    if (joint->def.linear == 0)
        for (int i = 0; i < 3; i++)
            linear_row(p, world_axis[i], p->r_b, false, &row[i]);
    if (joint->def.linear == 1) {
        linear_row(p, quat_turn(turn, joint->t1), p->rho, true, &row[0]);
        linear_row(p, quat_turn(turn, joint->t2), p->rho, true, &row[1]);
    }
    if (joint->def.linear == 2)
        linear_row(p, quat_turn(turn, joint->def.direction), p->rho, true, &row[0]);
    return 3 - joint->def.linear;
}

static void torque_row(carom_vec3 axis, double error, double rate, carom_joint_row *row)
{
    row->f = vec_zero();
    row->ta = row->tb = axis;
    row->error = error;
    row->rate = rate;
}

/* (3), (4); c = a t - target. */
static void angular_row(const pose *p, carom_vec3 a, carom_vec3 t, double target, carom_joint_row *row)
{
    carom_vec3 w_a = p->A->body.omega, w_b = p->B->body.omega;
    carom_vec3 turned = carom_vec3_cross(carom_vec3_cross(w_a, a), t);
    carom_vec3 other = carom_vec3_cross(a, carom_vec3_cross(w_b, t));
    double rate = carom_vec3_dot(carom_vec3_sub(w_a, w_b), carom_vec3_add(turned, other));
    torque_row(carom_vec3_cross(a, t), carom_vec3_dot(a, t) - target, rate, row);
}

/* The rotation vector from where A should be, seen from B, to where it is. */
static carom_vec3 misturn(const pose *p, const carom_joint *joint)
{
    carom_quat should = quat_multiply(p->B->orientation, joint->def.turn);
    carom_quat e = quat_multiply(p->A->orientation, quat_conjugate(should));
    carom_vec3 v = {e.x, e.y, e.z};
    double s = carom_vec3_length(v), angle = 2 * carom_atan2(s, fabs(e.w)), sign = e.w < 0 ? -1 : 1;
    return carom_vec3_scale(s > 0 ? sign * angle / s : 2 * sign, v);
}

static int fill_angular(const pose *p, const carom_joint *joint, carom_joint_row *row)
{
    carom_vec3 a = quat_turn(p->A->orientation, joint->def.axis_a);
    carom_quat turn = p->B->orientation;
    if (joint->def.angular == 0) {
        carom_vec3 e = misturn(p, joint);
        torque_row(world_axis[0], e.x, 0, &row[0]);
        torque_row(world_axis[1], e.y, 0, &row[1]);
        torque_row(world_axis[2], e.z, 0, &row[2]);
    }
    if (joint->def.angular == 1) {
        angular_row(p, a, quat_turn(turn, joint->s1), 0, &row[0]);
        angular_row(p, a, quat_turn(turn, joint->s2), 0, &row[1]);
    }
    if (joint->def.angular == 2) {
        double s = 1 / carom_sin(joint->def.angle);
        carom_vec3 b = quat_turn(turn, joint->def.axis_b);
        angular_row(p, a, carom_vec3_scale(s, b), s * carom_cos(joint->def.angle), &row[0]);
    }
    return 3 - joint->def.angular;
}

void carom_joint_fill(const carom_member *bodies, const carom_joint *joint, carom_joint_row *row)
{
    pose p = pose_of(bodies, joint);
    int count = fill_linear(&p, joint, row);
    count += fill_angular(&p, joint, row + count);
    for (int i = 0; i < count; i++) {
        row[i].wa = carom_sym3_apply(p.A->body.inv_inertia, row[i].ta);
        row[i].wb = carom_sym3_apply(p.B->body.inv_inertia, row[i].tb);
    }
}

static double angle_between(carom_vec3 a, carom_vec3 b)
{
    return carom_atan2(carom_vec3_length(carom_vec3_cross(a, b)), carom_vec3_dot(a, b));
}

static double angular_error(const pose *p, const carom_joint *joint)
{
    carom_vec3 a = quat_turn(p->A->orientation, joint->def.axis_a), b = quat_turn(p->B->orientation, joint->def.axis_b);
    if (joint->def.angular == 0)
        return carom_vec3_length(misturn(p, joint));
    if (joint->def.angular == 1)
        return angle_between(a, b);
    return joint->def.angular == 2 ? fabs(angle_between(a, b) - joint->def.angle) : 0;
}

void carom_joint_errors(const carom_member *bodies, const carom_joint *joint, double *linear, double *angular)
{
    pose p = pose_of(bodies, joint);
    carom_vec3 along = quat_turn(p.B->orientation, joint->def.direction);
    double length = carom_vec3_length(p.d);
    if (joint->def.linear == 1)
        length = carom_vec3_length(carom_vec3_cross(p.d, along));
    if (joint->def.linear == 2)
        length = fabs(carom_vec3_dot(p.d, along));
    *linear = joint->def.linear == 3 ? 0 : length;
    *angular = angular_error(&p, joint);
}

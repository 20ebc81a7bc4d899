/* A linkage: its joints solved together, for positions and for velocities. */
#include "mechanism/linkage.h"

#include "carom/assert.h"
#include "core/num.h"
#include "core/rotate.h"
#include "mechanism/envelope.h"

#define GAIN         0.01 /* of the square of a change: the next solve must gain a digit */
#define LARGEST_TURN 0.5  /* rad: a correction turns a body by no more than this at once */

double carom_linkage_row_velocity(const carom_linkage *l, const carom_joint *joint, const carom_joint_row *row)
{
    const carom_body *A = &linkage_member(l->bodies, joint->def.a)->body;
    const carom_body *B = &linkage_member(l->bodies, joint->def.b)->body;
    return carom_vec3_dot(row->f, carom_vec3_sub(A->velocity, B->velocity)) + carom_vec3_dot(row->ta, A->omega) -
           carom_vec3_dot(row->tb, B->omega);
}

double carom_linkage_solve(carom_linkage *l)
{
    double *y = linkage_vector(l, 0), sum = 0;
    carom_envelope_forward(l->row_count, l->rows, linkage_factor(l), y);
    for (int i = 0; i < l->row_count; i++)
        sum += square(y[i]);
    carom_envelope_backward(l->row_count, l->rows, linkage_factor(l), y);
    for (int i = 0; i < l->row_count; i++)
        l->rows[i].j = y[i];
    return sum;
}

/* At least twice; then until a solve changes no digit, or no less than the one before. */
bool carom_linkage_repeats(int count, const double change[LINKAGE_SOLVES])
{
    if (count < 2)
        return true;
    double last = change[count - 1];
    return count < LINKAGE_SOLVES && last > square(EPS) * change[0] && last < GAIN * change[count - 2];
}

void carom_linkage_push(carom_linkage *l)
{
    for (int j = 0; j < l->joint_count; j++) {
        const carom_joint *p = &l->joints[j];
        for (int i = p->row; i < p->row + p->rows; i++) {
            const carom_joint_row *row = &l->rows[i];
            if (p->def.a >= 0) {
                carom_body *A = &l->bodies[p->def.a].body;
                A->velocity = vec_plus(A->velocity, row->j * A->inv_mass, row->f);
                A->omega = vec_plus(A->omega, row->j, row->wa);
            }
            if (p->def.b >= 0) {
                carom_body *B = &l->bodies[p->def.b].body;
                B->velocity = vec_plus(B->velocity, -row->j * B->inv_mass, row->f);
                B->omega = vec_plus(B->omega, -row->j, row->wb);
            }
        }
    }
}

/* The errors of all joints; culprit becomes the worst. */
static void measure(carom_linkage *l)
{
    double worst = -1;
    l->linear_error = l->angular_error = 0;
    for (int j = 0; j < l->joint_count; j++) {
        double linear, angular;
        carom_joint_errors(l->bodies, &l->joints[j], &linear, &angular);
        l->linear_error = fmax(l->linear_error, linear);
        l->angular_error = fmax(l->angular_error, angular);
        if (fmax(linear, angular) > worst) {
            worst = fmax(linear, angular);
            l->culprit = j;
        }
    }
}

static bool is_closed(const carom_linkage *l, double tolerance)
{
    return l->linear_error <= tolerance && l->angular_error <= tolerance;
}

carom_status carom_linkage_check(carom_linkage *l)
{
    CAROM_ASSERT(l);
    measure(l);
    if (!is_closed(l, CAROM_JOINT_OPENING))
        return CAROM_STATUS_JOINT_OPEN;
    l->culprit = -1;
    return CAROM_STATUS_OK;
}

/* Move every body along the velocity that its joints' impulses gave it, for a unit of time; then give back the real
 * velocity, kept in saved. */
static void displace(carom_member *m, const carom_twist *saved)
{
    carom_vec3 turn = carom_vec3_sub(m->body.omega, saved->w);
    double angle = carom_vec3_length(turn), most = fmin(angle, LARGEST_TURN);
    m->body.position = carom_vec3_add(m->body.position, carom_vec3_sub(m->body.velocity, saved->v));
    if (angle > 0)
        m->orientation = quat_multiply(quat_about(carom_vec3_scale(1 / angle, turn), most), m->orientation);
    m->orientation = quat_scale(1 / quat_norm(m->orientation), m->orientation);
    m->body.velocity = saved->v;
    m->body.omega = saved->w;
    member_turned(m);
}

/* One correction: G W G^T j = -d, positions moved by W G^T j. */
static carom_status correct_once(carom_linkage *l)
{
    carom_status status = carom_linkage_factorise(l);
    if (status)
        return status;
    carom_twist *saved = linkage_twists(l, 0);
    double *rhs = linkage_vector(l, 0);
    for (int i = 0; i < l->row_count; i++)
        rhs[i] = -l->rows[i].error;
    for (int i = 0; i < l->body_count; i++) {
        saved[i].w = l->bodies[i].body.omega;
        saved[i].v = l->bodies[i].body.velocity;
    }
    carom_linkage_solve(l);
    carom_linkage_push(l);
    for (int i = 0; i < l->body_count; i++)
        displace(&l->bodies[i], &saved[i]);
    return CAROM_STATUS_OK;
}

carom_status carom_linkage_correct(carom_linkage *l)
{
    CAROM_ASSERT(l && l->work && l->rows);
    for (l->iterations = 0; l->iterations <= l->iteration_limit; l->iterations++) {
        measure(l);
        if (is_closed(l, l->tolerance)) {
            l->culprit = -1;
            return CAROM_STATUS_OK;
        }
        carom_status status = l->iterations < l->iteration_limit ? correct_once(l) : CAROM_STATUS_ITERATION_LIMIT;
        if (status)
            return status;
    }
    return CAROM_STATUS_ITERATION_LIMIT;
}

carom_status carom_linkage_constrain(carom_linkage *l)
{
    CAROM_ASSERT(l && l->work && l->rows);
    carom_status status = carom_linkage_factorise(l);
    double change[LINKAGE_SOLVES];
    for (int count = 0; !status && carom_linkage_repeats(count, change); count++) {
        double *rhs = linkage_vector(l, 0);
        for (int j = 0; j < l->joint_count; j++)
            for (int i = l->joints[j].row; i < l->joints[j].row + l->joints[j].rows; i++)
                rhs[i] = -carom_linkage_row_velocity(l, &l->joints[j], &l->rows[i]);
        change[count] = carom_linkage_solve(l);
        carom_linkage_push(l);
    }
    return status;
}

double carom_linkage_kinetic(const carom_linkage *l)
{
    double sum = 0;
    for (int i = 0; i < l->body_count; i++)
        sum += carom_body_energy(&l->bodies[i].body);
    return sum;
}

double carom_linkage_potential(const carom_linkage *l)
{
    double sum = 0;
    for (int i = 0; i < l->body_count; i++)
        sum -= l->bodies[i].body.mass * carom_vec3_dot(l->gravity, l->bodies[i].body.position);
    return sum;
}

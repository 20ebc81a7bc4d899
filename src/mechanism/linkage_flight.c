/* Smooth motion of a linkage under gravity.
 *
 *     v' = W (f + G^T j),   G W G^T j = -(G W f + velocity part of c'')                    (1)
 *
 * is an ordinary differential equation, integrated with high order; what its solution loses of the joints within a step
 * is put back by the corrections, first of positions, then of velocities. */
#include "carom/assert.h"
#include "core/num.h"
#include "mechanism/linkage.h"
#include "mechanism/runge.h"

#define STEP_TOL 1e-13 /* of the duration: shorter steps are rounding */
enum { FORCE_PASSES = 2 };

void carom_member_save(const carom_member *m, double *y)
{
    const carom_body *b = &m->body;
    const double state[BODY_STATE] = {b->position.x,    b->position.y,    b->position.z,    m->orientation.w,
                                      m->orientation.x, m->orientation.y, m->orientation.z, b->velocity.x,
                                      b->velocity.y,    b->velocity.z,    b->omega.x,       b->omega.y,
                                      b->omega.z};
    for (int i = 0; i < BODY_STATE; i++)
        y[i] = state[i];
}

void carom_member_load(carom_member *m, const double *y)
{
    carom_quat turn = {y[3], y[4], y[5], y[6]};
    m->body.position = carom_vec3_make(y[0], y[1], y[2]);
    m->orientation = quat_scale(1 / quat_norm(turn), turn);
    m->body.velocity = carom_vec3_make(y[7], y[8], y[9]);
    m->body.omega = carom_vec3_make(y[10], y[11], y[12]);
    member_turned(m);
}

/* The acceleration of a body without joints: gravity and loads, and w' = -I^-1 (w x I w). */
static carom_twist free_rate(const carom_linkage *l, int i)
{
    const carom_body *b = &l->bodies[i].body;
    carom_twist rate = twist_zero();
    if (b->inv_mass == 0)
        return rate;
    carom_vec3 w = b->omega, spin = carom_vec3_cross(carom_sym3_apply(b->inertia, w), w);
    rate.v = l->gravity;
    if (l->load) {
        carom_vec3 F = {0, 0, 0}, M = F;
        l->load(l->load_context, i, &l->bodies[i], &F, &M);
        rate.v = carom_vec3_add(rate.v, carom_vec3_scale(b->inv_mass, F));
        spin = carom_vec3_add(spin, M);
    }
    rate.w = carom_sym3_apply(b->inv_inertia, spin);
    return rate;
}

/* The rate of one body without its joints. */
static void rate_without_joints(const carom_linkage *l, int body, const double *y, double *dy)
{
    const carom_member *m = &l->bodies[body];
    carom_twist rate = free_rate(l, body);
    carom_vec3 v = m->body.velocity, w = m->body.omega;
    carom_quat turn = {y[3], y[4], y[5], y[6]}, spin = {0, w.x, w.y, w.z};
    carom_quat half = quat_scale(0.5, quat_multiply(spin, turn));
    const double d[BODY_STATE] = {v.x,      v.y,      v.z,      half.w,   half.x,   half.y,  half.z,
                                  rate.v.x, rate.v.y, rate.v.z, rate.w.x, rate.w.y, rate.w.z};
    for (int i = 0; i < BODY_STATE; i++)
        dy[i] = d[i];
}

static void add_force(double *dy, double j, carom_vec3 v, carom_vec3 w)
{
    dy[7] += j * v.x;
    dy[8] += j * v.y;
    dy[9] += j * v.z;
    dy[10] += j * w.x;
    dy[11] += j * w.y;
    dy[12] += j * w.z;
}

static carom_twist rate_of(const double *dy, int body)
{
    const double *d = dy + body * BODY_STATE;
    if (body < 0)
        return twist_zero();
    return (carom_twist){carom_vec3_make(d[10], d[11], d[12]), carom_vec3_make(d[7], d[8], d[9])};
}

/* What the joints still lack of (1) with the rates dy, into vector 0. */
static void lack_of_joints(carom_linkage *l, const double *dy)
{
    double *rhs = linkage_vector(l, 0);
    for (int j = 0; j < l->joint_count; j++) {
        const carom_joint *p = &l->joints[j];
        carom_twist a = rate_of(dy, p->def.a), b = rate_of(dy, p->def.b);
        for (int i = p->row; i < p->row + p->rows; i++) {
            const carom_joint_row *r = &l->rows[i];
            rhs[i] = -r->rate - carom_vec3_dot(r->f, carom_vec3_sub(a.v, b.v)) - carom_vec3_dot(r->ta, a.w) +
                     carom_vec3_dot(r->tb, b.w);
        }
    }
}

static void add_forces(carom_linkage *l, double *dy)
{
    for (int j = 0; j < l->joint_count; j++) {
        const carom_joint_def *d = &l->joints[j].def;
        for (int i = l->joints[j].row; i < l->joints[j].row + l->joints[j].rows; i++) {
            const carom_joint_row *r = &l->rows[i];
            if (d->a >= 0)
                add_force(dy + d->a * BODY_STATE, r->j, carom_vec3_scale(l->bodies[d->a].body.inv_mass, r->f), r->wa);
            if (d->b >= 0)
                add_force(dy + d->b * BODY_STATE, -r->j, carom_vec3_scale(l->bodies[d->b].body.inv_mass, r->f), r->wb);
        }
    }
}

/* A body that is nearly a point far from its joint multiplies the rounding of the forces by mass, arm squared and
 * inverse inertia; forces for what the first ones lack take that out again. */
carom_status carom_linkage_rate(void *context, const double *y, double *dy)
{
    carom_linkage *l = context;
    for (int i = 0; i < l->body_count; i++)
        carom_member_load(&l->bodies[i], y + i * BODY_STATE);
    carom_status status = carom_linkage_factorise(l);
    for (int i = 0; i < l->body_count; i++)
        rate_without_joints(l, i, y + i * BODY_STATE, dy + i * BODY_STATE);
    for (int pass = 0; pass < FORCE_PASSES && !status; pass++) {
        lack_of_joints(l, dy);
        carom_linkage_solve(l);
        add_forces(l, dy);
    }
    return status;
}

static void restore(carom_linkage *l, const double *y)
{
    for (int i = 0; i < l->body_count; i++)
        carom_member_load(&l->bodies[i], y + i * BODY_STATE);
}

/* Close the joints at the state y, which is changed. */
static carom_status settle(carom_linkage *l, double *y)
{
    restore(l, y);
    carom_status status = carom_linkage_correct(l);
    if (!status)
        status = carom_linkage_constrain(l);
    for (int i = 0; i < l->body_count; i++)
        carom_member_save(&l->bodies[i], y + i * BODY_STATE);
    return status;
}

/* One trial step of at most left; *done is what it moved. */
static carom_status step(carom_linkage *l, runge *r, double left, double *done)
{
    double h = l->step < left ? l->step : left, error;
    carom_status status = carom_runge_try(r, h, &error);
    *done = 0;
    if (status || !(error <= 1)) {
        l->step = status ? h / 4 : carom_runge_resize(h, error);
        return l->step > STEP_TOL * left ? CAROM_STATUS_OK : status ? status : CAROM_STATUS_STEP_LIMIT;
    }
    double wanted = carom_runge_resize(h, error);
    l->step = h < l->step && wanted < l->step ? l->step : wanted;
    *done = h;
    carom_runge_accept(r);
    status = settle(l, r->y);
    return status ? status : carom_runge_start(r);
}

carom_status carom_linkage_advance(carom_linkage *l, double duration)
{
    CAROM_ASSERT(l && l->work && l->rows);
    carom_status status = duration >= 0 ? carom_linkage_check(l) : CAROM_STATUS_BAD_TIME;
    if (status)
        return status;
    runge r = {.rate = carom_linkage_rate, .context = l, .tolerance = l->step_tolerance};
    carom_runge_init(&r, l->body_count * BODY_STATE, linkage_flight(l));
    for (int i = 0; i < l->body_count; i++)
        carom_member_save(&l->bodies[i], r.y + i * BODY_STATE);
    status = carom_runge_start(&r);
    if (!status && !(l->step > 0))
        l->step = carom_runge_first_step(&r, duration);
    double done = 0, left = duration;
    for (int i = 0; !status && left > 0; i++, left -= done)
        status = i < l->step_limit ? step(l, &r, left, &done) : CAROM_STATUS_STEP_LIMIT;
    restore(l, r.y);
    return status;
}

/* The equations of a linkage: G W G^T, its factor, and the rows that repeat others. */
#include "core/cholesky.h"
#include "core/num.h"
#include "core/rotate.h"
#include "mechanism/envelope.h"
#include "mechanism/linkage.h"

enum { COMBINATIONS = 6 }; /* solves for one combination; two or three are enough */
enum { BLOCK = 6 };        /* rows of one joint */
#define BLOCK_TOL  1e-11   /* of a diagonal: a pivot of the block of one joint below this is zero */
#define REPEAT_TOL 3e-6    /* of the forces that meet on a body, the root of BLOCK_TOL: loops near a dead centre */

void carom_linkage_fill(carom_linkage *l)
{
    for (int j = 0; j < l->joint_count; j++)
        carom_joint_fill(l->bodies, &l->joints[j], l->rows + l->joints[j].row);
}

/* Where each row lies in the envelope. */
static void lay_out(carom_linkage *l)
{
    size_t start = 0;
    for (int j = 0; j < l->joint_count; j++) {
        int first = l->joints[l->joints[j].first].row;
        for (int i = l->joints[j].row; i < l->joints[j].row + l->joints[j].rows; i++) {
            l->rows[i].first = first;
            l->rows[i].start = start;
            start += (size_t)(i - first + 1);
        }
    }
}

static bool has_body(const carom_joint *joint, int body)
{
    return body >= 0 && (joint->def.a == body || joint->def.b == body);
}

/* What a row does to one of its two bodies: sign (f, t), and the inverse inertia times t. */
typedef struct grip {
    double sign;
    carom_vec3 f, t, w;
} grip;

static grip grip_of(const carom_joint *joint, const carom_joint_row *row, int body)
{
    bool on_a = joint->def.a == body;
    grip g = {on_a ? 1 : -1, row->f, on_a ? row->ta : row->tb, on_a ? row->wa : row->wb};
    return g;
}

/* Entry of G W G^T for row x of joint p and row y of joint q: a sum over the bodies they share. */
static double entry(const carom_linkage *l, const carom_joint *p, int x, const carom_joint *q, int y)
{
    const int bodies[2] = {p->def.a, p->def.b};
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        if (!has_body(q, bodies[i]))
            continue;
        grip g = grip_of(p, &l->rows[x], bodies[i]), h = grip_of(q, &l->rows[y], bodies[i]);
        double inv_mass = l->bodies[bodies[i]].body.inv_mass;
        sum += g.sign * h.sign * (inv_mass * carom_vec3_dot(g.f, h.f) + carom_vec3_dot(g.t, h.w));
    }
    return sum;
}

static void assemble(const carom_linkage *l, const carom_joint *p)
{
    double *A = linkage_factor(l);
    for (int x = p->row; x < p->row + p->rows; x++) {
        double *row = envelope_row(&l->rows[x], A);
        for (const carom_joint *q = &l->joints[p->first]; q <= p; q++) {
            bool coupled = has_body(q, p->def.a) || has_body(q, p->def.b);
            for (int y = q->row; y < q->row + q->rows && y <= x; y++)
                row[y] = coupled ? entry(l, p, x, q, y) : 0;
        }
    }
}

/* True when no impulse of this joint can close it: its own block is singular. */
static bool is_singular(const carom_linkage *l, const carom_joint *p)
{
    double A[BLOCK * BLOCK];
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j <= i; j++)
            A[i * p->rows + j] = entry(l, p, p->row + i, p, p->row + j);
    return !cholesky_factor(p->rows, A, BLOCK_TOL, A);
}

static double sum_of_parts(carom_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

/* Add t times a row to the wrench on one body (in w, v: moment, force), and its size to the sizes. */
static void add_wrench(const carom_member *body, double t, carom_vec3 f, carom_vec3 moment, carom_twist sums[2])
{
    double force = fabs(t) * sum_of_parts(f);
    sums[0].w = vec_plus(sums[0].w, t, moment);
    sums[0].v = vec_plus(sums[0].v, t, f);
    sums[1].w.x += fabs(t) * sum_of_parts(moment) + carom_vec3_length(body->body.position) * force;
    sums[1].v.x += force;
}

/* The wrench on body i of the combination t of the rows up to `last`, and its size. */
static void net_wrench(const carom_linkage *l, const double *t, int last, carom_twist *net, carom_twist *size)
{
    for (int i = 0; i < l->body_count; i++)
        net[i] = size[i] = twist_zero();
    for (const carom_joint *p = l->joints; p < l->joints + l->joint_count && p->row <= last; p++)
        for (int i = p->row; i < p->row + p->rows && i <= last; i++) {
            const carom_joint_row *row = &l->rows[i];
            const int bodies[2] = {p->def.a, p->def.b};
            for (int side = 0; side < 2; side++) {
                int b = bodies[side];
                if (b < 0)
                    continue;
                carom_twist sums[2] = {net[b], size[b]};
                add_wrench(&l->bodies[b], side ? -t[i] : t[i], row->f, side ? row->tb : row->ta, sums);
                net[b] = sums[0];
                size[b] = sums[1];
            }
        }
}

/* Row x of G W times the wrenches on the bodies. */
static double row_of_wrenches(const carom_linkage *l, const carom_joint *p, const carom_joint_row *x,
                              const carom_twist *net)
{
    double sum = 0;
    if (p->def.a >= 0)
        sum += l->bodies[p->def.a].body.inv_mass * carom_vec3_dot(x->f, net[p->def.a].v) +
               carom_vec3_dot(x->wa, net[p->def.a].w);
    if (p->def.b >= 0)
        sum -= l->bodies[p->def.b].body.inv_mass * carom_vec3_dot(x->f, net[p->def.b].v) +
               carom_vec3_dot(x->wb, net[p->def.b].w);
    return sum;
}

/* The combination t of the rows before i that leaves least of row i, once more for what rounding left of it: light
 * bodies between heavy ones make the factor inexact. net and size belong to t. */
static void combine(const carom_linkage *l, int i, double *t, carom_twist *net, carom_twist *size)
{
    double *L = linkage_factor(l), *rest = linkage_vector(l, 1);
    carom_envelope_combination(i, l->rows, L, t);
    net_wrench(l, t, i, net, size);
    for (int count = 1; count < COMBINATIONS; count++) {
        for (const carom_joint *p = l->joints; p < l->joints + l->joint_count && p->row < i; p++)
            for (int k = p->row; k < p->row + p->rows && k < i; k++)
                rest[k] = row_of_wrenches(l, p, &l->rows[k], net);
        carom_envelope_forward(i, l->rows, L, rest);
        carom_envelope_backward(i, l->rows, L, rest);
        for (int k = 0; k < i; k++)
            t[k] -= rest[k];
        net_wrench(l, t, i, net, size);
    }
}

/* The pivot of row i, from the forces that its combination leaves on the bodies: a sum of squares, whatever the masses.
 * Zero when these cancel on every body, against the largest forces that meet: then the row repeats others. */
static double pivot_of(const carom_linkage *l, int i)
{
    carom_twist *net = linkage_twists(l, 0), *size = linkage_twists(l, 1);
    double sum = 0, force = 0, moment = 0;
    bool repeats = true;
    combine(l, i, linkage_vector(l, 0), net, size);
    for (int k = 0; k < l->body_count; k++) {
        force = fmax(force, size[k].v.x);
        moment = fmax(moment, size[k].w.x);
    }
    for (int k = 0; k < l->body_count; k++) {
        const carom_body *b = &l->bodies[k].body;
        bool cancels =
            carom_vec3_length(net[k].v) <= REPEAT_TOL * force && carom_vec3_length(net[k].w) <= REPEAT_TOL * moment;
        repeats = repeats && (cancels || b->inv_mass == 0);
        sum += b->inv_mass * carom_vec3_dot(net[k].v, net[k].v);
        sum += carom_vec3_dot(net[k].w, carom_sym3_apply(b->inv_inertia, net[k].w));
    }
    return repeats ? 0 : sum;
}

/* The joint of a row. */
static int joint_of_row(const carom_linkage *l, int row)
{
    int j = 0;
    while (row >= l->joints[j].row + l->joints[j].rows)
        j++;
    return j;
}

carom_status carom_linkage_factorise(carom_linkage *l)
{
    double *L = linkage_factor(l);
    carom_linkage_fill(l);
    lay_out(l);
    for (int j = 0; j < l->joint_count; j++)
        assemble(l, &l->joints[j]);
    for (int i = carom_envelope_factor(l->row_count, l->rows, L, 0); i >= 0;) {
        double pivot = pivot_of(l, i);
        if (!(pivot > 0)) {
            l->culprit = joint_of_row(l, i);
            return is_singular(l, &l->joints[l->culprit]) ? CAROM_STATUS_JOINT_SINGULAR : CAROM_STATUS_OVER_CONSTRAINED;
        }
        envelope_row(&l->rows[i], L)[i] = sqrt(pivot);
        i = carom_envelope_factor(l->row_count, l->rows, L, i + 1);
    }
    return CAROM_STATUS_OK;
}

/* Saltation of two free bodies: coordinates are small displacements dx and rotations phi of A, then of B, in world
 * axes. The contact moves along both surfaces. With curvatures S_A, S_B in the tangent plane, and D the tangential part
 * of (dx_A + phi_A x r_A) - (dx_B + phi_B x r_B),
 *
 *     (S_A + S_B) s_B = (phi_A - phi_B) x n + S_A D,   s_A = s_B - D                                             (1)
 *     dn = phi_B x n + S_B s_B,   dr_A = phi_A x r_A + s_A,   dr_B = phi_B x r_B + s_B                           (2)
 *
 * The tangents turn with n, without spin: dt = (n x dn) x t. Inertias turn with their bodies. */
#include <math.h>

#include "carom/assert.h"
#include "core/num.h"
#include "derivative/saltation.h"

enum { N = CAROM_BODIES_COORDINATES, EACH = 6 };

#define FLAT_TOL (64 * EPS) /* of its square: the determinant of S_A + S_B counts as zero */

typedef struct pair {
    const carom_contact *contact;
    const carom_body *body[2];
    const carom_curvature *curvature;
    double inverse[3]; /* (S_A + S_B)^-1: t11, t12, t22 */
    const double *X;
} pair;

static carom_vec3 axis(int i)
{
    return carom_vec3_make(i == 0, i == 1, i == 2);
}

static carom_vec3 row_axis(const carom_frame *f, int i)
{
    return i == 0 ? f->t1 : i == 1 ? f->t2 : f->n;
}

static void put(double *row, int at, carom_vec3 v)
{
    row[at] = v.x;
    row[at + 1] = v.y;
    row[at + 2] = v.z;
}

/* One row of J along e: (e, r_A x e, -e, -(r_B x e)), and its part with other arms. */
static void put_row(double *row, carom_vec3 e, carom_vec3 r_a, carom_vec3 r_b)
{
    put(row, 0, e);
    put(row, 3, carom_vec3_cross(r_a, e));
    put(row, EACH, carom_vec3_scale(-1, e));
    put(row, EACH + 3, carom_vec3_scale(-1, carom_vec3_cross(r_b, e)));
}

static carom_vec3 taken(const double *row, int at)
{
    return carom_vec3_make(row[at], row[at + 1], row[at + 2]);
}

/* M^-1 times a row. */
static void apply_inverse(const pair *p, const double *row, double *x)
{
    for (int b = 0; b < 2; b++) {
        const carom_body *body = p->body[b];
        put(x, b * EACH, carom_vec3_scale(body->inv_mass, taken(row, b * EACH)));
        put(x, b * EACH + 3, carom_sym3_apply(body->inv_inertia, taken(row, b * EACH + 3)));
    }
}

/* S v of a tangential vector. */
static carom_vec3 tangential(const carom_frame *f, const double S[3], carom_vec3 v)
{
    double a = carom_vec3_dot(f->t1, v), b = carom_vec3_dot(f->t2, v);
    return carom_vec3_add(carom_vec3_scale(S[0] * a + S[1] * b, f->t1), carom_vec3_scale(S[1] * a + S[2] * b, f->t2));
}

/* How the contact moves with coordinate k. */
typedef struct motion {
    carom_vec3 dn, dr[2];
} motion;

static motion motion_of(const pair *p, int k)
{
    const carom_contact *c = p->contact;
    const carom_frame *f = &c->frame;
    const carom_vec3 zero = {0, 0, 0}, e = axis(k % 3), arm[2] = {c->arm_a, c->arm_b};
    const int b = k / EACH;
    const bool turns = k % EACH >= 3;
    const carom_vec3 phi = turns ? e : zero, moved = turns ? carom_vec3_cross(phi, arm[b]) : e;
    const double identity[3] = {1, 0, 1}, sign = b == 0 ? 1 : -1;
    const double S_a[3] = {p->curvature[0].t11, p->curvature[0].t12, p->curvature[0].t22};
    const double S_b[3] = {p->curvature[1].t11, p->curvature[1].t12, p->curvature[1].t22};
    const carom_vec3 D = tangential(f, identity, carom_vec3_scale(sign, moved));
    const carom_vec3 tilt = carom_vec3_cross(carom_vec3_scale(sign, phi), f->n);
    const carom_vec3 s_b = tangential(f, p->inverse, carom_vec3_add(tilt, tangential(f, S_a, D))); /* (1) */
    const carom_vec3 s_a = carom_vec3_sub(s_b, D);
    motion m = {tangential(f, S_b, s_b), {s_a, s_b}}; /* (2) */
    m.dr[b] = carom_vec3_add(m.dr[b], carom_vec3_cross(phi, arm[b]));
    if (b == 1)
        m.dn = carom_vec3_add(m.dn, carom_vec3_cross(phi, f->n));
    return m;
}

/* d(I^-1) x = phi x I^-1 x - I^-1 (phi x x). */
static carom_vec3 turned_inverse(const carom_body *body, carom_vec3 phi, carom_vec3 x)
{
    return carom_vec3_sub(carom_vec3_cross(phi, carom_sym3_apply(body->inv_inertia, x)),
                          carom_sym3_apply(body->inv_inertia, carom_vec3_cross(phi, x)));
}

static void vary(const void *data, int k, double *J_k, double *X_k)
{
    const pair *p = data;
    const carom_contact *c = p->contact;
    const motion m = motion_of(p, k);
    const carom_vec3 turn = carom_vec3_cross(c->frame.n, m.dn);
    const int b = k / EACH, at = b * EACH + 3;
    for (int i = 0; i < 3; i++) {
        const carom_vec3 e = row_axis(&c->frame, i), de = carom_vec3_cross(turn, e), zero = {0, 0, 0};
        double row[N], *J = J_k + i * N, *X = X_k + i * N;
        put_row(J, de, c->arm_a, c->arm_b);
        put_row(row, e, m.dr[0], m.dr[1]);
        for (int j = 0; j < N; j++)
            J[j] += j % EACH >= 3 ? row[j] : 0;
        apply_inverse(p, J, X);
        put_row(row, e, c->arm_a, c->arm_b);
        carom_vec3 extra = k % EACH >= 3 ? turned_inverse(p->body[b], axis(k % 3), taken(row, at)) : zero;
        put(X, at, carom_vec3_add(taken(X, at), extra));
    }
}

static void accelerations(const carom_body *body, carom_vec3 gravity, double *qddot)
{
    const carom_vec3 zero = {0, 0, 0}, spin = carom_sym3_apply(body->inertia, body->omega);
    const bool moves = body->inv_mass > 0;
    put(qddot, 0, moves ? gravity : zero);
    put(qddot, 3, carom_vec3_scale(-1, carom_sym3_apply(body->inv_inertia, carom_vec3_cross(body->omega, spin))));
}

static void speeds(const carom_body *body, double *qdot)
{
    put(qdot, 0, body->velocity);
    put(qdot, 3, body->omega);
}

/* False when the surfaces have no single contact: their curvatures vanish together along some tangent. */
static bool invert_curvature(const carom_curvature S[2], double inverse[3])
{
    double a = S[0].t11 + S[1].t11, b = S[0].t12 + S[1].t12, c = S[0].t22 + S[1].t22, det = minor_of(a, c, b);
    if (!(fabs(det) > FLAT_TOL * square(fabs(a) + fabs(b) + fabs(c))))
        return false;
    inverse[0] = c / det;
    inverse[1] = -b / det;
    inverse[2] = a / det;
    return true;
}

carom_status carom_saltation_bodies(const carom_contact *contact, const carom_body *a, const carom_body *b,
                                    const carom_curvature curvature[2], carom_vec3 gravity, const carom_rule *rule,
                                    double *matrix, carom_saltation *saltation)
{
    CAROM_ASSERT(contact && a && b && curvature && rule && matrix && saltation);
    double J[3 * N], X[3 * N], qdot[N], before[N], after[N], work[9 * N];
    pair p = {contact, {a, b}, curvature, {0, 0, 0}, X};
    carom_problem problem;
    carom_body a_after = *a, b_after = *b;
    carom_status status = carom_bodies_reduce(a, b, contact, &problem);
    status = status ? status : invert_curvature(curvature, p.inverse) ? CAROM_STATUS_OK : CAROM_STATUS_NO_DERIVATIVE;
    for (int i = 0; i < 4 * N * N; i++)
        matrix[i] = 0;
    *saltation = (carom_saltation){.status = status};
    if (status || contact->planar)
        return saltation->status = status ? status : CAROM_STATUS_NO_DERIVATIVE;
    for (int i = 0; i < 3; i++) {
        put_row(J + i * N, row_axis(&contact->frame, i), contact->arm_a, contact->arm_b);
        apply_inverse(&p, J + i * N, X + i * N);
    }
    status = carom_solve(&problem, rule, NULL, &saltation->outcome);
    carom_bodies_apply(contact, saltation->outcome.p, &a_after, &b_after);
    for (int k = 0; k < 2; k++) {
        speeds(p.body[k], qdot + k * EACH);
        accelerations(p.body[k], gravity, before + k * EACH);
        accelerations(k ? &b_after : &a_after, gravity, after + k * EACH);
    }
    const jump s = {N, 3, J, X, qdot, before, after, vary, &p, work};
    return saltation_of(&s, &problem, rule, matrix, saltation);
}

/* Saltation of two free bodies: coordinates are small displacements dx and rotations phi of A, then of B, in world
 * axes. The contact moves along both surfaces, by s_A and s_B, and its normal turns. With surfaces P, Q (saltation.h),
 * and D the tangential part of (dx_A + phi_A x r_A) - (dx_B + phi_B x r_B),
 *
 *     P_B (dn - phi_B x n) = Q_B s_B,   P_A (dn - phi_A x n) = -Q_A s_A,   s_A = s_B - D                         (1)
 *     dr_A = phi_A x r_A + s_A,   dr_B = phi_B x r_B + s_B                                                       (2)
 *
 * The tangents turn with n, without spin: dt = (n x dn) x t. Inertias turn with their bodies. */
#include <math.h>
#include <string.h>

#include "carom/assert.h"
#include "core/lu.h"
#include "core/num.h"
#include "derivative/saltation.h"

enum { N = CAROM_BODIES_COORDINATES, EACH = 6, SIDES = 4 };

/* Parameters that jump_column takes after the coordinates: mass of A, of B, inertia of A, of B. */
enum { BY_MASS = N, BY_INERTIA = N + 2 };

#define FLAT_TOL (64 * EPS) /* of the others: a pivot of (1) counts as zero */

typedef struct pair {
    const pair_impact *impact;
    const double *X;
    int rows, row[3];              /* contact axes that count: all, or t1 and n */
    double inverse[SIDES * SIDES]; /* of (1): unknowns s_B and dn */
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
static void apply_inverse(const pair_impact *p, const double *row, double *x)
{
    for (int b = 0; b < 2; b++) {
        const carom_body *body = p->body[b];
        put(x, b * EACH, carom_vec3_scale(body->inv_mass, taken(row, b * EACH)));
        put(x, b * EACH + 3, carom_sym3_apply(body->inv_inertia, taken(row, b * EACH + 3)));
    }
}

/* ---- how the contact moves ---- */

/* Two entries of S v, S symmetric. */
static void apply2(const double S[3], const double v[2], double sign, double *out)
{
    out[0] += sign * (S[0] * v[0] + S[1] * v[1]);
    out[1] += sign * (S[1] * v[0] + S[2] * v[1]);
}

static void put2(double *m, const double S[3], double sign)
{
    m[0] = sign * S[0];
    m[1] = m[SIDES] = sign * S[1];
    m[SIDES + 1] = sign * S[2];
}

/* Rows and columns at the same size: the units of s and dn do not matter. False: one of them is zero. */
static bool balance(double *m, double row[SIDES], double column[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        double most = 0;
        for (int j = 0; j < SIDES; j++)
            most = max(most, fabs(m[i * SIDES + j]));
        row[i] = 1 / most;
        for (int j = 0; j < SIDES; j++)
            m[i * SIDES + j] *= row[i];
    }
    for (int j = 0; j < SIDES; j++) {
        double most = 0;
        for (int i = 0; i < SIDES; i++)
            most = max(most, fabs(m[i * SIDES + j]));
        column[j] = 1 / most;
        for (int i = 0; i < SIDES; i++)
            m[i * SIDES + j] *= column[j];
    }
    double sum = row[0] + row[1] + row[2] + row[3] + column[0] + column[1] + column[2] + column[3];
    return sum < INFINITY;
}

/* (1): rows of B, then of A. False when the surfaces have no single contact: both are flat along one tangent, or both
 * are corners. */
static bool invert_surfaces(const surface s[2], double inverse[SIDES * SIDES])
{
    double m[SIDES * SIDES] = {0}, row[SIDES], column[SIDES];
    int pivot[SIDES];
    put2(m, s[1].Q, -1);
    put2(m + 2, s[1].P, 1);
    put2(m + 2 * SIDES, s[0].Q, 1);
    put2(m + 2 * SIDES + 2, s[0].P, 1);
    if (!balance(m, row, column) || !(lu_factor(SIDES, m, pivot) > FLAT_TOL))
        return false;
    for (int j = 0; j < SIDES; j++) {
        double unit[SIDES] = {j == 0, j == 1, j == 2, j == 3};
        lu_solve(SIDES, m, pivot, unit);
        for (int i = 0; i < SIDES; i++)
            inverse[i * SIDES + j] = column[i] * unit[i] * row[j];
    }
    return true;
}

/* How the contact moves with coordinate k. */
typedef struct motion {
    carom_vec3 dn, dr[2];
} motion;

static carom_vec3 spanned(const carom_frame *f, double a, double b)
{
    return carom_vec3_add(carom_vec3_scale(a, f->t1), carom_vec3_scale(b, f->t2));
}

static motion motion_of(const pair *p, int k)
{
    const carom_contact *c = p->impact->contact;
    const carom_frame *f = &c->frame;
    const surface *s = p->impact->surface;
    const carom_vec3 zero = {0, 0, 0}, e = axis(k % 3), arm[2] = {c->arm_a, c->arm_b};
    const int b = k / EACH;
    const bool turns = k % EACH >= 3;
    const carom_vec3 phi = turns ? e : zero, moved = turns ? carom_vec3_cross(phi, arm[b]) : e;
    const carom_vec3 tilt = carom_vec3_cross(phi, f->n);
    const double sign = b == 0 ? 1 : -1, t[2] = {carom_vec3_dot(f->t1, tilt), carom_vec3_dot(f->t2, tilt)};
    const double D[2] = {sign * carom_vec3_dot(f->t1, moved), sign * carom_vec3_dot(f->t2, moved)};
    double right[SIDES] = {0}, x[SIDES] = {0}; /* (1), s_A left out */
    apply2(s[b].P, t, 1, b == 0 ? right + 2 : right);
    apply2(s[0].Q, D, 1, right + 2);
    for (int i = 0; i < SIDES * SIDES; i++)
        x[i / SIDES] += p->inverse[i] * right[i % SIDES];
    motion m = {spanned(f, x[2], x[3]), {spanned(f, x[0] - D[0], x[1] - D[1]), spanned(f, x[0], x[1])}};
    m.dr[b] = carom_vec3_add(m.dr[b], carom_vec3_cross(phi, arm[b])); /* (2) */
    return m;
}

/* d(I^-1) x = phi x I^-1 x - I^-1 (phi x x). */
static carom_vec3 turned_inverse(const carom_body *body, carom_vec3 phi, carom_vec3 x)
{
    return carom_vec3_sub(carom_vec3_cross(phi, carom_sym3_apply(body->inv_inertia, x)),
                          carom_sym3_apply(body->inv_inertia, carom_vec3_cross(phi, x)));
}

/* Masses and inertias change X alone. */
static void vary_mass(const pair *p, int k, double *J_k, double *X_k)
{
    const int b = k % 2, at = b * EACH + (k >= BY_INERTIA ? 3 : 0);
    memset(J_k, 0, (size_t)(p->rows * N) * sizeof *J_k);
    memset(X_k, 0, (size_t)(p->rows * N) * sizeof *X_k);
    for (int i = 0; i < p->rows; i++)
        for (int j = at; j < at + 3; j++)
            X_k[i * N + j] = -p->X[i * N + j];
}

static void vary(const void *data, int k, double *J_k, double *X_k)
{
    const pair *p = data;
    const carom_contact *c = p->impact->contact;
    if (k >= N) {
        vary_mass(p, k, J_k, X_k);
        return;
    }
    const motion m = motion_of(p, k);
    const carom_vec3 turn = carom_vec3_cross(c->frame.n, m.dn);
    const int b = k / EACH, at = b * EACH + 3;
    for (int i = 0; i < p->rows; i++) {
        const carom_vec3 e = row_axis(&c->frame, p->row[i]), de = carom_vec3_cross(turn, e), zero = {0, 0, 0};
        double row[N], *J = J_k + i * N, *X = X_k + i * N;
        put_row(J, de, c->arm_a, c->arm_b);
        put_row(row, e, m.dr[0], m.dr[1]);
        for (int j = 0; j < N; j++)
            J[j] += j % EACH >= 3 ? row[j] : 0;
        apply_inverse(p->impact, J, X);
        put_row(row, e, c->arm_a, c->arm_b);
        carom_vec3 extra = k % EACH >= 3 ? turned_inverse(p->impact->body[b], axis(k % 3), taken(row, at)) : zero;
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

/* Speeds, accelerations before and after, J and X. */
typedef struct numbers {
    double J[3 * N], X[3 * N], qdot[N], before[N], after[N], work[9 * N];
} numbers;

static void fill_numbers(const pair *p, const carom_problem *problem, numbers *x)
{
    const pair_impact *in = p->impact;
    carom_body after[2] = {*in->body[0], *in->body[1]};
    carom_outcome outcome;
    for (int i = 0; i < p->rows; i++) {
        put_row(x->J + i * N, row_axis(&in->contact->frame, p->row[i]), in->contact->arm_a, in->contact->arm_b);
        apply_inverse(in, x->J + i * N, x->X + i * N);
    }
    (void)!carom_solve(problem, in->rule, NULL, &outcome); /* zero where it is refused, as saltation_of will */
    carom_bodies_apply(in->contact, outcome.p, &after[0], &after[1]);
    for (int k = 0; k < 2; k++) {
        speeds(in->body[k], x->qdot + k * EACH);
        accelerations(in->body[k], in->gravity, x->before + k * EACH);
        accelerations(&after[k], in->gravity, x->after + k * EACH);
    }
}

/* The time of the impact, and the columns of parameters. */
static void fill_columns(const jump *s, const carom_derivative *d, double u_n, pair_change *out)
{
    const carom_cvec p = out->about.outcome.p;
    for (int k = 0; k < N; k++)
        out->time[k] = -s->J[(s->dim - 1) * N + k] / u_n;
    for (int c = 0; c < CAROM_COEFF_COUNT; c++)
        jump_add(s, d->p.coeffs[c], out->coeffs[c]);
    for (int b = 0; b < 2; b++) {
        jump_column(s, d, p, BY_MASS + b, out->masses[b]);
        jump_column(s, d, p, BY_INERTIA + b, out->inertias[b]);
    }
}

carom_status saltation_pair(const pair_impact *impact, pair_change *out)
{
    numbers x;
    const bool planar = impact->contact->planar;
    pair p = {impact, x.X, planar ? 2 : 3, {0, planar ? 2 : 1, 2}, {0}};
    pair_impact flat = *impact;
    carom_problem problem;
    carom_derivative d;
    memset(out, 0, sizeof *out);
    for (int b = 0; planar && b < 2; b++) { /* across the plane nothing moves: any surface will do */
        flat.surface[b].P[1] = flat.surface[b].Q[1] = 0;
        flat.surface[b].P[2] = flat.surface[b].Q[2] = 1;
    }
    p.impact = &flat;
    carom_status status = carom_bodies_reduce(impact->body[0], impact->body[1], impact->contact, &problem);
    if (!status && !invert_surfaces(flat.surface, p.inverse))
        status = CAROM_STATUS_NO_DERIVATIVE;
    out->about.status = status;
    if (status)
        return status;
    fill_numbers(&p, &problem, &x);
    const jump s = {N, p.rows, x.J, x.X, x.qdot, x.before, x.after, vary, &p, x.work};
    status = saltation_of(&s, &problem, impact->rule, out->Xi, &out->about, &d);
    out->border = d.border;
    out->distance = d.distance;
    if (status == CAROM_STATUS_OK)
        fill_columns(&s, &d, problem.u.n, out);
    return status;
}

carom_status carom_saltation_bodies(const carom_contact *contact, const carom_body *a, const carom_body *b,
                                    const carom_curvature curvature[2], carom_vec3 gravity, const carom_rule *rule,
                                    double *matrix, carom_saltation *saltation)
{
    CAROM_ASSERT(contact && a && b && curvature && rule && matrix && saltation);
    pair_impact impact = {.contact = contact, .body = {a, b}, .gravity = gravity, .rule = rule};
    pair_change change;
    for (int k = 0; k < 2; k++)
        impact.surface[k] = (surface){{1, 0, 1}, {curvature[k].t11, curvature[k].t12, curvature[k].t22}};
    (void)!saltation_pair(&impact, &change);
    memcpy(matrix, change.Xi, sizeof change.Xi);
    *saltation = change.about;
    return saltation->status;
}

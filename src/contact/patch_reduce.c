/* Bodies and mechanisms to the numbers of a contact with a patch, and back. The first three rows are those of the point
 * contact, bit for bit; a row of spin has no linear part and the axis d as its angular part:
 *
 *     K_ij = sum over movable bodies of (l_i . l_j / m + alpha_i . I^-1 alpha_j),   u_i = l_i . v + alpha_i . omega  */
#include "carom/assert.h"
#include "carom/patch.h"
#include "contact/impact.h"
#include "core/cholesky.h"
#include "core/dense.h"
#include "core/patch.h"

static const carom_patch_problem nothing;

int carom_patch_size(const carom_coeffs *coeffs)
{
    return coeffs->rho > 0 ? 6 : coeffs->patch > 0 ? 4 : 3;
}

carom_problem carom_patch_point(const carom_patch_problem *pb)
{
    const int s = pb->size;
    const double *K = pb->K, *u = pb->u;
    const carom_problem point = {{K[0], K[1], K[s + 1], K[2], K[s + 2], K[2 * s + 2]}, {u[0], u[1], u[2]}};
    return point;
}

carom_status carom_patch_load(int size, const double *K, const double *u, carom_patch_problem *pb)
{
    *pb = nothing;
    if (size != 4 && size != 6)
        return CAROM_STATUS_BAD_SIZE;
    if (!dense_finite(K, (size_t)(size * size)) || !dense_finite(u, (size_t)size))
        return CAROM_STATUS_NOT_FINITE;
    if (!dense_symmetric(size, K))
        return CAROM_STATUS_BAD_MATRIX;
    pb->size = size;
    for (int i = 0; i < size; i++) {
        pb->u[i] = u[i];
        for (int j = 0; j < size; j++) {
            const double a = K[i * size + j], b = K[j * size + i];
            pb->K[i * size + j] = a == b ? a : 0.5 * a + 0.5 * b;
        }
    }
    for (int i = 3; i < size; i++)
        if (pb->K[i * size + i] < 0)
            return CAROM_STATUS_BAD_MATRIX;
    const carom_problem point = carom_patch_point(pb);
    return carom_problem_check(&point);
}

double carom_patch_needs(const carom_coeffs *coeffs, int pressure, carom_cvec p, double m_n)
{
    return coeffs->patch > 0 ? patch_dual(pressure, carom_cvec_slip(p), fabs(m_n) / coeffs->patch) : carom_cvec_slip(p);
}

/* ---- two bodies ---- */

static void set_point(const carom_problem *point, carom_patch_problem *pb)
{
    const carom_csym *K = &point->K;
    const double rows[3][3] = {{K->t11, K->t12, K->t1n}, {K->t12, K->t22, K->t2n}, {K->t1n, K->t2n, K->nn}};
    const double u[3] = {point->u.t1, point->u.t2, point->u.n};
    for (int i = 0; i < 3; i++) {
        pb->u[i] = u[i];
        for (int j = 0; j < 3; j++)
            pb->K[i * pb->size + j] = rows[i][j];
    }
}

/* The angular parts of all rows, for an arm. */
static void angular_parts(const carom_frame *f, carom_vec3 arm, carom_vec3 alpha[CAROM_PATCH_SIZE])
{
    alpha[0] = carom_vec3_cross(arm, f->t1);
    alpha[1] = carom_vec3_cross(arm, f->t2);
    alpha[2] = carom_vec3_cross(arm, f->n);
    alpha[3] = f->n;
    alpha[4] = f->t1;
    alpha[5] = f->t2;
}

static void add_spin_rows(const carom_body *body, const carom_frame *f, carom_vec3 arm, carom_patch_problem *pb)
{
    carom_vec3 alpha[CAROM_PATCH_SIZE];
    if (body->inv_mass == 0) /* immovable */
        return;
    angular_parts(f, arm, alpha);
    for (int i = 3; i < pb->size; i++) {
        const carom_vec3 turned = carom_sym3_apply(body->inv_inertia, alpha[i]);
        for (int j = 0; j <= i; j++) {
            pb->K[i * pb->size + j] += carom_vec3_dot(alpha[j], turned);
            pb->K[j * pb->size + i] = pb->K[i * pb->size + j];
        }
    }
}

carom_status carom_patch_reduce_bodies(const carom_body *a, const carom_body *b, const carom_contact *contact, int size,
                                       carom_patch_problem *pb)
{
    carom_problem point;
    CAROM_ASSERT(a && b && contact && pb && !contact->planar && (size == 4 || size == 6));
    *pb = nothing;
    const carom_status status = carom_bodies_reduce(a, b, contact, &point);
    if (status)
        return status;
    pb->size = size;
    set_point(&point, pb);
    add_spin_rows(a, &contact->frame, contact->arm_a, pb);
    add_spin_rows(b, &contact->frame, contact->arm_b, pb);
    const carom_vec3 axes[3] = {contact->frame.n, contact->frame.t1, contact->frame.t2};
    for (int i = 3; i < size; i++)
        pb->u[i] = carom_vec3_dot(axes[i - 3], carom_vec3_sub(a->omega, b->omega));
    return CAROM_STATUS_OK;
}

carom_vec3 carom_patch_moment(const carom_contact *contact, carom_cspin m)
{
    return carom_frame_to_world(contact->frame, carom_cvec_make(m.t1, m.t2, m.n));
}

void carom_patch_apply_bodies(const carom_contact *contact, carom_cvec p, carom_cspin m, carom_body *a, carom_body *b)
{
    const carom_vec3 moment = carom_patch_moment(contact, m);
    carom_bodies_apply(contact, p, a, b);
    a->omega = carom_vec3_add(a->omega, carom_sym3_apply(a->inv_inertia, moment));
    b->omega = carom_vec3_sub(b->omega, carom_sym3_apply(b->inv_inertia, moment));
}

/* ---- mechanisms ---- */

/* Row i of Y = L^-1 J^T in the workspace; the fourth vector of it is carom_generalized_apply's. */
static double *solved_row(const carom_generalized *m, int i)
{
    const size_t n = (size_t)m->n;
    return m->work + n * n + (size_t)(i < 3 ? i : i + 1) * n;
}

carom_status carom_patch_reduce_generalized(const carom_generalized *m, carom_patch_problem *pb)
{
    carom_problem point;
    carom_generalized first = *m;
    *pb = nothing;
    if (m->dim != 4 && m->dim != 6)
        return CAROM_STATUS_BAD_SIZE;
    first.dim = 3;
    const carom_status status = carom_generalized_reduce(&first, &point);
    if (status)
        return status;
    if (!dense_finite(m->J, (size_t)m->n * (size_t)m->dim))
        return CAROM_STATUS_NOT_FINITE;
    pb->size = m->dim;
    set_point(&point, pb);
    for (int i = 3; i < m->dim; i++) {
        cholesky_forward(m->n, m->work, m->J + i * m->n, solved_row(m, i));
        pb->u[i] = cholesky_dot(m->n, m->J + i * m->n, m->qdot);
        for (int j = 0; j <= i; j++)
            pb->K[i * m->dim + j] = pb->K[j * m->dim + i] = cholesky_dot(m->n, solved_row(m, i), solved_row(m, j));
    }
    return CAROM_STATUS_OK;
}

void carom_patch_apply_generalized(const carom_generalized *m, carom_cvec p, carom_cspin moment, double *qdot_after)
{
    const double weight[CAROM_PATCH_SIZE] = {p.t1, p.t2, p.n, moment.n, moment.t1, moment.t2};
    double *change = m->work + (size_t)m->n * (size_t)m->n + 3 * (size_t)m->n;
    for (int k = 0; k < m->n; k++) {
        change[k] = 0;
        for (int i = 0; i < m->dim; i++)
            change[k] += weight[i] * solved_row(m, i)[k];
    }
    cholesky_backward(m->n, m->work, change);
    for (int k = 0; k < m->n; k++)
        qdot_after[k] = m->qdot[k] + change[k];
}

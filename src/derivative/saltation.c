/* Saltation matrices. With X = M^-1 J^T, and J_k, X_k, K_k = J_k X + J X_k the derivatives by coordinate k,
 *
 *     B   = I + X p_u J                                                                                          (1)
 *     A_k = X_k p + X (p_u J_k qdot + p_K : K_k)                                                                 (2)
 *     Xi  = [ I + X p J_n / u_n                            0 ]
 *           [ A + (qddot_after - A qdot - B qddot_before) J_n / u_n    B ]                                       (3)
 *
 * A mechanism has X_k = M^-1 (J_k^T - M_k X); free bodies know their own (saltation_bodies.c). */
#include "derivative/saltation.h"

#include <math.h>
#include <string.h>

#include "carom/assert.h"
#include "core/cholesky.h"

/* u_n below this share of the velocity: the entries of Xi that grow like 1/u_n have a thousand times their usual size.
 */
#define NEAR_GRAZING 1e-3

/* Component i of a contact vector; the plane has t and n. */
static double component(carom_cvec v, int dim, int i)
{
    return i == dim - 1 ? v.n : i == 0 ? v.t1 : v.t2;
}

/* v = J x, as the contact counts. */
static carom_cvec contact_of(const jump *s, const double *J, const double *x)
{
    double v[3] = {0, 0, 0};
    for (int i = 0; i < s->dim; i++)
        for (int k = 0; k < s->n; k++)
            v[i] += J[i * s->n + k] * x[k];
    return s->dim == 3 ? carom_cvec_make(v[0], v[1], v[2]) : carom_cvec_make(v[0], 0, v[1]);
}

/* x += X v */
static void add_applied(const jump *s, const double *X, carom_cvec v, double *x)
{
    for (int i = 0; i < s->dim; i++)
        for (int k = 0; k < s->n; k++)
            x[k] += X[i * s->n + k] * component(v, s->dim, i);
}

static carom_cvec by_u(const carom_jacobian *J, carom_cvec du)
{
    return carom_cvec_add(carom_cvec_add(carom_cvec_scale(du.t1, J->u[0]), carom_cvec_scale(du.t2, J->u[1])),
                          carom_cvec_scale(du.n, J->u[2]));
}

/* p_K : K_k, K_k = J_k X + J X_k; entries off the diagonal count once. */
static carom_cvec by_K(const jump *s, const carom_jacobian *J, const double *J_k, const double *X_k)
{
    static const int row[6] = {0, 0, 1, 0, 1, 2}, column[6] = {0, 1, 1, 2, 2, 2};
    carom_cvec sum = {0, 0, 0};
    for (int e = 0; e < 6; e++) {
        int i = row[e], j = column[e], n = s->n;
        if (s->dim == 2 && (i == 1 || j == 1))
            continue;
        i = s->dim == 2 && i == 2 ? 1 : i;
        j = s->dim == 2 && j == 2 ? 1 : j;
        double entry = 0;
        for (int k = 0; k < n; k++)
            entry += J_k[i * n + k] * s->X[j * n + k] + s->J[i * n + k] * X_k[j * n + k];
        sum = carom_cvec_add(sum, carom_cvec_scale(entry, J->K[e]));
    }
    return sum;
}

void jump_add(const jump *s, carom_cvec v, double *x)
{
    add_applied(s, s->X, v, x);
}

/* (2), coordinate k. */
void jump_column(const jump *s, const carom_derivative *d, carom_cvec p, int k, double *A_k)
{
    double *J_k = s->work, *X_k = s->work + 3 * s->n;
    s->vary(s->data, k, J_k, X_k);
    for (int i = 0; i < s->n; i++)
        A_k[i] = 0;
    add_applied(s, X_k, p, A_k);
    carom_cvec dp = carom_cvec_add(by_u(&d->p, contact_of(s, J_k, s->qdot)), by_K(s, &d->p, J_k, X_k));
    add_applied(s, s->X, dp, A_k);
}

/* (1) times x. */
static void apply_B(const jump *s, const carom_derivative *d, const double *x, double *Bx)
{
    memcpy(Bx, x, (size_t)s->n * sizeof *x);
    add_applied(s, s->X, by_u(&d->p, contact_of(s, s->J, x)), Bx);
}

/* (3), column by column: column k of A, then of B. */
static void fill(const jump *s, const carom_derivative *d, carom_cvec p, double u_n, double *Xi)
{
    const int n = s->n, wide = 2 * n;
    const double *J_n = s->J + (s->dim - 1) * n;
    double *column = s->work + 6 * n, *late = column + n, *unit = late + n;
    apply_B(s, d, s->before, late); /* late = qddot_after - A qdot - B qddot_before */
    for (int i = 0; i < n; i++)
        late[i] = s->after[i] - late[i];
    for (int k = 0; k < n; k++) {
        jump_column(s, d, p, k, column);
        for (int i = 0; i < n; i++) {
            Xi[(n + i) * wide + k] = column[i];
            late[i] -= column[i] * s->qdot[k];
        }
    }
    double *jump_of_q = unit;
    memset(jump_of_q, 0, (size_t)n * sizeof *jump_of_q);
    add_applied(s, s->X, p, jump_of_q);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            Xi[i * wide + k] = (i == k) + jump_of_q[i] * J_n[k] / u_n;
            Xi[(n + i) * wide + k] += late[i] * J_n[k] / u_n;
        }
    for (int k = 0; k < n; k++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[k] = 1;
        apply_B(s, d, unit, column);
        for (int i = 0; i < n; i++)
            Xi[(n + i) * wide + n + k] = column[i];
    }
}

static bool all_finite(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    return sum - sum == 0;
}

carom_status saltation_of(const jump *s, const carom_problem *problem, const carom_rule *rule, double *Xi,
                          carom_saltation *out, carom_derivative *d)
{
    const size_t entries = 4 * (size_t)s->n * (size_t)s->n;
    const carom_cvec u = problem->u;
    carom_outcome outcome;
    const carom_status status = carom_derivative_solve(problem, rule, &outcome, d);
    memset(Xi, 0, entries * sizeof *Xi);
    *out = (carom_saltation){.status = status, .outcome = outcome};
    if (!carom_status_is_answer(out->status))
        return out->status;
    if (!(u.n < 0) || out->status == CAROM_STATUS_GRAZING)
        return out->status = CAROM_STATUS_NO_DERIVATIVE;
    fill(s, d, out->outcome.p, u.n, Xi);
    out->nonsmooth = d->nonsmooth;
    out->grazing = -u.n < NEAR_GRAZING * (fabs(u.t1) + fabs(u.t2) - u.n);
    if (!all_finite(Xi, entries)) {
        memset(Xi, 0, entries * sizeof *Xi);
        out->status = CAROM_STATUS_OUT_OF_RANGE;
    }
    return out->status;
}

/* ---- mechanisms ---- */

typedef struct varied {
    const carom_generalized *m;
    const carom_mechanism_variation *by;
    const double *X;
} varied;

/* b becomes M^-1 b, by the factor that the reduction left. */
static void solve(const carom_generalized *m, double *b)
{
    cholesky_forward(m->n, m->work, b, b);
    cholesky_backward(m->n, m->work, b);
}

/* J_k, and X_k = M^-1 (J_k^T - M_k X), as rows. */
static void vary(const void *data, int k, double *J_k, double *X_k)
{
    const varied *v = data;
    const int n = v->m->n, dim = v->m->dim;
    const double *M_k = v->by->M_q ? v->by->M_q + (size_t)k * (size_t)n * (size_t)n : NULL;
    for (int i = 0; i < dim * n; i++)
        J_k[i] = v->by->J_q ? v->by->J_q[(size_t)k * (size_t)(dim * n) + (size_t)i] : 0;
    for (int r = 0; r < dim; r++) {
        double *x = X_k + r * n;
        for (int i = 0; i < n; i++) {
            x[i] = J_k[r * n + i];
            for (int j = 0; M_k && j < n; j++)
                x[i] -= M_k[i * n + j] * v->X[r * n + j];
        }
        solve(v->m, x);
    }
}

carom_status carom_saltation_mechanism(const carom_generalized *m, const carom_mechanism_variation *by,
                                       const carom_rule *rule, double *work, double *matrix, carom_saltation *saltation)
{
    CAROM_ASSERT(m && by && rule && work && matrix && saltation);
    const int n = m->n, dim = m->dim;
    double *X = work, *zero = X + 3 * n;
    carom_problem problem;
    memset(zero, 0, (size_t)n * sizeof *zero);
    *saltation = (carom_saltation){.status = carom_generalized_reduce(m, &problem)};
    if (saltation->status) {
        memset(matrix, 0, 4 * (size_t)n * (size_t)n * sizeof *matrix);
        return saltation->status;
    }
    for (int i = 0; i < dim; i++) {
        memcpy(X + i * n, m->J + i * n, (size_t)n * sizeof *X);
        solve(m, X + i * n);
    }
    const varied data = {m, by, X};
    const jump s = {n,
                    dim,
                    m->J,
                    X,
                    m->qdot,
                    by->qddot_before ? by->qddot_before : zero,
                    by->qddot_after ? by->qddot_after : zero,
                    vary,
                    &data,
                    zero + n};
    carom_derivative derivative;
    return saltation_of(&s, &problem, rule, matrix, saltation, &derivative);
}

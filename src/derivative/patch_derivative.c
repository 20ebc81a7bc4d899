/* Derivatives of one impact of a contact with a patch: its inputs as variations of what the laws see, and back. */
#include "carom/patch_derivative.h"

#include <string.h>

#include "carom/assert.h"
#include "derivative/patch_variation.h"

/* Where the column of an input goes. */
typedef struct patch_columns {
    const carom_patch_problem *pb;
    const carom_coeffs *coeffs;
    carom_patch_contact x;
    int slip[CAROM_PATCH_SIZE]; /* of a row; -1: the normal, or a spin that nothing brakes */
    patch_variation at[PATCH_COLUMNS];
    patch_change changes[PATCH_COLUMNS];
    double *p[PATCH_COLUMNS], *u_after[PATCH_COLUMNS];
    int count, of_patch;
} patch_columns;

static double unit_of(const patch_columns *c, int row)
{
    return row < 3 ? 1 : c->x.length;
}

static void find_slips(patch_columns *c)
{
    int next = 0;
    for (int r = 0; r < c->pb->size; r++) {
        const bool braked = r < 2 || (r == 3 && c->coeffs->patch > 0) || (r > 3 && c->coeffs->rho > 0);
        c->slip[r] = braked ? next++ : -1;
    }
}

/* ---- inputs ---- */

static patch_variation *next_column(patch_columns *c, double *p, double *u_after)
{
    c->p[c->count] = p;
    c->u_after[c->count] = u_after;
    memset(&c->at[c->count], 0, sizeof c->at[0]);
    return &c->at[c->count++];
}

static void vary_u(const patch_columns *c, int row, double by, patch_variation *v)
{
    if (row == 2)
        v->u_n = by;
    else if (c->slip[row] >= 0)
        v->U[c->slip[row]] = by;
}

/* Both entries of K. */
static void vary_K(const patch_columns *c, int i, int j, double by, patch_variation *v)
{
    const int a = c->slip[i], b = c->slip[j];
    if (i == 2 && j == 2)
        v->K_nn = by;
    else if (i == 2 && b >= 0)
        v->k[b] = by;
    else if (j == 2 && a >= 0)
        v->k[a] = by;
    else if (a >= 0 && b >= 0)
        v->K[a][b] = v->K[b][a] = by;
}

/* Angular rows are in units of the radius. */
static void vary_patch(const patch_columns *c, patch_variation *v)
{
    const carom_patch_problem *pb = c->pb;
    for (int i = 0; i < pb->size; i++) {
        vary_u(c, i, i < 3 ? 0 : pb->u[i], v);
        for (int j = 0; j <= i; j++)
            vary_K(c, i, j, pb->K[i * pb->size + j] * ((i >= 3 ? unit_of(c, j) : 0) + (j >= 3 ? unit_of(c, i) : 0)), v);
    }
    v->rho = -c->coeffs->rho / square(c->x.length);
}

static void set_columns(patch_columns *c, const carom_law *law, carom_patch_derivative *d)
{
    const int n = c->pb->size;
    for (int i = 0; i < n; i++)
        vary_u(c, i, unit_of(c, i), next_column(c, d->p.u[i], d->u_after.u[i]));
    for (int j = 0, at = 0; j < n; j++)
        for (int i = 0; i <= j; i++, at++)
            vary_K(c, i, j, unit_of(c, i) * unit_of(c, j), next_column(c, d->p.K[at], d->u_after.K[at]));
    static const carom_coeff coeffs[] = {CAROM_COEFF_e, CAROM_COEFF_mu, CAROM_COEFF_rho, CAROM_COEFF_patch};
    c->of_patch = -1;
    for (int i = 0; i < (int)(sizeof coeffs / sizeof coeffs[0]); i++) {
        const int at = (int)coeffs[i];
        if (!(law->uses >> at & 1) || (at == CAROM_COEFF_patch && !(c->coeffs->patch > 0)) ||
            (at == CAROM_COEFF_rho && !(c->coeffs->rho > 0)))
            continue;
        c->of_patch = at == CAROM_COEFF_patch ? c->count : -1;
        patch_variation *v = next_column(c, d->p.coeffs[at], d->u_after.coeffs[at]);
        v->e = at == CAROM_COEFF_e;
        v->mu = at == CAROM_COEFF_mu;
        v->rho = at == CAROM_COEFF_rho ? 1 / c->x.length : 0;
        if (at == CAROM_COEFF_patch)
            vary_patch(c, v);
    }
}

/* ---- outputs ---- */

static void impulse_of(const carom_outcome *out, double q[CAROM_PATCH_SIZE])
{
    const carom_cspin m = out->turning.m;
    const double all[CAROM_PATCH_SIZE] = {out->p.t1, out->p.t2, out->p.n, m.n, m.t1, m.t2};
    memcpy(q, all, sizeof all);
}

static void write_impulses(const patch_columns *c, const double *q)
{
    for (int k = 0; k < c->count; k++)
        for (int i = 0; i < c->pb->size; i++) {
            const int slip = c->slip[i];
            c->p[k][i] = i == 2 ? c->changes[k].p : slip >= 0 ? unit_of(c, i) * c->changes[k].P[slip] : 0;
            c->p[k][i] += k == c->of_patch && i >= 3 ? q[i] / c->x.length : 0;
        }
}

static void add_K(const carom_patch_problem *pb, const double *dp, double *du)
{
    for (int i = 0; i < pb->size; i++)
        for (int j = 0; j < pb->size; j++)
            du[i] += pb->K[i * pb->size + j] * dp[j];
}

/* du_after = du + dK p + K dp */
static void write_velocities(const carom_patch_problem *pb, const double *q, carom_patch_derivative *d)
{
    const int n = pb->size;
    for (int i = 0; i < n; i++) {
        d->u_after.u[i][i] = 1;
        add_K(pb, d->p.u[i], d->u_after.u[i]);
    }
    for (int j = 0, at = 0; j < n; j++)
        for (int i = 0; i <= j; i++, at++) {
            d->u_after.K[at][i] = q[j];
            d->u_after.K[at][j] = q[i];
            add_K(pb, d->p.K[at], d->u_after.K[at]);
        }
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        add_K(pb, d->p.coeffs[i], d->u_after.coeffs[i]);
}

static bool is_finite_jacobian(const carom_patch_derivative *d)
{
    const double *p = &d->p.u[0][0];
    double sum = 0;
    for (size_t i = 0; i < sizeof d->p / sizeof *p; i++)
        sum += p[i];
    return sum - sum == 0;
}

/* ---- one impact ---- */

/* A contact without a patch: the columns of three numbers. */
static carom_status differentiate_point(const carom_patch_problem *pb, const carom_rule *rule,
                                        carom_patch_derivative *d)
{
    const carom_problem point = carom_patch_point(pb);
    carom_derivative at;
    const carom_status status = carom_derivative_solve(&point, rule, NULL, &at);
    for (int i = 0; i < 3; i++)
        memcpy(d->p.u[i], &at.p.u[i], sizeof at.p.u[i]);
    for (int i = 0; i < 6; i++)
        memcpy(d->p.K[i], &at.p.K[i], sizeof at.p.K[i]);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        memcpy(d->p.coeffs[i], &at.p.coeffs[i], sizeof at.p.coeffs[i]);
    d->nonsmooth = at.nonsmooth;
    return status;
}

static carom_status differentiate_patch(const carom_patch_problem *pb, const carom_rule *rule, const carom_outcome *out,
                                        carom_patch_derivative *d)
{
    patch_columns c;
    double q[CAROM_PATCH_SIZE];
    memset(&c, 0, sizeof c);
    c.pb = pb;
    c.coeffs = &rule->coeffs;
    if (!carom_patch_contact_make(pb, &rule->coeffs, rule->options.pressure, &c.x))
        return CAROM_STATUS_NO_DERIVATIVE;
    find_slips(&c);
    set_columns(&c, rule->law, d);
    const patch_variations v = {&c.x, c.at, c.count};
    const bool path = rule->law->traits & CAROM_TRAIT_HAS_PATH && pb->u[2] < 0;
    if (!(path ? carom_patch_path_changes(&v, pb, rule, c.changes) : carom_patch_end_changes(&v, rule, out, c.changes)))
        return CAROM_STATUS_NO_DERIVATIVE;
    impulse_of(out, q);
    write_impulses(&c, q);
    d->nonsmooth = pb->u[2] == 0 || (path && carom_patch_sticks(&c.x, c.x.U));
    return CAROM_STATUS_OK;
}

static carom_status differentiate(const carom_patch_problem *pb, const carom_rule *rule, const carom_outcome *out,
                                  carom_patch_derivative *d)
{
    const bool point = carom_patch_size(&rule->coeffs) == 3;
    const carom_status status = point ? differentiate_point(pb, rule, d) : differentiate_patch(pb, rule, out, d);
    return !carom_status_is_answer(status) || is_finite_jacobian(d) ? status : CAROM_STATUS_NO_DERIVATIVE;
}

carom_status carom_patch_derivative_solve(const carom_patch_problem *pb, const carom_rule *rule, carom_outcome *outcome,
                                          carom_patch_derivative *d)
{
    CAROM_ASSERT(pb && rule && d);
    carom_outcome own, *out = outcome ? outcome : &own;
    double q[CAROM_PATCH_SIZE];
    memset(d, 0, sizeof *d);
    d->size = pb->size;
    carom_status status = carom_patch_solve(pb, rule, NULL, out);
    if (!carom_status_is_answer(status))
        return d->status = status;
    const carom_status found = status == CAROM_STATUS_SEPARATING ? CAROM_STATUS_OK : differentiate(pb, rule, out, d);
    if (!carom_status_is_answer(found)) {
        memset(d, 0, sizeof *d);
        d->size = pb->size;
        return d->status = found;
    }
    impulse_of(out, q);
    write_velocities(pb, q, d);
    return d->status = status;
}

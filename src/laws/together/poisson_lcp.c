/* poisson-lcp: compression as a complementarity problem, then an expansion that returns e times its impulse.
 *
 * Hypothesis   all contacts pass maximum compression together; planar with friction, any dimension without.
 * Equations    compression  moreau with e = e_t = 0: p_C, u_C                                                 (1)
 *              expansion    lambda = e p_Cn,   p_En >= lambda, u_n >= 0, (p_En - lambda) u_n = 0              (2)
 *                           p_Et in [c - r, c + r],   c - r where u_t > 0, c + r where u_t < 0                (3)
 *                           c = sigma (mu nu p_En + e e_t |p_Ct|) / 2,  r = mu p_En - |c|,  sigma = sgn p_Ct  (4)
 *              p = p_C + p_E
 * Page         docs/laws/poisson-lcp.md
 * Reference    Glocker and Pfeiffer (1995); Anitescu and Potra (1997) */
#include "laws/together/together_cone.h"

#include <string.h>

#include "laws/together/together_lcp.h"
#include "laws/together/together_linear.h"

#define FREE_TOL     1e-6  /* of an impulse: this much of a normal impulse left free makes the rebound free */
#define EXPAND_GOAL  1e-14 /* change of a sweep, relative to the largest impulse */
#define EXPAND_LARGE 1e-9  /* above it the sweeps have failed */

enum { EXPAND_SWEEPS = 2000, EXPAND_MODES = 6 }; /* contacts whose modes are tried where sweeps cycle: 6^6 */

/* The expansion at one contact, (2) to (4): p_Et in [c - r, c + r] with c and r affine in p_En. */
typedef struct expansion {
    double lambda, mu, nu, stored, sigma; /* stored = e e_t |p_Ct| / 2 */
} expansion;

static expansion expansion_of(const carom_coeffs *c, double p_Ct, double p_Cn)
{
    expansion x = {c->e * p_Cn, c->mu, c->nu, 0.5 * c->e * c->e_t * fabs(p_Ct), 0};
    if (c->mu > 0 && p_Ct != 0 && x.lambda > 0)
        x.sigma = p_Ct > 0 ? 1 : -1;
    if (x.sigma == 0 || 0.5 * c->mu * c->nu * x.lambda + x.stored <= 0)
        x.nu = x.stored = x.sigma = 0;
    return x;
}

/* c - s r = slope p_En + constant, for the slip s = 1 or -1. */
static double edge_slope(const expansion *x, double s)
{
    return x->mu * (0.5 * x->nu * (x->sigma + s) - s);
}

static double edge_constant(const expansion *x, double s)
{
    return (x->sigma + s) * x->stored;
}

static double edge_at(const expansion *x, double s, double p_En)
{
    return edge_slope(x, s) * p_En + edge_constant(x, s);
}

/* ---- few planar contacts: every combination of modes ---- */

static bool admits(const void *law, int j, const mode_form *form, const double *p, const double *y,
                   const mode_sizes *tol)
{
    const expansion *x = (const expansion *)law + j;
    bool bound = form->mode == CAROM_TOGETHER_MODE_OPEN || form->sign >= 4;
    int slip = form->sign % 4 - 2; /* -1, 0, 1 */
    if (bound ? y[1] < -tol->y : p[1] < x->lambda - tol->p)
        return false;
    if (form->mode == CAROM_TOGETHER_MODE_OPEN)
        return true;
    if (slip == 0 && x->mu > 0)
        return p[0] >= edge_at(x, 1, p[1]) - tol->p && p[0] <= edge_at(x, -1, p[1]) + tol->p;
    return slip * y[0] >= -tol->y;
}

/* sign = 2 + slip, plus 4 where p_En is at its bound. */
static mode_form slip_form(const expansion *x, int slip, bool bound)
{
    mode_form f = {.mode = CAROM_TOGETHER_MODE_SLIP, .sign = 2 + slip + (bound ? 4 : 0)};
    double slope = slip ? edge_slope(x, slip) : 0, constant = slip ? edge_constant(x, slip) : 0;
    if (bound) {
        f.p0[0] = slope * x->lambda + constant;
        f.p0[1] = x->lambda;
        return f;
    }
    f.unknowns = 1;
    f.p0[0] = constant;
    f.S[0][0] = slope;
    f.S[0][1] = f.R[0][1] = 1;
    return f;
}

static mode_form stick_form(const expansion *x, bool bound)
{
    mode_form f = {.mode = CAROM_TOGETHER_MODE_STICK, .sign = 2 + (bound ? 4 : 0), .unknowns = bound ? 1 : 2};
    f.S[0][0] = f.R[0][0] = f.S[1][1] = f.R[1][1] = 1;
    f.p0[1] = bound ? x->lambda : 0;
    return f;
}

static int list_forms(const expansion *x, mode_form *forms)
{
    static const mode_form open = {.mode = CAROM_TOGETHER_MODE_OPEN};
    int count = 0;
    if (x->mu == 0) {
        forms[count++] = x->lambda > 0 ? slip_form(x, 0, true) : open;
        forms[count++] = slip_form(x, 0, false);
        return count;
    }
    if (!(x->lambda > 0))
        forms[count++] = open;
    for (int bound = x->lambda > 0 ? 1 : 0; bound >= 0; bound--) {
        forms[count++] = stick_form(x, bound);
        forms[count++] = slip_form(x, 1, bound);
        forms[count++] = slip_form(x, -1, bound);
    }
    return count;
}

/* ---- many contacts: sweeps ---- */

/* p_E of contact i while the others are held; r is its velocity without its own expansion. */
static void expand_one(const expansion *x, const double *K, const double *r, double *p)
{
    double Ktt = K[0], Ktn = K[1], Knn = K[3];
    for (int k = 0; k < 2; k++) { /* at the bound first, then with u_n = 0 */
        for (int slip = 0; slip < 3; slip++) {
            double s = slip == 2 ? -1 : slip, slope = s != 0 ? edge_slope(x, s) : 0;
            double constant = s != 0 ? edge_constant(x, s) : 0, p_n = x->lambda, p_t;
            if (k == 1 && s != 0)
                p_n = -(r[1] + Ktn * constant) / (Knn + Ktn * slope);
            if (k == 1 && s == 0)
                p_n = Ktt > 0 ? (Ktn * r[0] - Ktt * r[1]) / (Ktt * Knn - Ktn * Ktn) : -r[1] / Knn;
            p_t = s != 0 ? slope * p_n + constant : Ktt > 0 && x->mu > 0 ? -(r[0] + Ktn * p_n) / Ktt : 0;
            double u_n = r[1] + Ktn * p_t + Knn * p_n, u_t = r[0] + Ktt * p_t + Ktn * p_n;
            bool tangential = s != 0 ? s * u_t >= 0 : p_t >= edge_at(x, 1, p_n) && p_t <= edge_at(x, -1, p_n);
            if (tangential && (k == 0 ? u_n >= 0 : p_n >= x->lambda)) {
                p[0] = p_t;
                p[1] = p_n;
                return;
            }
        }
    }
}

static double expand_sweep(const carom_contacts *x, const expansion *law, const double *u_C, double *p)
{
    double change = 0, size = 0;
    for (int i = 0; i < x->count; i++) {
        double r[2] = {u_C[2 * i], u_C[2 * i + 1]}, before[2] = {p[2 * i], p[2 * i + 1]};
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            for (int a = 0; a < 2 && x->column[k] != i; a++)
                r[a] += x->K[4 * k + 2 * a] * p[2 * x->column[k]] + x->K[4 * k + 2 * a + 1] * p[2 * x->column[k] + 1];
        expand_one(&law[i], carom_contacts_block(x, i, i), r, p + 2 * i);
        change = max(change, max(fabs(p[2 * i] - before[0]), fabs(p[2 * i + 1] - before[1])));
        size = max(size, max(fabs(p[2 * i]), fabs(p[2 * i + 1])));
    }
    return size > 0 ? change / size : 0;
}

/* ---- without friction ---- */

static carom_status expand_normals(const carom_contacts *x, const carom_coeffs *c, const double *p_C, double *u,
                                   double *p_E, void *work)
{
    int m = x->count, dim = x->dim;
    size_t size = (size_t)m;
    block_memory block = {work};
    double *N = take_doubles(&block, size * size), *q = take_doubles(&block, size), *z = take_doubles(&block, size);
    bool redundant;
    together_normals(x, N);
    for (int i = 0; i < m; i++)
        p_E[(i + 1) * dim - 1] = c[i].e * together_normal(x, p_C, i);
    for (int i = 0; i < m; i++) {
        q[i] = together_normal(x, u, i);
        for (int j = 0; j < m; j++)
            q[i] += N[i * m + j] * together_normal(x, p_E, j);
    }
    carom_status status = lcp_solve(m, N, q, z, &redundant, block.at);
    for (int i = 0; i < m; i++)
        p_E[(i + 1) * dim - 1] += z[i];
    return status;
}

/* ---- the law ---- */

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    size_t n = (size_t)(x->count * x->dim), m = (size_t)x->count;
    return block_doubles(4 * n) + m * sizeof(expansion) + cone_work(x) + block_doubles(m * m + 2 * m) + lcp_work(m);
}

typedef struct phases {
    const carom_together_call *call;
    const carom_contacts *x;
    double *p_C, *u_C, *p_E, *p; /* p: one solution as a whole */
    expansion *law;
    bool frictionless, singular;
    void *rest;
} phases;

/* All expansions of one compression; the first is the selected one. Returns their number, or minus the status. */
static int expand(phases *s, mode_solution *found, carom_status *status)
{
    const carom_contacts *x = s->x;
    const carom_coeffs *c = s->call->rule->coeffs;
    size_t n = (size_t)(x->count * x->dim);
    *status = CAROM_STATUS_OK;
    carom_contacts_after(x, s->p_C, s->u_C);
    memset(s->p_E, 0, n * sizeof *s->p_E);
    if (s->frictionless) {
        *status = expand_normals(x, c, s->p_C, s->u_C, s->p_E, s->rest);
        return 1;
    }
    for (int i = 0; i < x->count; i++)
        s->law[i] = expansion_of(&c[i], s->p_C[2 * i], s->p_C[2 * i + 1]);
    if (x->count > MODES_ALWAYS) {
        double change = 1;
        for (int k = 0; k < EXPAND_SWEEPS && change > EXPAND_GOAL; k++)
            change = expand_sweep(x, s->law, s->u_C, s->p_E);
        *status = change <= EXPAND_LARGE ? CAROM_STATUS_OK : CAROM_STATUS_ITERATION_LIMIT;
        if (*status == CAROM_STATUS_OK || x->count > EXPAND_MODES)
            return 1;
    }
    mode_problem modes = {.x = x, .q = s->u_C, .admits = admits, .law = s->law, .singular = s->singular};
    for (int i = 0; i < x->count; i++)
        modes.form_count[i] = list_forms(&s->law[i], modes.forms[i]);
    int count = modes_solve(&modes, found);
    *status = count ? CAROM_STATUS_OK : CAROM_STATUS_INADMISSIBLE;
    if (count)
        memcpy(s->p_E, found[0].p, n * sizeof *s->p_E);
    return count;
}

/* The defect of both phases, relative to the largest impulse; planar or frictionless. */
static double residual_of(const phases *s, const double *p, double *y)
{
    const carom_contacts *x = s->x;
    int dim = x->dim;
    double size = largest_of((size_t)(x->count * dim), p), most = 0;
    carom_contacts_after(x, p, y);
    for (int i = 0; i < x->count; i++) {
        const double *K = carom_contacts_block(x, i, i);
        double p_n = together_normal(x, p, i) - together_normal(x, s->p_C, i), y_n = together_normal(x, y, i),
               trace = 0;
        for (int a = 0; a < dim; a++)
            trace += K[a * (dim + 1)];
        double lambda = s->call->rule->coeffs[i].e * together_normal(x, s->p_C, i);
        most = max(most, fabs(p_n - max(lambda, p_n - y_n / trace)));
        if (s->frictionless)
            continue;
        double p_t = p[2 * i] - s->p_C[2 * i], low = edge_at(&s->law[i], 1, p_n), high = edge_at(&s->law[i], -1, p_n);
        most = max(most, fabs(p_t - clamp(p_t - y[2 * i] / trace, low, high)));
    }
    return size > 0 ? most / size : 0;
}

static void report(const phases *s, const double *p_E)
{
    const carom_together_tracer *t = s->call->tracer;
    int n = s->x->count * s->x->dim;
    if (!t || !t->solution)
        return;
    for (int i = 0; i < n; i++)
        s->p[i] = s->p_C[i] + p_E[i];
    carom_contacts_after(s->x, s->p, s->u_C);
    t->solution(t->context, s->p, s->u_C);
}

static bool is_singular(const carom_contacts *x, void *work)
{
    block_memory block = {work};
    int n = x->count * x->dim;
    double *K = take_doubles(&block, (size_t)n * (size_t)n);
    together_full(x, K);
    return linear_is_singular(n, K, block.at);
}

/* Solutions of the other compressions; they are only counted and shown. */
static int count_others(phases *s, const mode_solution *all, int compressions, int first)
{
    mode_solution found[MODES_KEPT];
    int total = first;
    for (int k = 1; k < compressions; k++) {
        carom_status status;
        memcpy(s->p_C, all[k].p, (size_t)(2 * s->x->count) * sizeof *s->p_C);
        int count = expand(s, found, &status);
        for (int j = 0; j < count; j++)
            report(s, found[j].p);
        total += count;
    }
    return total;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    const carom_contacts *x = call->x;
    size_t n = (size_t)(x->count * x->dim);
    block_memory block = {call->work};
    phases s = {call, x, take_doubles(&block, n), take_doubles(&block, n), take_doubles(&block, n), NULL, NULL, 0,
                0,    0};
    s.p = take_doubles(&block, n);
    s.law = (expansion *)(void *)block.at;
    s.rest = block.at + (size_t)x->count * sizeof(expansion);
    s.frictionless = together_is_frictionless(x, call->rule->coeffs);
    if (!s.frictionless && x->dim == 3)
        return CAROM_STATUS_NOT_PLANAR;
    mode_solution all[MODES_KEPT], found[MODES_KEPT];
    memset(s.p_C, 0, n * sizeof *s.p_C);
    cone_problem pb = {x, call->rule->coeffs, x->u, false, call->rule->tolerance, call->rule->iterations};
    cone_end end = cone_solve(&pb, s.p_C, all, s.rest); /* (1) */
    if (end.status)
        return end.status;
    s.singular = !s.frictionless && x->count <= EXPAND_MODES && is_singular(x, s.rest);
    carom_status status;
    int count = expand(&s, found, &status); /* (2) */
    for (size_t i = 0; i < n; i++) {
        out->p[i] = s.p_C[i] + s.p_E[i];
        if (out->p_compression)
            out->p_compression[i] = s.p_C[i];
    }
    out->residual = residual_of(&s, out->p, s.u_C);
    bool enumerated = end.enumerated && x->count <= MODES_ALWAYS;
    for (int k = 0; enumerated && end.solutions + count > 2 && k < count; k++)
        report(&s, found[k].p);
    out->iterations = end.iterations;
    out->examined = s.frictionless || enumerated;
    out->solutions = enumerated ? count_others(&s, all, end.solutions, count) : 1;
    double e = 0;
    for (int i = 0; i < x->count; i++)
        e = max(e, call->rule->coeffs[i].e);
    bool share_is_free = end.redundant && (s.frictionless || end.free_share > FREE_TOL) && e > 0;
    out->flags |= end.redundant ? CAROM_FLAG_REDUNDANT : 0u;
    out->flags |= out->solutions > 1 || (share_is_free && !s.frictionless) ? CAROM_FLAG_NOT_UNIQUE : 0u;
    return status;
}

const carom_together carom_together_poisson_lcp = {
    .id = "poisson-lcp",
    .name = "Poisson, as complementarity problems",
    .summary = "All contacts are compressed together, then each returns e times its impulse; planar with friction.",
    .reference = "glocker1995",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(nu) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_PLANAR_ONLY,
    .frictionless = CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_UNIQUE,
    .most = TOGETHER_LCP_MOST,
    .work = work,
    .solve = solve,
};

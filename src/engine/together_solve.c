/* One impact at several contacts: checks, decisions that all laws share, the law, the ledger. */
#include "carom/assert.h"
#include "carom/patch.h"
#include "carom/solve.h"
#include "core/dense.h"
#include "engine/together_flat.h"
#include "laws/together/together_call.h"
#include "laws/together/together_cone.h"
#include "laws/together/together_lcp.h"
#include "laws/together/together_linear.h"

#define FLAG_TOL    (64 * EPS) /* of the terms of a margin: more than rounding explains */
#define OPENS_TOL   1e-10      /* of the largest normal velocity: an opposed contact that opens */
#define OPPOSED_TOL 1e-9       /* of N_jj: what a combination with N z = 0 may leave */

carom_together_rule carom_together_rule_default(const carom_together *law, const carom_coeffs *coeffs)
{
    carom_together_rule rule = {.law = law, .coeffs = coeffs};
    return rule;
}

static const carom_law *base_of(const carom_together_rule *rule)
{
    return rule->base ? rule->base : carom_law_find("newton");
}

carom_status carom_together_check(const carom_together_rule *rule, int count, int *contact, carom_coeff *culprit)
{
    *contact = 0;
    *culprit = CAROM_COEFF_COUNT;
    if (!rule->law)
        return CAROM_STATUS_NO_LAW;
    if (count < 1 || count > rule->law->most)
        return CAROM_STATUS_BAD_SIZE;
    carom_rule single = {.law = base_of(rule), .options = rule->options};
    for (int i = 0; i < count; i++) {
        single.coeffs = rule->coeffs[i];
        carom_status status = carom_rule_check(&single, culprit);
        *contact = i;
        if (status || carom_coeffs_vary(&single.coeffs))
            return status ? status : CAROM_STATUS_OUT_OF_SCOPE;
    }
    bool bounded = (rule->law->uses & (CAROM_USES(mu) | CAROM_USES(ratio_1))) == CAROM_USES(mu); /* not sequential */
    *culprit = CAROM_COEFF_mu;
    for (int i = 0; bounded && i < count; i++) {
        *contact = i;
        if (!isfinite(rule->coeffs[i].mu))
            return CAROM_STATUS_OUT_OF_SCOPE;
    }
    const uint64_t springs = CAROM_USES(eta) | CAROM_USES(exponent); /* compliant: linear ones, unless mu = 0 */
    *culprit = CAROM_COEFF_exponent;
    for (int i = 0; bounded && (rule->law->uses & springs) == springs && i < count; i++) {
        *contact = i;
        if (rule->coeffs[i].exponent != 1 && rule->coeffs[i].mu > 0)
            return CAROM_STATUS_OUT_OF_SCOPE;
    }
    for (int i = 1; i < count; i++) {
        *contact = i;
        bool one_e = (rule->law->uses & (CAROM_USES(e) | CAROM_USES(mu))) == CAROM_USES(e); /* reflections */
        *culprit = one_e ? CAROM_COEFF_e : CAROM_COEFF_exponent;
        if (one_e && rule->coeffs[i].e != rule->coeffs[0].e)
            return CAROM_STATUS_OUT_OF_SCOPE;
        if (rule->law->uses & CAROM_USES(exponent) && rule->coeffs[i].exponent != rule->coeffs[0].exponent)
            return CAROM_STATUS_OUT_OF_SCOPE;
    }
    *contact = 0;
    *culprit = CAROM_COEFF_COUNT;
    return CAROM_STATUS_OK;
}

static size_t opposed_work(const carom_contacts *x)
{
    size_t m = (size_t)x->count;
    return x->count > TOGETHER_OPPOSED_MOST ? 0 : block_doubles(m + 2 * m * m + 3 * m) + lcp_work(m);
}

size_t carom_together_work(const carom_contacts *problem, const carom_together_rule *rule)
{
    if (!rule->law)
        return 0;
    const flat_rows rows = flat_rows_of(problem, rule->coeffs);
    const carom_contacts shape = {problem->count, rows.count, problem->row, problem->column, NULL, NULL};
    return rule->law->work(&shape, rule) + opposed_work(problem) +
           (rows.count < problem->dim ? flat_size(problem, &rows) : 0);
}

/* ---- opposed contacts: some z >= 0 has N z = 0 and z_j > 0 ---- */

/* Contact j is opposed when its column of N lies in the cone of minus the others: least |N_j + sum N_k z_k|. */
static bool is_opposed(const double *N, int m, int j, block_memory block)
{
    double *A = take_doubles(&block, (size_t)(m * m)), *q = take_doubles(&block, (size_t)m);
    double *z = take_doubles(&block, (size_t)m), left = 0;
    bool redundant;
    int n = m - 1;
    for (int a = 0, ia = 0; a < m; a++) {
        if (a == j)
            continue;
        q[ia] = N[a * m + j];
        for (int b = 0, ib = 0; b < m; b++)
            if (b != j)
                A[ia * n + ib++] = N[a * m + b];
        ia++;
    }
    if (n < 1 || lcp_solve(n, A, q, z, &redundant, block.at) != CAROM_STATUS_OK)
        return false;
    left = N[j * m + j]; /* (e_j + z) N (e_j + z) */
    for (int a = 0; a < n; a++) {
        left += 2 * z[a] * q[a];
        for (int b = 0; b < n; b++)
            left += z[a] * A[a * n + b] * z[b];
    }
    return left <= OPPOSED_TOL * N[j * m + j];
}

typedef struct opposition {
    bool *opposed; /* or null */
    bool inconsistent;
} opposition;

static opposition find_opposed(const carom_contacts *x, block_memory block)
{
    opposition found = {NULL, false};
    int m = x->count;
    if (m < 2 || m > TOGETHER_OPPOSED_MOST)
        return found;
    bool *opposed = (bool *)take_doubles(&block, (size_t)m);
    double *N = take_doubles(&block, (size_t)(m * m)), fastest = 0;
    together_normals(x, N);
    if (!linear_is_singular(m, N, block.at))
        return found;
    for (int j = 0; j < m; j++)
        fastest = max(fastest, fabs(together_normal(x, x->u, j)));
    for (int j = 0; j < m; j++) {
        opposed[j] = is_opposed(N, m, j, block);
        if (opposed[j])
            found.opposed = opposed;
        found.inconsistent |= opposed[j] && together_normal(x, x->u, j) > OPENS_TOL * fastest;
    }
    return found;
}

/* ---- the ledger ---- */

static bool approaches(const carom_contacts *x)
{
    for (int i = 0; i < x->count; i++)
        if (together_normal(x, x->u, i) < 0)
            return true;
    return false;
}

static void fill_energy(const carom_contacts *x, carom_together_outcome *out, double *work_size)
{
    int dim = x->dim, n = carom_contacts_normal(x);
    carom_energy energy = {0, 0, 0, 0, 0};
    double *shares[] = {&energy.friction, &energy.friction, &energy.normal, &out->spin, &out->roll, &out->roll};
    out->spin = out->roll = 0;
    *work_size = 0;
    for (int i = 0; i < x->count * dim; i++) {
        double work = 0.5 * out->p[i] * (x->u[i] + out->u_after[i]);
        *shares[i % dim == n ? 2 : i % dim] += work;
        *work_size += fabs(out->p[i]) * (fabs(x->u[i]) + fabs(out->u_after[i]));
        for (int k = x->row[i / dim]; out->p[i] != 0 && k < x->row[i / dim + 1]; k++)
            for (int b = 0; b < dim; b++)
                *work_size += fabs(out->p[i] * x->K[(k * dim + i % dim) * dim + b] * out->p[x->column[k] * dim + b]);
    }
    energy.change = energy.normal + energy.friction + (out->spin + out->roll);
    out->energy = energy;
}

/* Does u_n after fall below zero by more than its terms explain? */
static bool penetrates(const carom_contacts *x, const carom_together_outcome *out, int i)
{
    int dim = x->dim;
    double size = fabs(together_normal(x, x->u, i)), u_n = together_normal(x, out->u_after, i);
    for (int k = x->row[i]; u_n < 0 && k < x->row[i + 1]; k++)
        for (int b = 0; b < dim; b++)
            size += fabs(x->K[(k * dim + carom_contacts_normal(x)) * dim + b] * out->p[x->column[k] * dim + b]);
    return u_n < -FLAG_TOL * size;
}

static bool leaves_cone(const carom_contacts *x, const carom_together_rule *rule, const carom_together_outcome *out,
                        int i)
{
    const double *p = out->p + i * x->dim, mu = rule->coeffs[i].mu;
    const carom_cvec friction_of = {p[0], x->dim == 2 ? 0 : p[1], 0};
    double friction = x->dim > 3 ? carom_patch_needs(&rule->coeffs[i], rule->options.pressure, friction_of, p[3])
                                 : carom_cvec_slip(friction_of),
           most = largest_of((size_t)(x->count * x->dim), out->p);
    return friction - mu * p[carom_contacts_normal(x)] > 1e-12 * most;
}

static void fill_ledger(const carom_contacts *x, const carom_together_rule *rule, carom_together_outcome *out)
{
    double size;
    fill_energy(x, out, &size);
    out->flags |= out->energy.change > FLAG_TOL * size ? CAROM_FLAG_CREATES_ENERGY : 0u;
    for (int i = 0; i < x->count; i++) {
        out->flags |= penetrates(x, out, i) ? CAROM_FLAG_PENETRATES : 0u;
        out->flags |= leaves_cone(x, rule, out, i) ? CAROM_FLAG_OUTSIDE_CONE : 0u;
    }
}

/* ---- the call ---- */

static carom_status clear(const carom_contacts *x, carom_together_outcome *out, carom_status status)
{
    static const carom_energy none;
    int n = x->count * x->dim;
    for (int i = 0; i < n; i++) {
        out->p[i] = 0;
        out->u_after[i] = x->u[i];
        if (out->p_compression)
            out->p_compression[i] = 0;
    }
    for (int i = 0; out->losses && i < 2 * x->count; i++)
        out->losses[i] = 0;
    for (int i = 0; out->modes && i < x->count; i++)
        out->modes[i] = CAROM_TOGETHER_MODE_OPEN;
    out->status = status;
    out->flags = 0;
    out->energy = none;
    out->residual = 0;
    out->iterations = 0;
    out->solutions = carom_status_is_refusal(status) ? 0 : 1;
    out->examined = true;
    out->endless = false;
    return status;
}

static bool is_finite(const carom_contacts *x)
{
    size_t dim = (size_t)x->dim;
    return dense_finite(x->u, (size_t)x->count * dim) && dense_finite(x->K, (size_t)x->row[x->count] * dim * dim);
}

static bool is_immovable(const carom_contacts *x)
{
    for (int i = 0; i < x->count; i++) {
        const double *K = carom_contacts_block(x, i, i);
        if (!K || !(K[carom_contacts_normal(x) * (x->dim + 1)] > 0))
            return true;
    }
    return false;
}

/* The law and the ledger, on a problem that has been checked. */
static carom_status solve_checked(const carom_contacts *x, const carom_together_rule *rule,
                                  const carom_together_tracer *tracer, void *work, carom_together_outcome *out)
{
    block_memory block = {work};
    opposition opposed = find_opposed(x, block);
    if (opposed.inconsistent)
        return clear(x, out, CAROM_STATUS_INADMISSIBLE);
    carom_together_call call = {x, rule, tracer, opposed.opposed, (char *)work + opposed_work(x)};
    (void)clear(x, out, CAROM_STATUS_OK);
    out->examined = false;
    carom_status status = rule->law->solve(&call, out);
    if (carom_status_is_refusal(status))
        return clear(x, out, status);
    carom_contacts_after(x, out->p, out->u_after);
    fill_ledger(x, rule, out);
    return out->status = status;
}

static carom_status solve_flat(const carom_contacts *x, const carom_together_rule *rule,
                               const carom_together_tracer *tracer, void *work, carom_together_outcome *out)
{
    block_memory block = {work};
    const flat_rows rows = flat_rows_of(x, rule->coeffs);
    flat_problem flat = flat_cut(x, &rows, out, tracer, &block);
    carom_together_tracer shown = flat_tracer(&flat);
    carom_status status = solve_checked(&flat.cut, rule, tracer ? &shown : NULL, block.at, &flat.out);
    flat_expand(&flat, out);
    return status;
}

/* A patch or rolling resistance needs more numbers than the problem has. */
static bool lacks_spins(const carom_contacts *x, const carom_together_rule *rule)
{
    for (int i = 0; i < x->count && rule->law->uses & CAROM_USES(patch); i++)
        if (carom_patch_size(&rule->coeffs[i]) > max(3, x->dim))
            return true;
    return false;
}

carom_status carom_together_solve(const carom_contacts *x, const carom_together_rule *given,
                                  const carom_together_tracer *tracer, void *work, carom_together_outcome *out)
{
    CAROM_ASSERT(x && given && work && out && out->p && out->u_after);
    int contact;
    carom_coeff culprit;
    carom_together_rule rule = *given;
    rule.base = base_of(given);
    carom_status status = carom_together_check(&rule, x->count, &contact, &culprit);
    status = status            ? status
             : !is_finite(x)   ? CAROM_STATUS_NOT_FINITE
             : is_immovable(x) ? CAROM_STATUS_IMMOVABLE
             : !approaches(x)  ? CAROM_STATUS_SEPARATING
                               : status;
    if (status)
        return clear(x, out, status);
    const bool whole = flat_rows_of(x, rule.coeffs).count == x->dim;
    if (lacks_spins(x, &rule) || (x->dim > 3 && whole && !(rule.law->uses & CAROM_USES(patch))))
        return clear(x, out, CAROM_STATUS_OUT_OF_SCOPE);
    return (whole ? solve_checked : solve_flat)(x, &rule, tracer, work, out);
}

/* ---- energy ---- */

size_t carom_together_energy_work(const carom_contacts *x)
{
    size_t n = (size_t)(x->count * x->dim);
    return block_doubles(n * n + n) + linear_work(n);
}

double carom_together_energy(const carom_contacts *x, void *work)
{
    block_memory block = {work};
    int n = x->count * x->dim;
    double *K = take_doubles(&block, (size_t)n * (size_t)n), *z = take_doubles(&block, (size_t)n), sum = 0;
    together_full(x, K);
    (void)linear_limit(n, K, x->u, z, block.at);
    for (int i = 0; i < n; i++)
        sum += 0.5 * x->u[i] * z[i];
    return max(0, sum);
}

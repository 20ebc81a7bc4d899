/* sequential: one contact at a time, by a law of one contact, until none approaches.
 *
 * Hypothesis   the gaps are not quite closed: contacts are hit one after the other.
 * Equations    p_j <- p_j + base(K_jj, u_j),   u <- u + K_.j dp_j,   until all u_n >= 0                        (1)
 *              order worst: the most negative u_n next, the lowest index of a tie; sweep: contacts in turn     (2)
 *              two contacts, no friction, one e, kappa = -N_12 / sqrt(N_11 N_22): for kappa > 0 and both
 *              u_n <= 0 the sequence never ends iff kappa >= 2 sqrt(e) / (1 + e), and p -> -N^-1 u_n           (3)
 * Page         docs/laws/sequential.md
 * Reference    Chatterjee (1997), section 10.1; Ivanov (1995) */
#include "carom/solve.h"
#include "laws/together/together_call.h"

#define STOP_TOL    1e-14 /* of the fastest approach before: slower ones do not count */
#define TIE_TOL     1e-12 /* of an approach: others this close to it are tied */
#define COUPLED_TOL 1e-12 /* of K_ii: a block below it does not couple */
#define CLAMPED_TOL 1e-9  /* kappa this close to one: N has no inverse */

enum { IMPACTS_MOST = 10000 };

typedef struct run {
    const carom_together_call *call;
    const carom_contacts *x;
    double *u; /* dim m */
    double stop;
    int turn; /* sweep: the contact whose turn it is */
} run;

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    return block_doubles((size_t)(x->count * x->dim));
}

static bool is_coupled(const carom_contacts *x, int i, int j)
{
    const double *K = carom_contacts_block(x, i, j), *own = carom_contacts_block(x, i, i);
    int size = x->dim * x->dim;
    for (int k = 0; K && k < size; k++)
        if (fabs(K[k]) > COUPLED_TOL * own[size - 1])
            return true;
    return false;
}

static int worst_contact(run *r, unsigned *flags)
{
    const carom_contacts *x = r->x;
    int worst = -1;
    double least = -r->stop;
    for (int i = 0; i < x->count; i++)
        least = min(least, together_normal(x, r->u, i));
    for (int i = 0; i < x->count; i++) {
        double u_n = together_normal(x, r->u, i);
        if (!(u_n < -r->stop && u_n <= least * (1 - TIE_TOL)))
            continue;
        if (worst < 0)
            worst = i;
        else if (is_coupled(x, worst, i))
            *flags |= CAROM_FLAG_ORDER_DEPENDENT;
    }
    return worst;
}

static int swept_contact(run *r)
{
    const int *order = r->call->rule->sequence;
    for (int k = 0; k < r->x->count; k++) {
        int i = order ? order[r->turn] : r->turn;
        r->turn = (r->turn + 1) % r->x->count;
        if (together_normal(r->x, r->u, i) < -r->stop)
            return i;
    }
    return -1;
}

static int next_contact(run *r, unsigned *flags)
{
    bool sweeps = r->call->rule->sequence || r->call->rule->options.order == CAROM_OPTION_ORDER_SWEEP;
    return sweeps ? swept_contact(r) : worst_contact(r, flags);
}

static void report(const run *r, int i, int impact, const double *p)
{
    const carom_together_tracer *t = r->call->tracer;
    if (!t || !t->event)
        return;
    carom_together_event event = {CAROM_TOGETHER_EVENT_HIT, i, {impact, p, r->u, NULL, NULL, NULL}};
    t->event(t->context, &event);
}

/* Is (3) the end of this sequence? */
static bool never_ends(const run *r)
{
    const carom_contacts *x = r->x;
    const carom_together_rule *rule = r->call->rule;
    const carom_law *base = rule->base;
    double e = rule->coeffs[0].e;
    bool normal = (base->uses & ~CAROM_USES(e)) == 0 || together_is_frictionless(x, rule->coeffs);
    if (x->count != 2 || !(base->traits & CAROM_TRAIT_NEWTON_E) || !normal || rule->coeffs[1].e != e ||
        !carom_contacts_block(x, 0, 1) || base->uses & CAROM_USES(ratio_1))
        return false;
    int last = x->dim * x->dim - 1;
    double N11 = carom_contacts_block(x, 0, 0)[last], N22 = carom_contacts_block(x, 1, 1)[last];
    double kappa = -carom_contacts_block(x, 0, 1)[last] / sqrt(N11 * N22);
    return kappa > 0 && kappa < 1 - CLAMPED_TOL && kappa >= 2 * sqrt(e) / (1 + e) && together_normal(x, r->u, 0) <= 0 &&
           together_normal(x, r->u, 1) <= 0;
}

static void add_impulse(run *r, int i, const double *dp, double *p)
{
    const carom_contacts *x = r->x;
    int dim = x->dim;
    for (int a = 0; a < dim; a++)
        p[i * dim + a] += dp[a];
    for (int k = x->row[i]; k < x->row[i + 1]; k++) /* K is symmetric: row i serves as its column */
        for (int a = 0; a < dim; a++)
            for (int b = 0; b < dim; b++)
                r->u[x->column[k] * dim + a] += x->K[(k * dim + b) * dim + a] * dp[b];
}

/* p -> -N^-1 u_n, from where the sequence stands. */
static void end_endless(run *r, carom_together_outcome *out)
{
    const carom_contacts *x = r->x;
    int last = x->dim * x->dim - 1, n = x->dim - 1;
    double N11 = carom_contacts_block(x, 0, 0)[last], N22 = carom_contacts_block(x, 1, 1)[last];
    double N12 = carom_contacts_block(x, 0, 1)[last], det = difference_of_products(N11, N22, N12, N12);
    double u1 = together_normal(x, r->u, 0), u2 = together_normal(x, r->u, 1), first[3] = {0}, second[3] = {0};
    first[n] = difference_of_products(N12, u2, N22, u1) / det;
    second[n] = difference_of_products(N12, u1, N11, u2) / det;
    add_impulse(r, 0, first, out->p);
    add_impulse(r, 1, second, out->p);
    out->endless = true;
}

static carom_status hit(run *r, int i, double *p)
{
    const carom_contacts now = {r->x->count, r->x->dim, r->x->row, r->x->column, r->x->K, r->u};
    const carom_problem alone = carom_contacts_alone(&now, i);
    carom_rule rule = carom_rule_default(r->call->rule->base);
    rule.coeffs = r->call->rule->coeffs[i];
    rule.options = r->call->rule->options;
    carom_outcome single;
    carom_status status = carom_solve(&alone, &rule, NULL, &single);
    if (!carom_status_is_answer(status))
        return status;
    double dp[3] = {single.p.t1, r->x->dim == 3 ? single.p.t2 : single.p.n, single.p.n};
    add_impulse(r, i, dp, p);
    r->u[(i + 1) * r->x->dim - 1] = single.u_after.n;
    return CAROM_STATUS_OK;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    const carom_contacts *x = call->x;
    run r = {call, x, call->work, 0, 0};
    for (int i = 0; i < x->count * x->dim; i++)
        r.u[i] = x->u[i];
    for (int i = 0; i < x->count; i++)
        r.stop = max(r.stop, STOP_TOL * fabs(together_normal(x, x->u, i)));
    out->solutions = 1;
    for (int i; (i = next_contact(&r, &out->flags)) >= 0; out->iterations++) {
        if (out->iterations == IMPACTS_MOST)
            return CAROM_STATUS_ITERATION_LIMIT;
        if (never_ends(&r)) {
            end_endless(&r, out);
            return CAROM_STATUS_OK;
        }
        carom_status status = hit(&r, i, out->p);
        if (status)
            return status;
        report(&r, i, out->iterations, out->p);
    }
    return CAROM_STATUS_OK;
}

const carom_together carom_together_sequential = {
    .id = "sequential",
    .name = "One after the other",
    .summary = "A law of one contact at one contact at a time, until none approaches; the order matters.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu) | CAROM_USES(mu_s) | CAROM_USES(nu) | CAROM_USES(s_1) |
            CAROM_USES(s_2) | CAROM_USES(ratio_1) | CAROM_USES(ratio_2) | CAROM_USES(eta),
    .traits = CAROM_TRAIT_UNIQUE | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ONE_BY_ONE,
    .frictionless = 0,
    .most = CAROM_CONTACTS_MOST,
    .work = work,
    .solve = solve,
};

/* moreau: Newton's restitution at every contact, Coulomb's cones, all at once.
 *
 * Hypothesis   a closed contact opens with at least e times its approach; friction acts on u_t after + e_t u_t.
 * Equations    y_n = u_n after + e min(u_n, 0),   y_t = u_t after + e_t u_t,   y = q + K p                    (1)
 *              0 <= p_n, 0 <= y_n, p_n y_n = 0                                                                (2)
 *              |p_t| <= mu p_n,   p_t = -mu p_n y_t / |y_t| where y_t is not zero                             (3)
 *              option cone = convex: p in the cone, y in its dual, p . y = 0, in place of (2) and (3)         (4)
 * Page         docs/laws/moreau.md
 * Reference    Moreau (1988); Jean (1999); De Saxce and Feng (1998); Anitescu and Tasora (2010) for (4) */
#include "laws/together/moreau_spins.h"
#include "laws/together/together_cone.h"

static void form_q(const carom_contacts *x, const carom_coeffs *c, double *q) /* (1) */
{
    for (int i = 0; i < x->count; i++) {
        int n = x->dim - 1;
        const double *u = x->u + i * x->dim;
        for (int a = 0; a < n; a++)
            q[i * x->dim + a] = (1 + c[i].e_t) * u[a];
        q[i * x->dim + n] = u[n] + c[i].e * (u[n] < 0 ? u[n] : 0);
    }
}

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    size_t n = (size_t)(x->count * x->dim);
    if (x->dim > 3)
        return moreau_spins_work(x);
    return block_doubles(3 * n) + block_ints((size_t)x->count) + cone_work(x);
}

static void report_all(const carom_together_call *call, const mode_solution *all, int count, double *u_after)
{
    for (int k = 0; call->tracer && call->tracer->solution && k < count; k++) {
        carom_contacts_after(call->x, all[k].p, u_after);
        call->tracer->solution(call->tracer->context, all[k].p, u_after);
    }
}

/* A contact with an impulse and y_n > 0. */
static bool lifts_off(const carom_contacts *x, const double *p, const double *y)
{
    double size = largest_of((size_t)(x->count * x->dim), p), speed = largest_of((size_t)(x->count * x->dim), y);
    for (int i = 0; i < x->count; i++)
        if (together_normal(x, p, i) > 1e-12 * size && together_normal(x, y, i) > 1e-12 * speed)
            return true;
    return false;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    const carom_contacts *x = call->x;
    const carom_together_rule *rule = call->rule;
    if (x->dim > 3)
        return moreau_spins(call, out);
    size_t n = (size_t)(x->count * x->dim);
    block_memory block = {call->work};
    double *q = take_doubles(&block, n), *y = take_doubles(&block, n), *after = take_doubles(&block, n);
    mode_solution all[MODES_KEPT];
    form_q(x, rule->coeffs, q);
    cone_problem pb = {
        x, rule->coeffs, q, rule->options.cone == CAROM_OPTION_CONE_CONVEX, rule->tolerance, rule->iterations};
    cone_end end = cone_solve(&pb, out->p, all, block.at);
    together_velocity(x, q, out->p, y);
    if (out->modes)
        cone_modes(&pb, out->p, y, out->modes);
    for (int i = 0; out->modes && end.enumerated && end.solutions > 0 && i < x->count; i++)
        out->modes[i] = all[0].modes[i];
    sweep_problem measure = {x, rule->coeffs, q, pb.convex, 0, 0, 0, NULL};
    out->residual = sweep_residual(&measure, out->p, y);
    out->iterations = end.iterations;
    out->solutions = end.solutions;
    out->examined = end.examined || pb.convex;
    out->flags |= end.redundant ? CAROM_FLAG_REDUNDANT : 0u;
    out->flags |= end.not_unique || end.solutions > 1 ? CAROM_FLAG_NOT_UNIQUE : 0u;
    out->flags |= pb.convex && lifts_off(x, out->p, y) ? CAROM_FLAG_DILATES : 0u;
    if (end.enumerated && end.solutions > 1)
        report_all(call, all, end.solutions, after);
    return end.status;
}

const carom_together carom_together_moreau = {
    .id = "moreau",
    .name = "Moreau",
    .summary = "Newton's restitution at every contact with Coulomb's cones, as one complementarity problem.",
    .reference = "moreau1988",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu) | CAROM_USES(patch) | CAROM_USES(rho),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_CONTACT_MODES,
    .frictionless = CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_UNIQUE,
    .most = CAROM_CONTACTS_MOST,
    .work = work,
    .solve = solve,
};

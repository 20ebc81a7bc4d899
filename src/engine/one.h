/* One impact: gate, law, ledger. */
#ifndef CAROM_ENGINE_ONE_H
#define CAROM_ENGINE_ONE_H

#include <string.h>

#include "carom/solve.h"
#include "contact/impact.h"
#include "core/coeffs_check.h"
#include "engine/ledger.h"
#include "engine/trace_back.h"

/* |p| against |u| / |K|, in even units: the impulse that stops a direction which a singular K does not move has this
 * size at least. */
#define RUNAWAY 1e12

static const carom_outcome nothing = {.mode = "no_impact", .solutions = 1};

static inline carom_status refuse(carom_status status, carom_outcome *out)
{
    *out = nothing;
    out->solutions = 0;
    return out->status = status;
}

/* The change of energy has a product with each component of p and u_after: none is infinite or NaN unless it is. The
 * work of friction may come from a path. */
static inline bool is_finite_answer(const carom_outcome *out)
{
    double sum = out->energy.after + out->energy.change + out->energy.friction;
    return sum - sum == 0;
}

/* -0 becomes 0, so that answers read well. */
static inline carom_cvec without_negative_zero(carom_cvec v)
{
    return carom_cvec_make(v.t1 + 0.0, v.t2 + 0.0, v.n + 0.0);
}

/* The impulse is zero: nothing changes, and only the energy before is worth saying. */
static carom_status no_impulse(const carom_problem *problem, carom_status status, carom_outcome *out)
{
    *out = nothing;
    out->u_after = without_negative_zero(problem->u);
    out->energy.before = out->energy.after = 0.5 * psd_form(&problem->K, problem->u);
    out->margins.normal = problem->u.n;
    return is_finite_answer(out) ? out->status = status : refuse(CAROM_STATUS_OUT_OF_RANGE, out);
}

/* ---- the law ---- */

/* The word of a branch; a law of the user may count beyond its list. */
static inline const char *mode_of(const carom_law *law, int branch)
{
    return (unsigned)branch < (unsigned)law->mode_count ? law->modes[branch] : "";
}

/* jams has a bit for each of the first 64 branches; chatterjee-mix has more, and none of them jams. */
static inline bool branch_jams(const carom_law *law, int branch)
{
    return (unsigned)branch < 64 && law->jams >> branch & 1;
}

static inline carom_status call_kernel(const carom_impact *x, const carom_rule *rule, carom_outcome *out)
{
    const carom_law *law = rule->law;
    const carom_impulse r = law->kernel(x, &rule->coeffs);
    if (isnan(r.p.t1 + r.p.t2 + r.p.n))
        return law->refusal ? law->refusal : CAROM_STATUS_OUT_OF_RANGE;
    out->p = r.p;
    out->u_after = r.u_after;
    out->mode = mode_of(law, r.branch);
    out->flags |= branch_jams(law, r.branch) ? CAROM_FLAG_JAM : 0;
    return CAROM_STATUS_OK;
}

/* The kernel covers this contact, and there is no path to report. */
static inline bool takes_kernel(const carom_law *law, carom_kind kind)
{
    bool covered = !law->kinds || law->kinds >> kind & 1;
    return law->kernel && ((covered && !(law->traits & CAROM_TRAIT_HAS_PATH)) || !law->solve);
}

static inline bool is_in_plane(const carom_impact *x)
{
    return x->kind == CAROM_KIND_SPHERE || x->kind == CAROM_KIND_FLAT || (x->K.t22 == 0 && x->u.t2 == 0);
}

static carom_status run_law(gate *g, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_law *law = rule->law;
    if (law->traits & CAROM_TRAIT_PLANAR_ONLY && !is_in_plane(&g->x) && !gate_find_plane(g))
        return CAROM_STATUS_NOT_PLANAR;
    if (takes_kernel(law, g->x.kind))
        return call_kernel(&g->x, rule, out);
    trace_back back;
    return law->solve(&g->x, rule, trace_back_begin(&back, g, tracer), out);
}

/* Contact-force laws have stiffnesses: they see the problem in its own units and axes, and no spectrum. */
static carom_status run_in_si(const gate *g, const carom_problem *problem, const carom_rule *rule,
                              const carom_tracer *tracer, carom_outcome *out)
{
    carom_impact x;
    const minors m = minors_of(&problem->K);
    impact_set(&x, problem, &m, g->x.kind);
    x.u.n = g->x.u.n < 0 ? x.u.n : 0;
    return rule->law->solve(&x, rule, tracer, out);
}

/* ---- back to the problem ---- */

/* Impulses, velocities and works in the units and axes of the problem. */
static void leave_gate(const gate *g, carom_outcome *out)
{
    double unit_p = g->unit_u / g->unit_K; /* a work takes its units one after the other: their product may overflow */
    carom_phases *ph = &out->phases;
    out->p = gate_back(g, unit_p, out->p);
    out->u_after = gate_back(g, g->unit_u, out->u_after);
    for (int i = 0; out->solutions > 1 && i < out->solutions && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = gate_back(g, unit_p, out->all[i]);
    ph->p_compression *= unit_p;
    ph->p_restitution *= unit_p;
    ph->work_compression = ph->work_compression * unit_p * g->unit_u;
    ph->work_decompression = ph->work_decompression * unit_p * g->unit_u;
    ph->work_friction = ph->work_friction * unit_p * g->unit_u;
}

/* All that follows from the impulse of a law, or from impulse and rebound. A grazing approach counts as no impact.
 * ordinary: the gate left K as it is. */
static inline carom_status finish(const gate *g, const carom_problem *problem, bool ordinary, const carom_rule *rule,
                                  carom_outcome *out)
{
    carom_problem pb = *problem;
    const minors m = impact_minors(&g->x);
    pb.u.n = g->x.u.n < 0 ? pb.u.n : 0;
    carom_cvec v = carom_cvec_add(pb.u, carom_csym_apply(pb.K, out->p));
    out->p = without_negative_zero(out->p);
    out->u_after = without_negative_zero(rule->law->traits & CAROM_TRAIT_GIVES_REBOUND ? out->u_after : v);
    double form = ordinary ? minors_form(&g->x.K, &m, g->x.u) : psd_form(&pb.K, pb.u);
    ledger_fill(&pb, 0.5 * form, min(rule->coeffs.mu, MU_MAX), out);
    return is_finite_answer(out) ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

/* Sizes of p and u of a singular K in the units in which its rank is judged: tangents and normal each in their own, so
 * that p.u and p K p are made of them. */
typedef struct even_sizes {
    double p, u, root_n;
} even_sizes;

static even_sizes even_sizes_of(const carom_csym *K, carom_cvec u, carom_cvec p)
{
    double root_t = sqrt(K->t11 + K->t22), root_n = sqrt(K->nn), slip = length_of(u.t1, u.t2);
    even_sizes s = {root_t * length_of(p.t1, p.t2) + root_n * fabs(p.n),
                    (root_t > 0 ? slip / root_t : 0) + fabs(u.n) / root_n, root_n};
    return s;
}

/* Where a singular K leaves a law no finite impulse, what it finds is as large as rounding makes it. */
static bool runs_away(const carom_impact *x, carom_cvec p)
{
    if (x->kind != CAROM_KIND_SINGULAR)
        return false;
    const even_sizes size = even_sizes_of(&x->K, x->u, p);
    return size.p > RUNAWAY * size.u;
}

/* Or it breaks the promise of the law. The answer belongs to a K that differs by RANK_TOL of its whole: what this does
 * to velocity and energy breaks no promise, and raises no flag. */
static bool breaks_promise(const carom_problem *problem, const carom_law *law, carom_outcome *out)
{
    const even_sizes size = even_sizes_of(&problem->K, problem->u, out->p);
    double slack = FLAG_TOL * size.u + 2 * (FLAG_TOL + RANK_TOL) * size.p;
    out->flags &= out->u_after.n < -slack * size.root_n ? ~0u : ~(unsigned)CAROM_FLAG_PENETRATES;
    out->flags &= out->energy.change > slack * size.p ? ~0u : ~(unsigned)CAROM_FLAG_CREATES_ENERGY;
    bool penetrates = law->traits & CAROM_TRAIT_NO_PENETRATION && out->flags & CAROM_FLAG_PENETRATES;
    bool creates = law->traits & CAROM_TRAIT_ENERGY_SAFE && out->flags & CAROM_FLAG_CREATES_ENERGY;
    return penetrates || creates;
}

/* The contact is in the gate. */
static inline carom_status solve_in_gate(gate *g, const carom_problem *problem, const carom_rule *rule,
                                         const carom_tracer *tracer, carom_outcome *out)
{
    *out = nothing;
    const bool in_si = rule->law->traits & CAROM_TRAIT_CONTACT_FORCE;
    carom_status status = in_si ? run_in_si(g, problem, rule, tracer, out) : run_law(g, rule, tracer, out);
    if (status && carom_status_is_refusal(status))
        return refuse(status, out);
    if (!in_si && runs_away(&g->x, out->p))
        return refuse(CAROM_STATUS_UNBOUNDED, out);
    if ((g->x.spectrum || g->turned) && !in_si)
        leave_gate(g, out);
    carom_status finished = finish(g, problem, g->x.spectrum == NULL, rule, out);
    if (finished)
        return refuse(finished, out);
    if (g->x.kind == CAROM_KIND_SINGULAR && breaks_promise(problem, rule->law, out))
        return refuse(CAROM_STATUS_UNBOUNDED, out);
    return out->status = status;
}

/* The rule with a friction whose products stay finite. */
static carom_rule bounded(const carom_rule *rule)
{
    carom_rule r = *rule;
    r.coeffs.mu = min(r.coeffs.mu, MU_MAX);
    r.coeffs.mu_s = min(r.coeffs.mu_s, MU_MAX);
    return r;
}

static inline bool is_good_rule(const carom_rule *rule)
{
    return rule->law && (rule->law->kernel || rule->law->solve) && coeffs_in_range(&rule->coeffs) &&
           (rule->coeffs.e >= 0 || rule->law->traits & CAROM_TRAIT_SIGNED_E);
}

static carom_status solve_one(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                              carom_outcome *out)
{
    gate g;
    carom_rule copy;
    carom_status status = is_good_rule(rule) ? CAROM_STATUS_OK : carom_rule_check(rule, NULL);
    if (status == CAROM_STATUS_OK)
        status = gate_enter(problem, rule->law->traits & CAROM_TRAIT_FRAME_FREE, &g);
    if (status == CAROM_STATUS_SEPARATING)
        return no_impulse(problem, status, out);
    if (status)
        return refuse(status, out);
    bool grazes = g.x.u.n == 0;
    if (grazes && rule->options.grazing == CAROM_OPTION_GRAZING_IGNORE)
        return no_impulse(&(carom_problem){problem->K, {problem->u.t1, problem->u.t2, 0}}, CAROM_STATUS_GRAZING, out);
    if (rule->coeffs.mu > MU_MAX || rule->coeffs.mu_s > MU_MAX) {
        copy = bounded(rule);
        rule = &copy;
    }
    status = solve_in_gate(&g, problem, rule, tracer, out);
    return out->status = grazes && status == CAROM_STATUS_OK ? CAROM_STATUS_GRAZING : status;
}

#endif

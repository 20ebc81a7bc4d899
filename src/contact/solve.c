#include "carom/solve.h"

#include <stddef.h>
#include <string.h>

#include "carom/assert.h"
#include "contact/alone.h"
#include "core/isa.h"

/* Everything but the events, which count as absent when event_count is zero. */
static void clear(carom_outcome *out)
{
    memset(out, 0, offsetof(carom_outcome, all));
    out->mode = "no_impact";
}

carom_rule carom_rule_default(const carom_law *law)
{
    carom_rule rule = {law, carom_coeffs_default(), {0}};
    return rule;
}

carom_status carom_rule_check(const carom_rule *rule, carom_coeff *culprit)
{
    if (!rule->law)
        return CAROM_STATUS_NO_LAW;
    carom_status status = carom_coeffs_check(&rule->coeffs, culprit);
    if (status)
        return status;
    bool signed_e = rule->law->traits & CAROM_TRAIT_SIGNED_E;
    if (rule->coeffs.e < 0 && !signed_e) {
        if (culprit)
            *culprit = CAROM_COEFF_e;
        return CAROM_STATUS_BAD_COEFFICIENT;
    }
    return CAROM_STATUS_OK;
}

static carom_status refuse(carom_status status, carom_outcome *out)
{
    clear(out);
    return out->status = status;
}

/* The impulse is zero: nothing changes, and only the energy before is worth saying. */
static carom_status no_impulse(const carom_problem *problem, const schur *s, carom_status status, carom_outcome *out)
{
    clear(out);
    out->u_after = problem->u;
    out->solutions = 1;
    out->energy.before = out->energy.after = 0.5 * psd_form(&problem->K, s, problem->u);
    out->margins.normal = problem->u.n;
    return is_finite_answer(out) ? out->status = status : refuse(CAROM_STATUS_OUT_OF_RANGE, out);
}

/* K p against u. Where a K has lost its rank and u is none of the velocities that its impulses can make, friction may
 * jam with no finite end; what a law then finds is as large as rounding makes it. */
#define RUNAWAY 1e12

static SELDOM bool runs_away(const carom_problem *problem, carom_cvec p)
{
    carom_cvec u = problem->u;
    double size = problem->K.t11 + problem->K.t22 + problem->K.nn, speed = fabs(u.t1) + fabs(u.t2) + fabs(u.n);
    return fabs(p.t1) + fabs(p.t2) + fabs(p.n) > RUNAWAY * (speed / size);
}

/* The problem is valid and approaches or grazes; s is the complement of its K. */
static carom_status run_law(const carom_problem *problem, const schur *s, const carom_rule *rule,
                            const carom_tracer *tracer, carom_outcome *out)
{
    alone_begin(out);
    out->p = out->u_after = carom_cvec_make(0, 0, 0);
    carom_status status = rule->law->solve(problem, rule, tracer, out);
    if (status && carom_status_is_refusal(status))
        return refuse(status, out);
    if (!s->regular && runs_away(problem, out->p))
        return refuse(CAROM_STATUS_UNBOUNDED, out);
    if (!outcome_finish(problem, s, rule->coeffs.mu, rule->law->traits & CAROM_TRAIT_GIVES_REBOUND, out))
        return refuse(CAROM_STATUS_OUT_OF_RANGE, out);
    return out->status = status;
}

/* A problem that does not approach: true when that is the answer. Else it grazes, and the law has the word. */
static SELDOM bool stays_apart(const carom_problem *problem, const schur *s, const carom_rule *rule, carom_outcome *out)
{
    carom_cvec u = problem->u;
    bool apart = u.n > 0 || (u.t1 == 0 && u.t2 == 0), ignored = rule->options.grazing == CAROM_OPTION_GRAZING_IGNORE;
    if (apart || ignored)
        no_impulse(problem, s, apart ? CAROM_STATUS_SEPARATING : CAROM_STATUS_GRAZING, out);
    return apart || ignored;
}

/* The common case, if it is one: see contact/alone.h. */
static bool is_common(const carom_problem *problem, const carom_rule *rule, carom_outcome *out)
{
    const carom_law_batch *batch = rule->law ? rule->law->batch : NULL;
    return batch && batch->alone.at[isa_best()](problem, rule, out);
}

/* Every case. */
static SELDOM carom_status solve_closely(const carom_problem *problem, const carom_rule *rule,
                                         const carom_tracer *tracer, carom_outcome *outcome)
{
    schur s;
    carom_status status = is_good_rule(rule) ? CAROM_STATUS_OK : carom_rule_check(rule, NULL);
    if (status == CAROM_STATUS_OK)
        status = problem_check(problem, &s);
    if (status)
        return refuse(status, outcome);
    bool approaches = problem->u.n < 0;
    if (!approaches && stays_apart(problem, &s, rule, outcome))
        return outcome->status;
    status = run_law(problem, &s, rule, tracer, outcome);
    if (!approaches && status == CAROM_STATUS_OK)
        status = CAROM_STATUS_GRAZING;
    return outcome->status = status;
}

carom_status carom_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                         carom_outcome *outcome)
{
    CAROM_ASSERT(problem && rule && outcome);
    return !tracer && is_common(problem, rule, outcome) ? CAROM_STATUS_OK
                                                        : solve_closely(problem, rule, tracer, outcome);
}

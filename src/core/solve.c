#include "carom/solve.h"

#include <stddef.h>

#include "carom/assert.h"
#include "core/ledger.h"

/* Everything but the events, which count as absent when event_count is zero. */
static void clear(carom_outcome *out)
{
    static const carom_outcome nothing;
    __builtin_memcpy(out, &nothing, offsetof(carom_outcome, all));
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
        return CAROM_NO_LAW;
    carom_status status = carom_coeffs_check(&rule->coeffs, culprit);
    if (status)
        return status;
    bool signed_e = rule->law->traits & CAROM_TRAIT_SIGNED_E;
    if (rule->coeffs.e < 0 && !signed_e) {
        if (culprit)
            *culprit = CAROM_COEFF_e;
        return CAROM_BAD_COEFFICIENT;
    }
    return CAROM_OK;
}

static bool is_finite_answer(const carom_outcome *out)
{
    carom_cvec p = out->p, u = out->u_after;
    return 0 * (p.t1 + p.t2 + p.n) + 0 * (u.t1 + u.t2 + u.n) + 0 * (out->energy.after + out->energy.change) == 0;
}

/* The impulse is zero: nothing changes, and only the energy before is worth saying. */
static carom_status no_impulse(const carom_problem *problem, carom_status status, carom_outcome *out)
{
    out->status = status;
    out->u_after = problem->u;
    out->solutions = 1;
    out->energy.before = out->energy.after = carom_problem_energy(problem);
    out->margins.normal = problem->u.n;
    return status;
}

static carom_status refuse(carom_status status, carom_outcome *out)
{
    clear(out);
    return out->status = status;
}

/* The problem is valid and approaches or grazes. */
static carom_status run_law(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                            carom_outcome *out)
{
    out->solutions = 1;
    carom_status status = rule->law->solve(problem, rule, tracer, out);
    if (carom_status_is_refusal(status))
        return refuse(status, out);
    if (!(rule->law->traits & CAROM_TRAIT_GIVES_REBOUND))
        out->u_after = carom_cvec_add(problem->u, carom_csym_apply(problem->K, out->p));
    ledger_fill(problem, rule, out);
    if (!is_finite_answer(out))
        return refuse(CAROM_OUT_OF_RANGE, out);
    return out->status = status;
}

carom_status carom_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                         carom_outcome *outcome)
{
    CAROM_ASSERT(problem && rule && outcome);
    clear(outcome);
    carom_status status = carom_rule_check(rule, NULL);
    if (status == CAROM_OK)
        status = carom_problem_check(problem);
    if (status)
        return outcome->status = status;
    carom_cvec u = problem->u;
    if (u.n > 0 || (u.n == 0 && u.t1 == 0 && u.t2 == 0))
        return no_impulse(problem, CAROM_SEPARATING, outcome);
    if (u.n < 0)
        return run_law(problem, rule, tracer, outcome);
    if (rule->options.grazing == CAROM_GRAZING_IGNORE)
        return no_impulse(problem, CAROM_GRAZING, outcome);
    status = run_law(problem, rule, tracer, outcome);
    return outcome->status = status == CAROM_OK ? CAROM_GRAZING : status;
}

/* One impact alone, in the common case: from the check of the problem to the ledger in one function, so that numbers
 * stay in registers on the way. Every law makes such a function, LANES_ALONE, from its answer; carom_solve asks it
 * first and sees to everything else (contact/solve.c). Compiled per instruction set, as the loops of contact/lanes.h
 * are, but with flags of its own: see cmake/lanes.cmake. */
#ifndef CAROM_CORE_ALONE_H
#define CAROM_CORE_ALONE_H

#include "contact/lanes.h"
#include "contact/problem_check.h"
#include "core/coeffs_check.h"
#include "core/ledger.h"

/* True: carom_rule_check says CAROM_STATUS_OK. */
static inline bool is_good_rule(const carom_rule *rule)
{
    return rule->law && coeffs_are_good(&rule->coeffs) &&
           (rule->coeffs.e >= 0 || rule->law->traits & CAROM_TRAIT_SIGNED_E);
}

/* -0 becomes 0, so that answers read well. */
static inline carom_cvec without_negative_zero(carom_cvec v)
{
    return carom_cvec_make(v.t1 + 0.0, v.t2 + 0.0, v.n + 0.0);
}

/* The change of energy has a product with each component of p and u_after: none is infinite or NaN unless it is. The
 * work of friction may come from a path. */
static inline bool is_finite_answer(const carom_outcome *out)
{
    double sum = out->energy.after + out->energy.change + out->energy.friction;
    return sum - sum == 0;
}

/* All that follows from the impulse of a law, or from impulse and rebound; s is the complement of K. False: some of it
 * left the range of double. */
LANES_INLINE bool outcome_finish(const carom_problem *problem, const schur *s, double mu, bool gives_rebound,
                                 carom_outcome *out)
{
    carom_cvec v = gives_rebound ? out->u_after : carom_cvec_add(problem->u, carom_csym_apply(problem->K, out->p));
    out->p = without_negative_zero(out->p);
    out->u_after = without_negative_zero(v);
    ledger_fill(problem, s, mu, out);
    return is_finite_answer(out);
}

/* What neither the law nor the ledger writes. */
static inline void alone_begin(carom_outcome *out)
{
    static const carom_phases none;
    out->status = CAROM_STATUS_OK;
    out->flags = 0;
    out->mode = "no_impact";
    out->phases = none;
    out->solutions = 1;
    out->event_count = 0;
}

/* problem_is_regular, out of line: for what problem_is_common leaves out. */
static SELDOM bool is_regular(const carom_problem *problem)
{
    const schur s = schur_minors(&problem->K);
    return problem_is_regular(problem, &s);
}

/* The function, from the answer of a law. */
#ifdef LANES_LOOPS_ONLY
#define LANES_ALONE(name, answer, gives_rebound)
#else
#define LANES_ALONE(name, answer, gives_rebound)                                                                       \
    lanes_alone name##_baseline, name##_avx2, name##_avx512;                                                           \
    bool LANES_VARIANT(name)(const carom_problem *restrict problem, const carom_rule *restrict rule,                   \
                             carom_outcome *restrict out)                                                              \
    {                                                                                                                  \
        if (!(problem->u.n < 0) || !is_good_rule(rule))                                                                \
            return false;                                                                                              \
        schur s = schur_minors(&problem->K);                                                                           \
        if (!problem_is_common(problem, &s) && !is_regular(problem))                                                   \
            return false;                                                                                              \
        s.regular = true;                                                                                              \
        alone_begin(out);                                                                                              \
        return answer(problem, &s, rule, out) == CAROM_STATUS_OK &&                                                    \
               outcome_finish(problem, &s, rule->coeffs.mu, gives_rebound, out);                                       \
    }
#endif

/* And from its solve, of a law that does not care for the complement. */
#define LANES_ALONE_SOLVE(name, solve, gives_rebound)                                                                  \
    LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,             \
                                     carom_outcome *out)                                                               \
    {                                                                                                                  \
        (void)s;                                                                                                       \
        return solve(problem, rule, NULL, out);                                                                        \
    }                                                                                                                  \
    LANES_ALONE(name, answer, gives_rebound)

#endif

/* A law by its id, asked once: for tests that know what they want of it. */
#ifndef CAROM_TESTS_LAWS_H
#define CAROM_TESTS_LAWS_H

#include "support/check.h"

#define TIGHT 1e-12 /* numbers that have more digits than a double, well-conditioned */

static inline carom_rule rule_of(const char *id)
{
    carom_rule rule = carom_rule_default(carom_law_find(id));
    assert_non_null(rule.law);
    return rule;
}

static inline carom_outcome solved_with(const carom_problem *pb, const char *id, double e, double mu)
{
    carom_rule rule = rule_of(id);
    rule.coeffs.e = e;
    rule.coeffs.mu = mu;
    return solved(pb, &rule);
}

#endif

/* Carom: the one call.
 *
 *     carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
 *     rule.coeffs.e = 0.8;
 *     carom_outcome out;
 *     carom_status status = carom_solve(&problem, &rule, NULL, &out);
 */
#ifndef CAROM_SOLVE_H
#define CAROM_SOLVE_H

#include "carom/export.h"
#include "carom/law.h"
#include "carom/outcome.h"
#include "carom/path.h"
#include "carom/problem.h"

CAROM_BEGIN

/* A rule with default coefficients and options. */
CAROM_API carom_rule carom_rule_default(const carom_law *law);

/* CAROM_STATUS_OK if carom_solve accepts the rule; otherwise what it will refuse it with, and the coefficient to blame.
 */
CAROM_API CAROM_MUST_USE carom_status carom_rule_check(const carom_rule *rule, carom_coeff *culprit);

/* Resolve one impact: validate, solve, fill the ledger. tracer may be null. The outcome, which must lie apart from
 * problem and rule, is defined on every status and equals outcome->status; it holds no NaN. Thread-safe, allocates
 * nothing. */
CAROM_API CAROM_MUST_USE carom_status carom_solve(const carom_problem *problem, const carom_rule *rule,
                                                  const carom_tracer *tracer, carom_outcome *outcome);

CAROM_END

#endif

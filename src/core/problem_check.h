/* The check of a problem, with the complement it computes on the way. */
#ifndef CAROM_CORE_PROBLEM_CHECK_H
#define CAROM_CORE_PROBLEM_CHECK_H

#include "carom/problem.h"
#include "core/psd.h"

/* A zero diagonal entry must have a zero row. */
static inline bool rows_fit(const carom_csym *K)
{
    bool first = (K->t11 > 0) | ((K->t11 == 0) & (K->t12 == 0) & (K->t1n == 0));
    bool second = (K->t22 > 0) | ((K->t22 == 0) & (K->t12 == 0) & (K->t2n == 0));
    return first & second;
}

/* carom_problem_check; *s is set when the answer is CAROM_OK. */
carom_status problem_check(const carom_problem *problem, schur *s);

#endif

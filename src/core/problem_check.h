/* The check of a problem, with the complement it computes on the way. */
#ifndef CAROM_CORE_PROBLEM_CHECK_H
#define CAROM_CORE_PROBLEM_CHECK_H

#include "carom/problem.h"
#include "core/psd.h"

/* carom_problem_check; *s is set when the answer is CAROM_OK. */
carom_status problem_check(const carom_problem *problem, schur *s);

#endif

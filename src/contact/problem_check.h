/* The check of a problem, with the complement it computes on the way. */
#ifndef CAROM_CORE_PROBLEM_CHECK_H
#define CAROM_CORE_PROBLEM_CHECK_H

#include "carom/problem.h"
#include "core/psd.h"

/* Numbers between these bring neither an energy nor what the laws multiply out of the range of double, however singular
 * K is within RANK_TOL. */
#define COMFORT_MOST  1e20
#define COMFORT_LEAST 1e-20

/* The common case, seen at a glance and without a branch: problem_check says CAROM_STATUS_OK, K has the rank its rows
 * promise, and all numbers are of ordinary size. Every NaN fails. s are the minors of K. */
static inline bool problem_is_regular(const carom_problem *pb, const schur *s)
{
    const carom_csym *K = &pb->K;
    bool first = (K->t11 >= COMFORT_LEAST) & minor_has_rank(s->n11, K->t1n);
    bool second = (K->t22 >= COMFORT_LEAST) & minor_has_rank(s->n22, K->t2n);
    bool absent1 = (K->t11 == 0) & (K->t12 == 0) & (K->t1n == 0),
         absent2 = (K->t22 == 0) & (K->t12 == 0) & (K->t2n == 0);
    bool block = first & second & minor_has_rank(s->det, s->n12);
    bool rank = s->whole ? block : block | (first & absent2) | (absent1 & second) | (absent1 & absent2);
    double size = K->t11 + K->t22 + K->nn, speed = fabs(pb->u.t1) + fabs(pb->u.t2) + fabs(pb->u.n);
    bool ordinary = (size <= COMFORT_MOST) & (speed <= COMFORT_MOST) & (speed >= COMFORT_LEAST);
    return rank & (K->nn >= COMFORT_LEAST) & ordinary;
}

/* The upper half of its bits: numbers that are not negative order like it. */
static inline uint32_t upper_bits(double x)
{
    return (uint32_t)(bits_of(x) >> 32);
}

/* From 2^-64 on, and below 2^64: three sum to a comfortable number. Asked without the units for floating point. */
static inline bool is_ordinary(double x)
{
    return upper_bits(x) - upper_bits(0x1p-64) < upper_bits(0x1p64) - upper_bits(0x1p-64);
}

static inline bool is_moderate(double x)
{
    return upper_bits(fabs(x)) < upper_bits(0x1p64);
}

/* The commonest cases of it, in few branches that always go the same way: no direction is absent, or the second is. */
static inline bool problem_is_common(const carom_problem *pb, const schur *s)
{
    const carom_csym *K = &pb->K;
    bool fits = is_ordinary(K->nn) && is_ordinary(K->t11) && is_ordinary(-pb->u.n) && is_moderate(pb->u.t1) &&
                is_moderate(pb->u.t2) && minor_has_rank(s->n11, K->t1n);
    if (is_ordinary(K->t22))
        return fits && minor_has_rank(s->n22, K->t2n) && minor_has_rank(s->det, s->n12);
    return fits && K->t22 == 0 && K->t12 == 0 && K->t2n == 0;
}

/* A zero diagonal entry must have a zero row. */
static inline bool rows_fit(const carom_csym *K)
{
    bool first = (K->t11 > 0) | ((K->t11 == 0) & (K->t12 == 0) & (K->t1n == 0));
    bool second = (K->t22 > 0) | ((K->t22 == 0) & (K->t12 == 0) & (K->t2n == 0));
    return first & second;
}

/* Everything these leave open, one by one. s are the minors of K; deficient is set. */
carom_status problem_check_closely(const carom_problem *problem, schur *s);

/* carom_problem_check; *s is set when the answer is CAROM_STATUS_OK. */
static inline carom_status problem_check(const carom_problem *problem, schur *s)
{
    *s = schur_minors(&problem->K);
    s->regular = problem_is_common(problem, s) || problem_is_regular(problem, s);
    return s->regular ? CAROM_STATUS_OK : problem_check_closely(problem, s);
}

#endif

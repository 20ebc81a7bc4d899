/* What the unit tests share: cmocka, and comparison of doubles with a named relative error. */
#ifndef CAROM_TESTS_CHECK_H
#define CAROM_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/carom.h"

/* |got - want| <= tol * scale, and neither is NaN. */
#define assert_near(got, want, scale, tol)                                                                             \
    do {                                                                                                               \
        double got_ = (got), want_ = (want), bound_ = (tol) * (scale);                                                 \
        if (!(fabs(got_ - want_) <= bound_)) {                                                                         \
            print_error("%s = %.17g, not %.17g (difference %.3g, allowed %.3g)\n", #got, got_, want_, got_ - want_,    \
                        bound_);                                                                                       \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* The same, relative to the wanted value. */
#define assert_close(got, want, tol) assert_near(got, want, fabs(want), tol)

static inline double largest(carom_cvec v)
{
    return fmax(fabs(v.t1), fmax(fabs(v.t2), fabs(v.n)));
}

/* Componentwise, relative to scale. */
#define assert_cvec_near(got, want, scale, tol)                                                                        \
    do {                                                                                                               \
        carom_cvec g_ = (got), w_ = (want);                                                                            \
        assert_near(g_.t1, w_.t1, scale, tol);                                                                         \
        assert_near(g_.t2, w_.t2, scale, tol);                                                                         \
        assert_near(g_.n, w_.n, scale, tol);                                                                           \
    } while (0)

/* The events of the last call of solve_seen. */
static carom_event seen_events[64];

static inline carom_status solve_seen(const carom_problem *problem, const carom_rule *rule, carom_outcome *out)
{
    carom_event_log log = {seen_events, sizeof seen_events / sizeof seen_events[0], 0};
    const carom_tracer tracer = carom_event_log_tracer(&log);
    carom_status status = carom_solve(problem, rule, &tracer, out);
    assert_int_equal(log.count, out->event_count);
    return status;
}

/* An outcome, where an answer is expected. */
static inline carom_outcome solved(const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    carom_status status = solve_seen(pb, rule, &out);
    assert_true(carom_status_is_answer(status));
    return out;
}

#endif

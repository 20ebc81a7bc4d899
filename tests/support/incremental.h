/* What the tests of the incremental laws share. */
#ifndef CAROM_TESTS_INCREMENTAL_H
#define CAROM_TESTS_INCREMENTAL_H

#include <string.h>

#include "support/check.h"

#ifndef EPS
#define EPS 0x1p-52
#endif

static const char *const laws[] = {"routh-newton", "routh-poisson", "routh-stronge"};
enum { NEWTON, POISSON, STRONGE };

static inline carom_rule rule_of(int law, double e, double mu)
{
    carom_rule rule = carom_rule_default(carom_law_find(laws[law]));
    rule.coeffs.e = e;
    rule.coeffs.mu = mu;
    return rule;
}

static inline void close_to(double x, double y, double tolerance)
{
    assert_near(x, y, 1, tolerance);
}

static inline void cvec_close(carom_cvec x, double t1, double t2, double n, double tolerance)
{
    close_to(x.t1, t1, tolerance);
    close_to(x.t2, t2, tolerance);
    close_to(x.n, n, tolerance);
}

static inline void events_are(const carom_outcome *out, const char *words)
{
    char text[256] = "";
    for (int i = 0; i < out->event_count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, carom_event_word(seen_events[i].kind));
    }
    assert_string_equal(text, words);
}

#endif

#include "laws/springs/compliant_slip.h"

#include <string.h>

#include "support/check.h"

/* The beginning of an impact in slip: f = 0, and the springs point along the slip. */
static compliant beginning(void)
{
    compliant c;
    memset(&c, 0, sizeof c);
    c.K = (carom_csym){2.617, -0.413, 3.129, 0.718, -0.537, 1.942};
    c.mu = 0.437;
    c.k = 1.291;
    c.slipping = true;
    c.now.u = carom_cvec_make(0.616, 0.462, -0.813);
    c.now.s = (tvec){0.8, 0.6};
    return c;
}

/* The series satisfy (7), with p_n in units of `unit`. */
static void solves_the_equations(void **state)
{
    (void)state;
    const double unit = 0.5, t = 0.19;
    const int n = SLOW_ORDER;
    double omega[SLOW_ORDER + 1] = {0}, ds1, ds2, dy, dp1, dun;
    compliant c = beginning();
    series x;
    series_begin(&c, &x);
    slow_sweep(&c, unit, omega, &x);
    double s1 = taylor_at_slope(x.s1, n, t, &ds1), s2 = taylor_at_slope(x.s2, n, t, &ds2);
    double un = taylor_at_slope(x.un, n, t, &dun), y = taylor_at_slope(x.y, n, t, &dy);
    double w = s1 * taylor_at(x.u2, n, t) - s2 * taylor_at(x.u1, n, t);
    (void)taylor_at_slope(x.p1, n, t, &dp1);
    carom_cvec dp = carom_cvec_make(-c.mu * s1 * unit, -c.mu * s2 * unit, unit);
    assert_near(dp1, dp.t1, 1, 1e-14);
    assert_near(dun, carom_csym_apply(c.K, dp).n, 1, 1e-14);
    assert_near(dy, -2 * c.k * unit * un, 1, 1e-14);
    assert_near(c.mu * y * ds1, -s2 * w * unit, 1, 1e-14);
    assert_near(c.mu * y * ds2, s1 * w * unit, 1, 1e-14);
    assert_near(s1 * s1 + s2 * s2, 1, 1, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "laws/springs/compliant_slip.h"

#include <string.h>

#include "support/check.h"

static compliant slipping(void)
{
    compliant c;
    memset(&c, 0, sizeof c);
    c.K = (carom_csym){2.617, -0.413, 3.129, 0.718, -0.537, 1.942};
    c.mu = 0.437;
    c.k = 1.291;
    c.slipping = c.restitution = true;
    c.now.u = carom_cvec_make(0.413, 0.227, 0.119);
    c.now.s.t1 = 0.8;
    c.now.s.t2 = 0.6;
    c.now.y = 1.173;
    return c;
}

static const tau_map bent = {2, {0.173, -0.291}};

/* dtau / dz of (8a). */
static double pace_of(const tau_map *m, double z)
{
    double D = 1 + z * (m->pole.alpha + z * m->pole.beta);
    return (1 - m->pole.beta * z * z) / (D * D * m->unit);
}

static void expand(const compliant *c, const tau_map *map, series *x)
{
    series_begin(c, x);
    x->order = TAU_ORDER;
    tau_expand(c, map, x);
}

/* The series satisfy (8): value and slope of each at one point. */
static void solves_the_equations(void **state)
{
    (void)state;
    const double z = 0.21, pace = pace_of(&bent, z);
    const int n = TAU_ORDER;
    compliant c = slipping();
    series x;
    expand(&c, &bent, &x);
    double dp1, dp2, dpn, du1, du2, dun, ds1, ds2, dy;
    (void)taylor_at_slope(x.p1, n, z, &dp1);
    (void)taylor_at_slope(x.p2, n, z, &dp2);
    (void)taylor_at_slope(x.pn, n, z, &dpn);
    double u1 = taylor_at_slope(x.u1, n, z, &du1), u2 = taylor_at_slope(x.u2, n, z, &du2);
    double un = taylor_at_slope(x.un, n, z, &dun), y = taylor_at_slope(x.y, n, z, &dy);
    double s1 = taylor_at_slope(x.s1, n, z, &ds1), s2 = taylor_at_slope(x.s2, n, z, &ds2);
    double omega = s1 * u2 - s2 * u1;
    carom_cvec dp = carom_cvec_make(-c.mu * s1 * y * pace, -c.mu * s2 * y * pace, y * pace);
    assert_cvec_near(carom_cvec_make(dp1, dp2, dpn), dp, 1, 1e-14);
    assert_cvec_near(carom_cvec_make(du1, du2, dun), carom_csym_apply(c.K, dp), 1, 1e-14);
    assert_near(c.mu * ds1, -s2 * omega * pace, 1, 1e-14);
    assert_near(c.mu * ds2, s1 * omega * pace, 1, 1e-14);
    assert_near(dy, -2 * c.k * un * y * pace, 1, 1e-14);
    assert_near(s1 * s1 + s2 * s2, 1, 1, 1e-14);
}

/* The variable bends the way, not where it goes: the same tau, the same spot. */
static void same_spot_in_any_variable(void **state)
{
    (void)state;
    const tau_map straight = {2, {0, 0}};
    const double z = 0.17, tau = z / (1 + z * (bent.pole.alpha + z * bent.pole.beta));
    compliant c = slipping();
    series a, b;
    expand(&c, &bent, &a);
    expand(&c, &straight, &b);
    const double *rows[][2] = {{a.p1, b.p1}, {a.pn, b.pn}, {a.u2, b.u2}, {a.s1, b.s1}, {a.s2, b.s2}, {a.y, b.y}};
    for (int i = 0; i < 6; i++)
        assert_near(taylor_at(rows[i][0], TAU_ORDER, z), taylor_at(rows[i][1], TAU_ORDER, tau), 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_equations),
        cmocka_unit_test(same_spot_in_any_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "laws/compliant_slip.h"

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

/* The series satisfy (8): slopes by differences, between the sums at two points. */
static void solves_the_equations(void **state)
{
    (void)state;
    const double unit = 2, t = 0.21, h = 1e-4;
    compliant c = slipping();
    root_series x;
    quad p[3], sg[3];
    x.order = ROOT_ORDER;
    slip_series_baseline.expand(&c, unit, &x);
    for (int i = 0; i < 3; i++)
        slip_series_baseline.sum(&x, t + (i - 1) * h, &p[i], &sg[i]);
    double s1 = quad_at(&sg[1], 0) + c.now.s.t1, s2 = quad_at(&sg[1], 1) + c.now.s.t2, g = quad_at(&sg[1], 2) + 1,
           y = c.now.y;
    carom_cvec u = carom_cvec_add(
        c.now.u, carom_csym_apply(c.K, carom_cvec_make(quad_at(&p[1], 0), quad_at(&p[1], 1), quad_at(&p[1], 2))));
    double turn = (s1 * u.t2 - s2 * u.t1) / (c.mu * g);
    const double want[6] = {
        -c.mu * s1 * y * g * g * g, -c.mu * s2 * y * g * g * g, y * g * g * g, -s2 * turn, s1 * turn, -0.5 * c.k * u.n};
    for (int i = 0; i < 3; i++) {
        assert_near(unit * (quad_at(&p[2], i) - quad_at(&p[0], i)) / (2 * h), want[i], 1, 1e-7);
        assert_near(unit * (quad_at(&sg[2], i) - quad_at(&sg[0], i)) / (2 * h), want[3 + i], 1, 1e-7);
    }
    assert_near(s1 * s1 + s2 * s2, 1, 1, 1e-14);
}

static void sets_agree_to_the_bit(void **state)
{
    (void)state;
    const slip_series *best = slip_series_best();
    compliant c = slipping();
    for (int order = 2; order <= ROOT_ORDER; order++) {
        root_series a, b;
        quad p[2], sg[2];
        a.order = b.order = order;
        slip_series_baseline.expand(&c, 1.73, &a);
        best->expand(&c, 1.73, &b);
        slip_series_baseline.sum(&a, 0.31, &p[0], &sg[0]);
        best->sum(&b, 0.31, &p[1], &sg[1]);
        assert_memory_equal(&p[0], &p[1], sizeof p[0]);
        assert_memory_equal(&sg[0], &sg[1], sizeof sg[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_equations),
        cmocka_unit_test(sets_agree_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

static const tau_map bent = {2, 0.173, -0.291};

/* dtau / dt of (8a). */
static double pace_of(const tau_map *m, double t)
{
    double D = 1 + t * (m->alpha + t * m->beta);
    return (1 - m->beta * t * t) / (D * D * m->unit);
}

/* The series satisfy (8): slopes by differences, between the sums at two points. */
static void solves_the_equations(void **state)
{
    (void)state;
    const double t = 0.21, h = 1e-4, pace = pace_of(&bent, t);
    compliant c = slipping();
    tau_series x;
    quad p[3], sy[3];
    x.order = TAU_ORDER;
    slip_series_baseline.expand(&c, &bent, &x);
    for (int i = 0; i < 3; i++)
        slip_series_baseline.sum(&x, t + (i - 1) * h, &p[i], &sy[i]);
    double s1 = quad_at(&sy[1], 0) + c.now.s.t1, s2 = quad_at(&sy[1], 1) + c.now.s.t2, y = quad_at(&sy[1], 2) + 1;
    carom_cvec u = carom_cvec_add(
        c.now.u, carom_csym_apply(c.K, carom_cvec_make(quad_at(&p[1], 0), quad_at(&p[1], 1), quad_at(&p[1], 2))));
    double turn = (s1 * u.t2 - s2 * u.t1) / c.mu, push = c.now.y * y;
    const double want[6] = {-c.mu * s1 * push, -c.mu * s2 * push, push, -s2 * turn, s1 * turn, -2 * c.k * u.n * y};
    for (int i = 0; i < 3; i++) {
        assert_near((quad_at(&p[2], i) - quad_at(&p[0], i)) / (2 * h), pace * want[i], 1, 1e-7);
        assert_near((quad_at(&sy[2], i) - quad_at(&sy[0], i)) / (2 * h), pace * want[3 + i], 1, 1e-7);
    }
    assert_near(s1 * s1 + s2 * s2, 1, 1, 1e-14);
}

/* The variable bends the way, not where it goes: the same tau, the same spot. */
static void same_spot_in_any_variable(void **state)
{
    (void)state;
    const tau_map straight = {2, 0, 0};
    const double t = 0.17, tau = t / (1 + t * (bent.alpha + t * bent.beta));
    compliant c = slipping();
    tau_series a, b;
    quad p[2], sy[2];
    a.order = b.order = TAU_ORDER;
    slip_series_baseline.expand(&c, &bent, &a);
    slip_series_baseline.expand(&c, &straight, &b);
    slip_series_baseline.sum(&a, t, &p[0], &sy[0]);
    slip_series_baseline.sum(&b, tau, &p[1], &sy[1]);
    for (int i = 0; i < 3; i++) {
        assert_near(quad_at(&p[0], i), quad_at(&p[1], i), 1, 1e-15);
        assert_near(quad_at(&sy[0], i), quad_at(&sy[1], i), 1, 1e-15);
    }
}

static void sets_agree_to_the_bit(void **state)
{
    (void)state;
    const slip_series *best = slip_series_best();
    compliant c = slipping();
    for (int order = 2; order <= TAU_ORDER; order++) {
        tau_series a, b;
        quad p[2], sy[2];
        a.order = b.order = order;
        slip_series_baseline.expand(&c, &bent, &a);
        best->expand(&c, &bent, &b);
        slip_series_baseline.sum(&a, 0.31, &p[0], &sy[0]);
        best->sum(&b, 0.31, &p[1], &sy[1]);
        assert_memory_equal(&p[0], &p[1], sizeof p[0]);
        assert_memory_equal(&sy[0], &sy[1], sizeof sy[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_equations),
        cmocka_unit_test(same_spot_in_any_variable),
        cmocka_unit_test(sets_agree_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

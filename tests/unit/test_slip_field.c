/* laws/coulomb/slip_field.c: rates, rays and the state without slip, on the system of Baber's figure 4. Numbers:
 * 200-bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "laws/coulomb/coulomb.h"

static const carom_csym figure4 = {20, 0, 4, 1, 6, 10};

static slip_field field_with(double mu)
{
    carom_coeffs c = carom_coeffs_default();
    c.mu = mu;
    return carom_slip_field(&figure4, &c);
}

static tvec towards(double degrees)
{
    double x = degrees * (acos(-1) / 180);
    tvec c = {cos(x), sin(x)};
    return c;
}

static double angle_of(tvec c)
{
    double x = atan2(c.t2, c.t1) * (180 / acos(-1));
    return x < 0 ? x + 360 : x;
}

static void four_rays(void **state)
{
    (void)state;
    const double angle[] = {86.668939286850, 209.081674736515, 281.352223993617, 322.897161983019};
    const double growth[] = {3.210154373481, -15.144, -8.9197, -12.746};
    const double digits[] = {1e-11, 1e-3, 1e-4, 1e-3};
    slip_field F = field_with(0.7);
    for (int i = 0; i < 4; i++) {
        tvec c = towards(angle[i] + 1.375);
        slip_rates q;
        assert_true(carom_slip_field_ray(&F, &c, &q));
        assert_true(fabs(angle_of(c) - angle[i]) < 1e-11);
        assert_true(fabs(q.g / F.kinetic.C - growth[i]) < digits[i]);
        assert_true((q.f1 < 0) == (i % 2 == 0)); /* attracting and repelling rays take turns */
    }
}

static void origin_leaves_along_the_diverging_ray(void **state)
{
    (void)state;
    slip_field F = field_with(0.7);
    slip_origin o = carom_slip_field_origin(&F);
    assert_false(o.sticks);
    assert_true(fabs(angle_of(o.c) - 86.668939286850) < 1e-11);
    assert_true(fabs(o.g / F.kinetic.C - 3.210154373481) < 1e-11);
    F = field_with(1.51);
    o = carom_slip_field_origin(&F); /* |a| = |(0.05, 1.5)| < 1.51 */
    assert_true(o.sticks);
    assert_true(o.a.t1 == 0.05 && o.a.t2 == 1.5);
    assert_true(fabs(o.h - 0.95) < 1e-15);
}

/* kappa to its own last digits, although it is a difference 1e10 times smaller than its terms. */
static void stick_slope_of_an_ill_conditioned_K(void **state)
{
    (void)state;
    carom_csym K = {3, 1, 2, 1, 0.5, 0.35 + 0x1p-33}; /* b.a = (2 b1^2 - 2 b1 b2 + 3 b2^2)/5 = 0.35 */
    carom_coeffs c = carom_coeffs_default();
    c.mu = 1;
    slip_field F = carom_slip_field(&K, &c);
    slip_origin o = carom_slip_field_origin(&F);
    double exact = fma(20, K.nn, -7) / 20;
    assert_true(fabs(o.h - exact) <= 4 * EPS * exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_rays),
        cmocka_unit_test(origin_leaves_along_the_diverging_ray),
        cmocka_unit_test(stick_slope_of_an_ill_conditioned_K),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

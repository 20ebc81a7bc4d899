#include <string.h>

#include "support/check.h"

static const carom_problem ball = {{3.5, 0, 3.5, 0, 0, 2}, {0.5, 0, -1}};

static carom_rule newton(void)
{
    return carom_rule_default(carom_law_find("newton"));
}

static carom_status solve_with(carom_problem pb, carom_rule rule, carom_outcome *out)
{
    memset(out, 0xff, sizeof *out); /* whatever was there must not show through */
    carom_status status = carom_solve(&pb, &rule, NULL, out);
    assert_int_equal(status, out->status);
    assert_non_null(out->mode);
    return status;
}

static void assert_zero_impulse(const carom_outcome *out)
{
    assert_true(out->p.t1 == 0 && out->p.t2 == 0 && out->p.n == 0);
    assert_int_equal(out->flags, 0);
    assert_int_equal(out->event_count, 0);
}

static void test_an_impact(void **state)
{
    (void)state;
    carom_outcome out;
    assert_int_equal(solve_with(ball, newton(), &out), CAROM_STATUS_OK);
    assert_true(out.p.n == 0.75 && out.u_after.n == 0.5 && out.u_after.t1 == 0.5);
    assert_int_equal(out.solutions, 1);
}

static void test_separating_grazing_resting(void **state)
{
    (void)state;
    carom_outcome out;
    carom_problem pb = ball;
    pb.u.n = 1e-300;
    assert_int_equal(solve_with(pb, newton(), &out), CAROM_STATUS_SEPARATING);
    assert_zero_impulse(&out);
    assert_true(out.u_after.t1 == 0.5 && out.energy.before == out.energy.after && out.energy.before > 0);
    pb.u.n = -0.0;
    assert_int_equal(solve_with(pb, newton(), &out), CAROM_STATUS_GRAZING);
    assert_zero_impulse(&out);
    pb.u.t1 = 0;
    assert_int_equal(solve_with(pb, newton(), &out), CAROM_STATUS_SEPARATING);
    assert_zero_impulse(&out);
}

static carom_problem in_units(carom_problem pb, double k, double v)
{
    const carom_csym K = pb.K;
    pb.K = (carom_csym){k * K.t11, k * K.t12, k * K.t22, k * K.t1n, k * K.t2n, k * K.nn};
    pb.u = carom_cvec_scale(v, pb.u);
    return pb;
}

/* An approach below 1e-100 of the slip is none: the answer is that of u_n = 0, in any units and tangents. */
static void test_approach_that_is_none(void **state)
{
    (void)state;
    const carom_problem pb = {{2.385, 0.3, 1.7, 0.9, -0.4, 1.3}, {0.6, 0.8, 0}};
    const double slip = carom_cvec_slip(pb.u);
    int answers = 0;
    for (int i = 0; i < 24; i++) {
        const double angle = 0.41 * i;
        const carom_direction d = {cos(angle), sin(angle)};
        carom_problem near = i % 2 ? carom_problem_turned(&pb, d) : pb;
        near = in_units(near, ldexp(1, 11 * i - 120), ldexp(1, 100 - 9 * i));
        carom_problem none = near, some = near;
        near.u.n = -0.999999e-100 * slip * ldexp(1, 100 - 9 * i);
        some.u.n = -1.000001e-100 * slip * ldexp(1, 100 - 9 * i);
        for (int law = 0; law < carom_law_count(); law++) {
            carom_outcome out, want;
            const carom_rule rule = carom_rule_default(carom_law_at(law));
            if (rule.law->traits & CAROM_TRAIT_CONTACT_FORCE)
                continue;
            assert_int_equal(solve_with(near, rule, &out), solve_with(none, rule, &want));
            if (carom_status_is_refusal(want.status)) /* a law for planes, or for spheres */
                continue;
            answers++;
            assert_int_equal(want.status, CAROM_STATUS_GRAZING);
            assert_memory_equal(&out.p, &want.p, sizeof out.p);
            assert_memory_equal(&out.u_after, &want.u_after, sizeof out.u_after);
            assert_int_equal(solve_with(some, rule, &out), CAROM_STATUS_OK);
        }
    }
    assert_true(answers >= 24 * 12);
}

static void test_refusals_leave_zero(void **state)
{
    (void)state;
    carom_outcome out;
    carom_rule rule = newton();
    carom_problem pb = ball;
    rule.coeffs.e = 1.5;
    assert_int_equal(solve_with(ball, rule, &out), CAROM_STATUS_BAD_COEFFICIENT);
    assert_zero_impulse(&out);
    rule.coeffs.e = -0.5;
    carom_coeff culprit = CAROM_COEFF_mu;
    assert_int_equal(carom_rule_check(&rule, &culprit), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(culprit, CAROM_COEFF_e);
    rule = newton();
    rule.coeffs.mu = (double)NAN;
    assert_int_equal(solve_with(ball, rule, &out), CAROM_STATUS_NOT_FINITE);
    rule.law = NULL;
    assert_int_equal(solve_with(ball, rule, &out), CAROM_STATUS_NO_LAW);
    pb.u.t2 = (double)INFINITY;
    assert_int_equal(solve_with(pb, newton(), &out), CAROM_STATUS_NOT_FINITE);
    pb = ball;
    pb.K.t12 = 4;
    assert_int_equal(solve_with(pb, newton(), &out), CAROM_STATUS_BAD_MATRIX);
    pb = ball;
    pb.K.nn = 0;
    assert_int_equal(solve_with(pb, newton(), &out), CAROM_STATUS_IMMOVABLE);
    assert_zero_impulse(&out);
}

/* A K of rank one, a velocity that it cannot make, and friction that jams before the approach ends: no finite impulse
 * is the answer, and none of the size of rounding is given. */
static void test_no_finite_impulse(void **state)
{
    (void)state;
    carom_outcome out;
    const carom_problem pb = {{9, 9, 9, 9, 9, 9}, {1.194, -0.614, -1.377}};
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.e = 0.984;
    rule.coeffs.mu = 0.868;
    assert_int_equal(solve_with(pb, rule, &out), CAROM_STATUS_UNBOUNDED);
    assert_zero_impulse(&out);
}

/* Numbers beyond double arithmetic give a status, never a NaN. */
static void test_extreme_numbers(void **state)
{
    (void)state;
    static const double sizes[] = {1e-320, 1e-300, 1e-200, 1e-150, 1e150, 1e200, 1e300};
    for (int i = 0; i < carom_law_count(); i++)
        for (int j = 0; j < 7; j++)
            for (int k = 0; k < 7; k++) {
                double a = sizes[j], b = sizes[k];
                carom_problem pb = {{3.5 * a, 0, 3.5 * a, 0, 0, 2 * a}, {0.5 * b, 0, -b}};
                carom_outcome out;
                carom_rule rule = carom_rule_default(carom_law_at(i));
                carom_status status = solve_with(pb, rule, &out);
                assert_true(isfinite(largest(out.p)) && isfinite(largest(out.u_after)) && isfinite(out.energy.change));
                if (!carom_status_is_answer(status))
                    assert_zero_impulse(&out);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_impact),
        cmocka_unit_test(test_separating_grazing_resting),
        cmocka_unit_test(test_approach_that_is_none),
        cmocka_unit_test(test_refusals_leave_zero),
        cmocka_unit_test(test_no_finite_impulse),
        cmocka_unit_test(test_extreme_numbers),
    };
    return cmocka_run_group_tests_name("solve", tests, NULL, NULL);
}

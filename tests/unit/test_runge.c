/* The integrator: order, error control, interpolation. */
#include "support/check.h"

#include "mechanism/runge.h"

/* y'' = -y */
static carom_status oscillator(void *context, const double *y, double *dy)
{
    ++*(int *)context;
    dy[0] = y[1];
    dy[1] = -y[0];
    return CAROM_STATUS_OK;
}

static carom_status failing(void *context, const double *y, double *dy)
{
    (void)context;
    dy[0] = dy[1] = 0;
    return y[0] > 1.5 ? CAROM_STATUS_MASSLESS : CAROM_STATUS_OK;
}

static runge start(double *work, int *calls)
{
    runge r = {.rate = oscillator, .context = calls, .tolerance = 1e-10};
    carom_runge_init(&r, 2, work);
    r.y[0] = 1;
    r.y[1] = 0;
    assert_int_equal(carom_runge_start(&r), CAROM_STATUS_OK);
    return r;
}

static double error_at(double h)
{
    double work[RUNGE_VECTORS * 2], error;
    int calls = 0;
    runge r = start(work, &calls);
    for (int i = 0; i < (int)(1 / h + 0.5); i++) {
        assert_int_equal(carom_runge_try(&r, h, &error), CAROM_STATUS_OK);
        carom_runge_accept(&r);
    }
    assert_int_equal(calls, 1 + 6 * (int)(1 / h + 0.5)); /* the last stage is reused */
    return fabs(r.y[0] - cos(1)) + fabs(r.y[1] + sin(1));
}

static void test_fifth_order(void **state)
{
    (void)state;
    double ratio = error_at(0.1) / error_at(0.05);
    assert_true(ratio > 28 && ratio < 38); /* 2^5 */
}

static void test_error_estimate_and_interpolation(void **state)
{
    (void)state;
    double work[RUNGE_VECTORS * 2], error, small;
    int calls = 0;
    runge r = start(work, &calls);
    assert_int_equal(carom_runge_try(&r, 0.2, &error), CAROM_STATUS_OK);
    carom_runge_between(&r, 0.2, 0.5);
    assert_near(r.spare[0], cos(0.1), 1, 1e-5);
    assert_int_equal(carom_runge_try(&r, 0.1, &small), CAROM_STATUS_OK);
    assert_true(error / small > 20 && error / small < 45);
    assert_true(carom_runge_resize(0.1, 32) < 0.051 && carom_runge_resize(0.1, 0) == 0.5 &&
                fabs(carom_runge_resize(0.1, NAN) - 0.02) < 1e-15);
    assert_true(carom_runge_first_step(&r, 1) > 0 && carom_runge_first_step(&r, 1e-9) == 1e-9);
}

static void test_failure_inside_a_step_is_reported(void **state)
{
    (void)state;
    double work[RUNGE_VECTORS * 2], error;
    runge r = {.rate = failing, .tolerance = 1e-10};
    carom_runge_init(&r, 2, work);
    r.y[0] = 2;
    assert_int_equal(carom_runge_start(&r), CAROM_STATUS_MASSLESS);
    r.y[0] = 1;
    assert_int_equal(carom_runge_start(&r), CAROM_STATUS_OK);
    assert_true(carom_runge_first_step(&r, 0.7) == 0.7); /* nothing moves */
    r.slope[0][0] = 9;
    assert_int_equal(carom_runge_try(&r, 1, &error), CAROM_STATUS_MASSLESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifth_order),
        cmocka_unit_test(test_error_estimate_and_interpolation),
        cmocka_unit_test(test_failure_inside_a_step_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

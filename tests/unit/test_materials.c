#include "support/check.h"

static void poisson_gives_the_values_of_the_literature(void **state)
{
    (void)state;
    double eta;
    assert_int_equal(carom_eta_from_poisson(0.3, &eta), CAROM_STATUS_OK);
    assert_near(eta * eta, 17.0 / 14, 1, 1e-15); /* Jia's example: 1.7 / 1.4 */
    assert_int_equal(carom_eta_from_poisson(0, &eta), CAROM_STATUS_OK);
    assert_near(eta, 1, 1, 0);
    assert_int_equal(carom_eta_from_poisson(0.5, &eta), CAROM_STATUS_OK);
    assert_near(eta * eta, 1.5, 1, 1e-15);
}

static void the_default_eta_is_poisson_0_3(void **state)
{
    (void)state;
    double eta;
    assert_int_equal(carom_eta_from_poisson(0.3, &eta), CAROM_STATUS_OK);
    assert_near(carom_coeffs_default().eta, eta, 1, 3e-16);
}

static void poisson_outside_its_range_is_refused(void **state)
{
    (void)state;
    double eta = 2;
    assert_int_equal(carom_eta_from_poisson(-0.01, &eta), CAROM_STATUS_BAD_COEFFICIENT);
    assert_near(eta, 0, 1, 0);
    assert_int_equal(carom_eta_from_poisson(0.51, &eta), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_eta_from_poisson((double)NAN, &eta), CAROM_STATUS_NOT_FINITE);
}

/* The superball of Maw, Barber and Fawcett: it swings along the tangent once while it bounces when omega_t = 2 omega_n,
 * that is eta^2 = 3.5 / 4 for a solid sphere. */
static void frequencies_of_a_sphere(void **state)
{
    (void)state;
    double eta;
    assert_int_equal(carom_eta_from_frequencies(2.62, 1.31, CAROM_SPHERE_INERTIA_RATIO, &eta), CAROM_STATUS_OK);
    assert_near(eta * eta, 3.5 / 4, 1, 1e-15);
    assert_int_equal(carom_eta_from_frequencies(1.31, 1.31, 1, &eta), CAROM_STATUS_OK);
    assert_near(eta, 1, 1, 1e-16);
}

static void bad_frequencies_are_refused(void **state)
{
    (void)state;
    double eta;
    assert_int_equal(carom_eta_from_frequencies(0, 1, 1, &eta), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_eta_from_frequencies(1, -1, 1, &eta), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_eta_from_frequencies(1, 1, 0, &eta), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_eta_from_frequencies(1e-300, 1e300, 1, &eta), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_eta_from_frequencies((double)INFINITY, 1, 1, &eta), CAROM_STATUS_NOT_FINITE);
    assert_near(eta, 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poisson_gives_the_values_of_the_literature),
        cmocka_unit_test(the_default_eta_is_poisson_0_3),
        cmocka_unit_test(poisson_outside_its_range_is_refused),
        cmocka_unit_test(frequencies_of_a_sphere),
        cmocka_unit_test(bad_frequencies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

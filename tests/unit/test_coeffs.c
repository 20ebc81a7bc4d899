#include "support/check.h"

static carom_status check_with(carom_coeff i, double value, carom_coeff *culprit)
{
    carom_coeffs c = carom_coeffs_default();
    carom_coeffs_set(&c, i, value);
    return carom_coeffs_check(&c, culprit);
}

static void test_defaults_are_valid_and_documented(void **state)
{
    (void)state;
    carom_coeffs c = carom_coeffs_default();
    assert_int_equal(carom_coeffs_check(&c, NULL), CAROM_STATUS_OK);
    assert_true(c.e == 0.5 && c.mu == 0.3 && c.mu_s == CAROM_SAME_AS_MU);
    assert_close(c.eta, sqrt(17.0 / 14), 1e-15);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        const carom_coeff_info *info = carom_coeff_at((carom_coeff)i);
        assert_true(*info->name && *info->unit && *info->range && *info->meaning);
        assert_int_equal(carom_coeff_find(info->name), i);
        assert_true(carom_coeffs_get(&c, (carom_coeff)i) == info->value);
    }
    assert_int_equal(carom_coeff_find("no such coefficient"), CAROM_COEFF_COUNT);
}

/* Forms of the speed against their equations, and their slopes against differences. */
static void test_functions_of_the_speed(void **state)
{
    (void)state;
    static const struct {
        carom_speed_form form;
        double q, v, value; /* of c = 0.62 at 1.7 m/s */
    } rows[] = {
        {CAROM_SPEED_CONSTANT, 0.3, 2.385, 0.62},
        {CAROM_SPEED_LINEAR, 0.3, 2.385, 0.5450529411764706},
        {CAROM_SPEED_POWER, 0.3, 2.385, 0.5601184146207394},
        {CAROM_SPEED_VISCOELASTIC, 0.2, 2.385, 0.5933774224276578},
        {CAROM_SPEED_POWER, 0.3, 0.01, 1.0138464479825433}, /* held at 0.33 */
        {CAROM_SPEED_LINEAR, 0.3, 50, 0.1604705882352941},  /* held at 5.9 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_of_speed f = {rows[i].form, rows[i].q, 1.7, 0.33, 5.9}, g = f, h = f;
        double slopes[2], d = 1e-6;
        assert_true(fabs(carom_of_speed_value(&f, 0.62, rows[i].v, slopes) - rows[i].value) < 1e-15);
        g.q += d;
        h.q -= d;
        double by_c =
            carom_of_speed_value(&f, 0.62 + d, rows[i].v, NULL) - carom_of_speed_value(&f, 0.62 - d, rows[i].v, NULL);
        double by_q = carom_of_speed_value(&g, 0.62, rows[i].v, NULL) - carom_of_speed_value(&h, 0.62, rows[i].v, NULL);
        assert_true(fabs(slopes[0] - by_c / (2 * d)) < 1e-8 && fabs(slopes[1] - by_q / (2 * d)) < 1e-8);
    }
}

static void test_coefficients_at_a_speed(void **state)
{
    (void)state;
    carom_coeffs c = carom_coeffs_default();
    c.e_of_speed = (carom_of_speed){CAROM_SPEED_LINEAR, 0.2, 1, 0, INFINITY};
    c.mu_of_speed = (carom_of_speed){CAROM_SPEED_POWER, -0.5, 1, 0, 4};
    c.mu_s = 0.4;
    assert_int_equal(carom_coeffs_check(&c, NULL), CAROM_STATUS_OK);
    carom_coeffs slow = carom_coeffs_at_speed(&c, 0), fast = carom_coeffs_at_speed(&c, 9);
    assert_true(slow.e == 0.6 && slow.mu == 0 && slow.mu_s == 0.4 && !carom_coeffs_vary(&slow));
    assert_true(fast.e == 0 && fabs(fast.mu - 0.6) < 1e-15 && fast.mu_s == fast.mu);
    carom_coeff culprit;
    c.mu_of_speed.q = 0.5; /* infinite at rest */
    assert_int_equal(carom_coeffs_check(&c, &culprit), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(culprit, CAROM_COEFF_mu);
    carom_coeffs_set(&c, CAROM_COEFF_mu, 0.1);
    assert_true(c.mu_of_speed.form == CAROM_SPEED_CONSTANT && carom_coeffs_check(&c, NULL) == CAROM_STATUS_OK);
}

static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        carom_coeff which;
        double value;
        carom_status want;
    } cases[] = {
        {CAROM_COEFF_e, 1.0001, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_e, -1, CAROM_STATUS_OK},
        {CAROM_COEFF_e, -1.5, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_e_t, -1.01, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_mu, -1e-300, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_mu, 1e6, CAROM_STATUS_OK},
        {CAROM_COEFF_mu_s, 0.29, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_mu_s, 0.3, CAROM_STATUS_OK},
        {CAROM_COEFF_mu_s, -2, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_nu, 1.5, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_s_1, -0.1, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_s_2, 0.7, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_ratio_1, -1e9, CAROM_STATUS_OK},
        {CAROM_COEFF_eta, 0, CAROM_STATUS_BAD_COEFFICIENT},
        {CAROM_COEFF_eta, 1e-3, CAROM_STATUS_OK},
        {CAROM_COEFF_eta, (double)INFINITY, CAROM_STATUS_NOT_FINITE},
        {CAROM_COEFF_ratio_2, (double)NAN, CAROM_STATUS_NOT_FINITE},
        {CAROM_COEFF_e, (double)NAN, CAROM_STATUS_NOT_FINITE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_coeff culprit = CAROM_COEFF_COUNT;
        assert_int_equal(check_with(cases[i].which, cases[i].value, &culprit), cases[i].want);
        if (cases[i].want)
            assert_int_equal(culprit, cases[i].which);
    }
}

static void test_options(void **state)
{
    (void)state;
    carom_options options = {0};
    carom_option i = carom_option_find("phases");
    assert_string_equal(carom_option_at(i)->words[1], "first");
    carom_options_set(&options, i, CAROM_OPTION_PHASES_FIRST);
    assert_int_equal(options.phases, CAROM_OPTION_PHASES_FIRST);
    assert_int_equal(carom_options_get(&options, i), CAROM_OPTION_PHASES_FIRST);
    assert_int_equal(carom_options_get(&options, CAROM_OPTION_grazing), 0);
    assert_int_equal(carom_option_find("nothing"), CAROM_OPTION_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults_are_valid_and_documented),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_functions_of_the_speed),
        cmocka_unit_test(test_coefficients_at_a_speed),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests_name("coeffs", tests, NULL, NULL);
}

/* Restitution of one contact in one dimension from damping, and back. References: 40-digit arithmetic (mpmath); e of
 * hunt-crossley by Lambert's W, times of powers also by quadrature. */
#include "carom/convert.h"

#include <math.h>

#include "support/check.h"

static const double linear[][3] = {{1e-9, 0.99999999685840735335, 3.14159265158979324},
                                   {0.001, 0.99686532914907741447, 3.1395942230539637316},
                                   {0.37, 0.38701485195854263228, 2.5656546203645471453},
                                   {0.999999, 0.13533546368383143967, 2.0000006666669333334},
                                   {1, 0.13533528323661269189, 2},
                                   {1.000001, 0.13533510278974280841, 1.9999993333335999999},
                                   {2.385, 0.035510229078234625189, 1.3995532414914632246},
                                   {40, 0.00015587118181013296221, 0.21916201623669309385},
                                   {1e5, 2.4999999970734818401e-11, 0.00024412145292230954724}};

static const double nonlinear[][2] = {{1e-12, 0.99999999999933333333},   {1e-5, 0.99999333337777745185},
                                      {0.01, 0.9933774543987673634},     {0.3, 0.83286979226560166503},
                                      {0.49999, 0.74843875202751028225}, {0.50001, 0.74843111120345631696},
                                      {2.385, 0.36449238904431943174},   {17, 0.058823513285899378977},
                                      {300, 0.0033333333333333333333},   {1e6, 1e-6}};

enum { LINEAR = sizeof linear / sizeof linear[0], NONLINEAR = sizeof nonlinear / sizeof nonlinear[0] };

static void linear_damping(void **state)
{
    (void)state;
    for (int i = 0; i < LINEAR; i++) {
        double zeta = linear[i][0], e = linear[i][1], phase = linear[i][2];
        assert_near(carom_e_from_zeta(zeta), e, e, 4e-15);
        assert_near(carom_spring_dashpot_phase(zeta), phase, phase, 2e-15);
        /* e itself is rounded, which moves -ln e by 1.1e-16 */
        assert_near(carom_zeta_from_e(e), zeta, zeta, 4e-15 + 2.3e-16 / -log(e));
    }
}

static void nonlinear_damping(void **state)
{
    (void)state;
    for (int i = 0; i < NONLINEAR; i++) {
        double A = nonlinear[i][0], e = nonlinear[i][1];
        assert_near(carom_e_from_hunt_crossley(A), e, e, 1e-15);
        assert_near(carom_hunt_crossley_from_e(e), A, A, 1e-15 * fmax(8, 2 / fmin(A, 1)));
    }
}

/* There and back at 2,000 values each. */
static void both_ways(void **state)
{
    (void)state;
    for (int i = 1; i <= 2000; i++) {
        double e = i / 2000.0, A = carom_hunt_crossley_from_e(e), zeta = carom_zeta_from_e(e);
        assert_near(carom_e_from_hunt_crossley(A), e, e, 4e-15);
        assert_near(carom_e_from_zeta(zeta), e, e, 1e-14);
        assert_near(carom_e_from_slopes(3.7, carom_unloading_from_e(3.7, e)), e, e, 4e-16);
    }
}

static void powers(void **state)
{
    (void)state;
    static const double factor[][2] = {{1, 3.1415926535897932385},
                                       {1.5, 2.9432751843247046574},
                                       {2, 2.8043642106509085223},
                                       {2.385, 2.7226925496454669555},
                                       {7, 2.3271851424365387506}};
    for (int i = 0; i < 5; i++)
        assert_near(carom_power_time_factor(factor[i][0]), factor[i][1], 3, 1e-15);
    /* k x^(m+1)/(m+1) = mass v^2/2 */
    double k = 3.1e5, m = 1.8, mass = 0.27, v = 1.9, x = carom_power_compression(k, m, mass, v);
    assert_near(k * pow(x, m + 1) / (m + 1), 0.5 * mass * v * v, 1, 1e-14);
}

/* The stiffness for a contact time gives that time back. */
static void stiffness_from_time(void **state)
{
    (void)state;
    double e = 0.6, mass = 0.1, time = 1.3e-3, phase = carom_spring_dashpot_phase(carom_zeta_from_e(e));
    double k = carom_stiffness_from_time(phase, mass, time);
    assert_near(phase / sqrt(k / mass), time, time, 4e-16);
    assert_true(isnan(carom_stiffness_from_time(phase, -1, time)));
    assert_true(isnan(carom_stiffness_from_time(phase, mass, 0)));
}

/* Chatterjee's fit, 1/(1 + 5/2 zeta + 4 zeta^2), at round numbers: 1/10 gives 100/129. */
static void fit_of_linear_damping(void **state)
{
    (void)state;
    assert_near(carom_e_from_zeta_fit(0), 1, 1, 0);
    assert_near(carom_e_from_zeta_fit(0.1), 100.0 / 129, 1, 1e-15);
    assert_near(carom_e_from_zeta_fit(0.5), 4.0 / 13, 1, 1e-15);
}

/* E*, R, m, Y, v, e: tests/oracle/yield.py, by quadrature of the force. */
static const double yields[][6] = {
    {1.15e11, 0.01, 0.0326, 5e8, 0.003, 1.0},
    {1.15e11, 0.01, 0.0326, 5e8, 0.1, 0.8066613977973424154},
    {1.15e11, 0.01, 0.0326, 5e8, 7.3, 0.28426877665867734448},
    {4.2e10, 0.0021, 0.0004, 2.4e8, 0.9, 0.48305000750001905639},
    {1.05e11, 0.0238, 0.41, 1.1e9, 31, 0.34204020359649287146},
    {3.85e10, 0.006, 0.0025, 9.5e7, 0.011, 0.93629538133545985874},
};

static void metals_that_yield(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof yields / sizeof yields[0]; i++) {
        const double *y = yields[i], v_y = carom_yield_speed(y[0], y[1], y[2], CAROM_YIELD_PRESSURE * y[3]);
        assert_near(carom_e_from_yield(y[4], v_y), y[5], y[5], 4e-15);
    }
    /* Johnson (1985), (11.63): 3.8 (Y/E*)^(1/2) (m v^2/(2 Y R^3))^(-1/8); his 3.8 is 3.74 with more digits */
    const double Y = 4e8, E = 1.15e11, R = 0.0127, W = 0.5 * 0.067 * 25;
    const double printed = 3.8 * sqrt(Y / E) * pow(W / (Y * R * R * R), -0.125);
    assert_near(carom_e_from_hardness(E, R, W, CAROM_HARDNESS * Y), printed, printed, 0.02);
    assert_true(isnan(carom_e_from_yield(-1, 1)) && isnan(carom_yield_speed(1, 1, 0, 1)));
}

static void outside_the_range_is_nan(void **state)
{
    (void)state;
    assert_true(isnan(carom_e_from_zeta(-0.1)) && isnan(carom_zeta_from_e(0)) && isnan(carom_zeta_from_e(1.1)));
    assert_true(isnan(carom_e_from_hunt_crossley(-1)) && isnan(carom_hunt_crossley_from_e(0)));
    assert_true(isnan(carom_e_from_hunt_crossley_fit(-1)) && isnan(carom_e_from_zeta_fit(-1)));
    assert_true(isnan(carom_power_compression(1, 0.5, 1, 1)) && isnan(carom_power_time_factor(0.9)));
    assert_true(isnan(carom_e_from_zeta(NAN)) && isnan(carom_e_from_hunt_crossley(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_damping),
        cmocka_unit_test(nonlinear_damping),
        cmocka_unit_test(both_ways),
        cmocka_unit_test(powers),
        cmocka_unit_test(stiffness_from_time),
        cmocka_unit_test(metals_that_yield),
        cmocka_unit_test(outside_the_range_is_nan),
        cmocka_unit_test(fit_of_linear_damping),
    };
    return cmocka_run_group_tests_name("conversions", tests, NULL, NULL);
}

/* First roots of polynomial gaps against roots found with 60 digits, and against polynomials made from their roots. */
#include "sim/detect/polynomial_gap.h"

#include "core/num.h"
#include "sim/parts.h"

/* Roots by mpmath.polyroots with 60 digits. condition: of the root, the sum of |c_k s^k| over |s times the slope|. */
static const struct given {
    double c[FALL_DEGREE + 1], root, condition;
} given[] = {
    {{0.37, -1.13, 0, 0, 0}, 0.32743362831858409775, 2.0},
    {{1.3, 2.1, -4.905, 0, 0}, 0.77161591070719623424, 1.4},
    {{2.17, -0.3, -0.7, 1.9, 0}, INFINITY, 1},
    {{0.8, -3.1, 2.7, 0.4, -0.9}, 0.39451138630776185935, 6.3},
    {{1e-09, -2.3, 7.7, -1.1, 0.3}, 4.3478260932851161009e-10, 2.0},
    {{33000.0, -1.7, -0.0022, 4.1e-09, 0}, 3516.2377443791879568, 1.1},
    {{0.5, -1.0000000001, 0.5, 0.03, 0.0}, INFINITY, 1},
    {{1.1, -2.2, 1.1000001, 0.3, -0.7}, 0.72842667074563709963, 4.1},
    {{0.9, 0.2, 0.1, 0.3, -1e-06}, 300000.33333518521441, 2.0},
    {{0.9, 0.2, 0.1, 0.3, 1e-06}, INFINITY, 1},
    {{4.2, -0.1, 0.1, 0.2, 0.3}, INFINITY, 1},
    {{1e-14, 1.7, -3.3, 0.2, -0.9}, 0.49668540350781724243, 1.9},
    {{0.25, -0.5, 1.25, -1.5, -2e-08}, 0.69789696964132126702, 2.6},
    {{7.1, -11.3, 2.9, 1.7, -0.31}, 1.077472552064023398, 34.0},
    {{0.0025, -7.9, 9810.0, -1200000.0, 33000000.0}, 0.010774235013318577164, 6.0},
    {{1.0, -4.0, 5.99, -3.99, 0.999}, 0.7971613703228115728, 400},
};

static void assert_root(double got, double want, double condition)
{
    if (want == INFINITY)
        assert_true(got == INFINITY);
    else
        assert_near(got, want, 4 * EPS * condition * want);
}

static void test_given(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++)
        assert_root(fall_polynomial(given[k].c, FALL_DEGREE), given[k].root, given[k].condition);
}

/* Time in other units, from 30 microseconds to nine hours: the root scales with it. */
static void test_units(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++)
        for (int power = -15; power <= 15; power += 15) {
            double c[FALL_DEGREE + 1];
            for (int i = 0; i <= FALL_DEGREE; i++)
                c[i] = ldexp(given[k].c[i], 7 - power * i);
            assert_root(fall_polynomial(c, FALL_DEGREE), ldexp(given[k].root, power), given[k].condition);
        }
}

/* (r_1 - s)(r_2 - s)... times a positive factor, the roots multiples of 1/16: coefficients without rounding. */
static void test_from_roots(void **state)
{
    (void)state;
    dice d = {31};
    for (int n = 0; n < 4000; n++) {
        double c[FALL_DEGREE + 1] = {1}, least = INFINITY;
        int degree = 1 + dice_below(&d, FALL_DEGREE), used[FALL_DEGREE];
        for (int k = 0; k < degree; k++) {
            bool again;
            do {
                used[k] = dice_below(&d, 200) - 80;
                again = used[k] == 0;
                for (int j = 0; j < k; j++)
                    again |= used[j] == used[k];
            } while (again);
            double r = used[k] / 16.0, sign = r > 0 ? 1 : -1; /* each factor is positive at s = 0 */
            for (int i = k + 1; i >= 0; i--)
                c[i] = sign * (r * c[i] - (i ? c[i - 1] : 0));
            least = r > 0 ? fmin(least, r) : least;
        }
        double condition = 0, slope = 0;
        for (int k = 0; k <= degree && least < INFINITY; k++)
            condition += fabs(c[k]) * pow(least, k), slope += k * c[k] * pow(least, k - 1);
        assert_root(fall_polynomial(c, degree), least, 1 + condition / fabs(slope * least));
    }
}

/* A gap that begins at zero: closing at once when it falls, open when it rises, and then the next root counts. */
static void test_from_zero(void **state)
{
    (void)state;
    const double falls[] = {0, -0.3, 9, 2, 7}, hidden[] = {0, 0, -1e-3, 2, 7}, rises[] = {0, 0.3, 9, 2, 7};
    const double returns[] = {0, 1.5, 0, -6, 0}, later[] = {0, 0, 1.5, 0, -6}, below[] = {-1e-17, 1.5, 0, -6, 0};
    assert_true(fall_polynomial(falls, 4) == 0);
    assert_true(fall_polynomial(hidden, 4) == 0);
    assert_true(fall_polynomial(rises, 4) == INFINITY);
    assert_near(fall_polynomial(returns, 4), 0.5, 2e-16);
    assert_near(fall_polynomial(later, 4), 0.5, 2e-16);
    assert_near(fall_polynomial(below, 4), 0.5, 2e-16);
}

/* The form of the quadratic that does not cancel: a hop of h that takes 1e-9 s, and a fall from 1e9 m. */
static void test_quadratic(void **state)
{
    (void)state;
    assert_near(fall_quadratic(1e-9, -1e3, 9.81), 1.000000000000004905e-12, 4e-28);
    assert_near(fall_quadratic(0, 4.905e-9, -9.81), 1e-9, 4e-25);
    assert_near(fall_quadratic(1e9, -1e-3, -9.81), 14278.431127333846, 1e-11); /* mpmath */
    assert_true(fall_quadratic(1, -1, 0.51) == INFINITY);
    assert_near(fall_quadratic(1, -1, 0.5), 2, 0); /* just grazes */
    assert_true(fall_quadratic(0, 0, 0) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given),     cmocka_unit_test(test_units),     cmocka_unit_test(test_from_roots),
        cmocka_unit_test(test_from_zero), cmocka_unit_test(test_quadratic),
    };
    return cmocka_run_group_tests_name("polynomial_gap", tests, NULL, NULL);
}

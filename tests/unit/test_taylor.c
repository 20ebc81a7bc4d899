#include "core/taylor.h"
#include "support/check.h"

enum { ORDER = 28 };

/* a cos(omega t) + b, as a polynomial. */
static void cosine(double a, double omega, double b, double c[ORDER + 1])
{
    double term = a;
    for (int i = 0; i <= ORDER; i++) {
        c[i] = i % 4 == 0 ? term : i % 4 == 2 ? -term : 0;
        term *= omega / (i + 1);
    }
    c[0] += b;
}

static void value_and_slope(void **state)
{
    (void)state;
    double c[ORDER + 1], slope;
    cosine(1.37, 1.91, 0.25, c);
    double value = taylor_at_slope(c, ORDER, 1.1, &slope);
    assert_near(value, 1.37 * cos(1.91 * 1.1) + 0.25, 1, 2e-15);
    assert_near(slope, -1.37 * 1.91 * sin(1.91 * 1.1), 1, 4e-15);
    assert_near(taylor_at(c, ORDER, 1.1), value, 1, 0);
}

static void reach_of_a_geometric_series(void **state)
{
    (void)state;
    const double last[2] = {pow(2.7, 23), pow(2.7, 24)}; /* radius 1/2.7 */
    double exact = pow(1e-16, 1.0 / 23) / 2.7, reach = taylor_reach(last, 24, 1e-16);
    assert_close(reach, exact, 1e-14);
    const double none[2] = {0, 0};
    assert_true(taylor_reach(none, 24, 1e-16) > 100);
    const double wild[2] = {(double)INFINITY, (double)NAN};
    assert_near(taylor_reach(wild, 24, 1e-16), 0, 1, 0);
}

static void finds_the_first_root(void **state)
{
    (void)state;
    double c[ORDER + 1], t;
    cosine(1.37, 1.91, 0.25, c);
    assert_true(taylor_falls(c, ORDER, 1.6, 4, &t));
    assert_near(t, acos(-0.25 / 1.37) / 1.91, 1, 3e-16);
    assert_false(taylor_falls(c, ORDER, 0.9, 4, &t));
}

/* The cosine dips below zero between two sampled points and comes back: both roots lie inside. */
static void sees_a_dip(void **state)
{
    (void)state;
    double c[ORDER + 1], t;
    cosine(1, 1.3, 0.9999, c);
    assert_true(taylor_falls(c, ORDER, 2.9, 4, &t));
    assert_near(t, acos(-0.9999) / 1.3, 1, 1e-12);
    assert_near(cos(1.3 * t), -0.9999, cosh(1.3 * t),
                0.5 * EPS); /* the root of a dip moves; what is left of its terms does not */
    cosine(1, 1.3, 1.0001, c);
    assert_false(taylor_falls(c, ORDER, 2.9, 4, &t));
}

static void not_positive_at_zero_is_a_root_there(void **state)
{
    (void)state;
    const double c[] = {-1e-20, 1};
    double t = 1;
    assert_true(taylor_falls(c, 1, 2, 4, &t));
    assert_near(t, 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_and_slope),
        cmocka_unit_test(reach_of_a_geometric_series),
        cmocka_unit_test(finds_the_first_root),
        cmocka_unit_test(sees_a_dip),
        cmocka_unit_test(not_positive_at_zero_is_a_root_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A flag is raised beyond 32 eps of the terms of its margin, and not before. Laws whose impulse is prescribed put the
 * margin where it is wanted. */
#include <float.h>

#include "support/laws.h"

static const carom_problem ball = {{3.5, 0, 3.5, 0, 0, 1}, {0, 0, -1}};

/* Whether this flag is up. */
static unsigned raised(unsigned flag, const char *id, double e, double ratio, double mu)
{
    carom_rule rule = rule_of(id);
    rule.coeffs.e = e;
    rule.coeffs.ratio_1 = ratio;
    rule.coeffs.mu = mu;
    return solved(&ball, &rule).flags & flag;
}

/* u_n after = -e u_n = e with terms 1 + (1 + e): beyond the tolerance from e = -64 eps on. */
static void test_penetrates(void **state)
{
    (void)state;
    assert_false(raised(CAROM_FLAG_PENETRATES, "ivanov", -16 * DBL_EPSILON, 0, 1));
    assert_false(raised(CAROM_FLAG_PENETRATES, "ivanov", -48 * DBL_EPSILON, 0, 1));
    assert_true(raised(CAROM_FLAG_PENETRATES, "ivanov", -80 * DBL_EPSILON, 0, 1));
    assert_true(raised(CAROM_FLAG_PENETRATES, "ivanov", -1e-12, 0, 1));
}

/* |p_t| - mu p_n = x mu p_n with terms (2 + x) mu p_n: beyond the tolerance from x = 64 eps on. */
static void test_outside_cone(void **state)
{
    (void)state;
    assert_false(raised(CAROM_FLAG_OUTSIDE_CONE, "brach", 0.5, 0.5 * (1 + 16 * DBL_EPSILON), 0.5));
    assert_false(raised(CAROM_FLAG_OUTSIDE_CONE, "brach", 0.5, 0.5 * (1 + 48 * DBL_EPSILON), 0.5));
    assert_true(raised(CAROM_FLAG_OUTSIDE_CONE, "brach", 0.5, 0.5 * (1 + 80 * DBL_EPSILON), 0.5));
    assert_true(raised(CAROM_FLAG_OUTSIDE_CONE, "brach", 0.5, 0.5 * (1 + 1e-12), 0.5));
}

/* e = 1, p = 2 (r, 0, 1): the gain is 7 r^2, its terms are 2 + 4 + 14 r^2; beyond the tolerance from r^2 = 27.4 eps on.
 */
static void test_creates_energy(void **state)
{
    (void)state;
    assert_false(raised(CAROM_FLAG_CREATES_ENERGY, "brach", 1, sqrt(8 * DBL_EPSILON), 1));
    assert_false(raised(CAROM_FLAG_CREATES_ENERGY, "brach", 1, sqrt(22 * DBL_EPSILON), 1));
    assert_true(raised(CAROM_FLAG_CREATES_ENERGY, "brach", 1, sqrt(34 * DBL_EPSILON), 1));
    assert_true(raised(CAROM_FLAG_CREATES_ENERGY, "brach", 1, sqrt(1e-12), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_penetrates),
        cmocka_unit_test(test_outside_cone),
        cmocka_unit_test(test_creates_energy),
    };
    return cmocka_run_group_tests_name("flag borders", tests, NULL, NULL);
}

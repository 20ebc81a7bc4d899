#include "core/num.h"
#include "support/check.h"
#include "support/corpus.h"

/* -ffast-math breaks the differences of products, the NaN checks and the promise of bit-identical results. */
static void test_flags_of_the_build(void **state)
{
    (void)state;
#ifdef __FAST_MATH__
    fail_msg("built with -ffast-math");
#endif
    volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30, one = 1;
    assert_true(a * b - one == 0); /* a contracted a * b - 1 would give -2^-60 */
}

static void test_diff_of_products_keeps_digits(void **state)
{
    (void)state;
    double a = 1 + 0x1p-30, b = 1 - 0x1p-30;
    assert_true(difference_of_products(a, b, 1, 1) == -0x1p-60);
    assert_true(difference_of_products(2.385, 7.123, 2.385, 7.123) == 0);
    double x = 134217729, y = 134217727; /* x y - 134217728^2 = -1, and the products need 55 bits */
    assert_true(difference_of_products(x, y, 134217728, 134217728) == -1);
}

static void test_powers_of_two(void **state)
{
    (void)state;
    for (int n = -1021; n < 1023; n++)
        for (double x = 1; x < 2; x += 0.25)
            assert_true(power_of_two(n) == ldexp(1, n) && exponent_of(ldexp(x, n)) == n + 1);
}

static void test_clamp_and_square(void **state)
{
    (void)state;
    assert_true(clamp(2.385, 0, 1) == 1);
    assert_true(clamp(-2.385, 0, 1) == 0);
    assert_true(clamp(0.385, 0, 1) == 0.385);
    assert_true(square(-1.5) == 2.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers_of_two),
        cmocka_unit_test(test_flags_of_the_build),
        cmocka_unit_test(test_diff_of_products_keeps_digits),
        cmocka_unit_test(test_clamp_and_square),
    };
    return cmocka_run_group_tests_name("num", tests, NULL, NULL);
}

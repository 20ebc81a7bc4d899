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
    assert_true(diff_of_products(a, b, 1, 1) == -0x1p-60);
    assert_true(diff_of_products(2.385, 7.123, 2.385, 7.123) == 0);
    double x = 134217729, y = 134217727; /* x y - 134217728^2 = -1, and the products need 55 bits */
    assert_true(diff_of_products(x, y, 134217728, 134217728) == -1);
}

/* A number of any sign with few or many bits, and of any of these exponents. */
static double any_number(dice *d, int exponents)
{
    double x = 1 + dice_between(d, 0, 1);
    int kept = 1 + dice_below(d, 52), e = dice_below(d, 2 * exponents) - exponents;
    x = ldexp(floor(ldexp(x, kept)), e - kept);
    return dice_below(d, 2) ? -x : x;
}

/* a b + c without the instruction, against the library, which rounds once: sums that cancel to the last bits, that are
 * half way between two numbers, or far apart; zeros, and numbers that are too large or too small for the parts. */
static void test_fused_by_parts(void **state)
{
    (void)state;
    dice d = {23};
    for (int i = 0; i < 3000000; i++) {
        const int exponents = i % 7 == 0 ? 1000 : i % 2 ? 3 : 60;
        double a = any_number(&d, exponents), b = any_number(&d, exponents), c = any_number(&d, exponents);
        if (i % 3 == 1) /* cancels */
            c = -a * b * (1 + (double)(i % 5 - 2) * EPS);
        if (i % 3 == 2) /* next to a tie: the product is about half a unit of c */
            c = ldexp(floor(ldexp(1 + dice_between(&d, 0, 1), 52)), exponent_of(fabs(a * b)) + i % 4 - 1);
        a = i % 101 == 0 ? 0 : a;
        c = i % 103 == 0 ? 0 : c;
        double parts = fused_by_parts(a, b, c), exact = fma(a, b, c);
        if (bits_of(parts) != bits_of(exact))
            fail_msg("%a * %a + %a: %a is not %a", a, b, c, parts, exact);
        double f = any_number(&d, 3), e = -c / f, ef = e * f;
        parts = difference_by_parts(a, b, e, f);
        exact = fma(a, b, -ef) + fma(-e, f, ef);
        if (bits_of(parts) != bits_of(exact))
            fail_msg("%a * %a - %a * %a: %a is not %a", a, b, e, f, parts, exact);
    }
}

static void test_powers_of_two(void **state)
{
    (void)state;
    for (int n = -1021; n < 1023; n++)
        for (double x = 1; x < 2; x += 0.25)
            assert_true(power_of_two_against(ldexp(x, n)) == ldexp(1, -n) && power_of_two(n) == ldexp(1, n));
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
        cmocka_unit_test(test_flags_of_the_build), cmocka_unit_test(test_diff_of_products_keeps_digits),
        cmocka_unit_test(test_fused_by_parts),     cmocka_unit_test(test_powers_of_two),
        cmocka_unit_test(test_clamp_and_square),
    };
    return cmocka_run_group_tests_name("num", tests, NULL, NULL);
}

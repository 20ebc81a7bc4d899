/* core/dd.h: sums and products that lose nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/dd.h"

static void sums_are_exact(void **state)
{
    (void)state;
    dd s = two_sum(1, 0x1p-80);
    assert_true(s.hi == 1 && s.lo == 0x1p-80);
    s = two_sum(0x1p-80, 1);
    assert_true(s.hi == 1 && s.lo == 0x1p-80);
    s = quick_sum(-2.385, 0x1p-70);
    assert_true(s.hi == -2.385 && s.lo == 0x1p-70);
}

static void products_are_exact(void **state)
{
    (void)state;
    double a = 1 + 0x1p-30, b = 1 - 0x1p-30; /* a b = 1 - 2^-60 */
    dd p = two_prod(a, b);
    assert_true(p.hi == 1 && p.lo == -0x1p-60);
    p = dd_mul(two_sum(1, 0x1p-60), 3);
    assert_true(p.hi == 3 && p.lo == 3 * 0x1p-60);
}

static void cancellation_keeps_digits(void **state)
{
    (void)state;
    double x = 0x1p27 + 1; /* x x - (x-1)(x+1) = 1, where x x needs 55 bits */
    assert_true(dd_value(dd_dot(x, x, -(x - 1), x + 1)) == 1);
    dd third = {1.0 / 3, 0x1.5555555555555p-56}; /* 1/3 to 106 bits */
    dd rest = dd_sub(dd_of(1), dd_mul(third, 3));
    assert_true(fabs(dd_value(rest)) <= 0x1p-104);
    dd sum = dd_add(dd_add(dd_of(1e16), dd_of(0.715)), dd_of(-1e16));
    assert_true(dd_value(sum) == 0.715);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact),
        cmocka_unit_test(products_are_exact),
        cmocka_unit_test(cancellation_keeps_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

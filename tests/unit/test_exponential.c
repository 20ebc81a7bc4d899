/* core/exponential.h: against the library of the machine, in extended precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/exponential.h"
#include "core/num.h"

static void assert_close(double x, double got, long double expected)
{
    if (!(fabsl((long double)got - expected) <= 2 * EPS * fabsl(expected)))
        fail_msg("at %.17g: %.17g, not %.20Lg", x, got, expected);
}

static void both_to_an_ulp_or_two(void **state)
{
    (void)state;
    for (double x = -60; x < 60; x += 0.00137) {
        assert_close(x, exp_of(x), expl((long double)x));
        assert_close(x, expm1_of(x), expm1l((long double)x));
    }
    for (double x = 1e-300; x < 1; x *= 1.7) {
        assert_close(x, expm1_of(x), expm1l((long double)x));
        assert_close(-x, expm1_of(-x), expm1l(-(long double)x));
    }
    assert_true(exp_of(0) == 1);
    assert_true(expm1_of(0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_to_an_ulp_or_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

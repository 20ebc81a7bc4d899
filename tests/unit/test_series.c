/* core/series.h. Reference numbers from 40-digit arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/num.h"
#include "core/series.h"

#define CLOSE(x, y) assert_true(fabs((x) - (y)) <= 4 * EPS * fabs(y))

static void polynomials(void **state)
{
    (void)state;
    const double a[] = {0.375, -1.25, 2.5, 0.8125};
    CLOSE(horner(a, 3, 1.5), 0.375 - 1.875 + 5.625 + 2.7421875);
    CLOSE(horner(a, 0, 7.1), 0.375);
}

static void exponential_integrals(void **state)
{
    (void)state;
    CLOSE(exp_integral(-2.385, 0.71), 0.34217927974105691169);
    CLOSE(exp_integral(1e-9, 3.25), 3.2500000052812500057);
    assert_true(exp_integral(0, 1.7) == 1.7);
}

static void double_exponential_integrals(void **state)
{
    (void)state;
    CLOSE(exp_integral_2(0.375, -0.625, 1.25), 0.54952230146137507415);
    CLOSE(exp_integral_2(2.5, -0.75, 1.5), 2.566574463215979647);
    CLOSE(exp_integral_2(-0.25, -3.125, 2.75), 0.094688087400942530106);
    CLOSE(exp_integral_2(1e-9, -0.5, 1.75), 0.87353485288161675036);
    CLOSE(exp_integral_2(-1e-12, -1e-11, 0.875), 0.38281249999765527344);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials),
        cmocka_unit_test(exponential_integrals),
        cmocka_unit_test(double_exponential_integrals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

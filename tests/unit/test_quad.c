/* core/quad.h: four numbers, each as if it were alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/quad.h"

static void each_as_if_alone(void **state)
{
    (void)state;
    const double a[] = {2.385, -0.71, 13.06, 1e-9}, b[] = {-7.15, 0.33, 4.02, 811.3}, c[] = {0.19, 5.5, -2.25, 3e-7};
    quad x = QUAD(a[0], a[1], a[2], a[3]), y = QUAD(b[0], b[1], b[2], b[3]), z = QUAD(c[0], c[1], c[2], c[3]);
    quad sum = quad_plus(x, y), product = quad_times(x, y), step = quad_step(x, y, z), same = quad_of(2.385);
    for (int i = 0; i < 4; i++) {
        assert_true(quad_at(&sum, i) == a[i] + b[i]);
        assert_true(quad_at(&product, i) == a[i] * b[i]);
        assert_true(quad_at(&step, i) == a[i] * b[i] + c[i]);
        assert_true(quad_at(&same, i) == 2.385);
    }
    assert_true(quad_sum(x) == (a[0] + a[1]) + (a[2] + a[3]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_as_if_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

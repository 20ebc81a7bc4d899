/* core/products.h: products of series side by side against sums of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/products.h"

/* Whole numbers, so that every order of summation gives the same. */
static double whole(int i, int l, int salt)
{
    return (i * 37 + l * 11 + salt) % 23 - 9;
}

static void every_order_of_every_product(void **state)
{
    (void)state;
    factors f;
    factor_row sum;
    factor_row_clear(f.right[0]);
    for (int k = 0; k < FACTOR_ORDERS; k++) {
        products_inside(&f, k, sum);
        for (int l = 0; l < PRODUCTS; l++) {
            double expected = 0;
            for (int j = 1; j < k; j++)
                expected += whole(j, l, 3) * whole(k - j, l, 17);
            assert_true(sum[l] == expected);
            f.left[k][l] = whole(k, l, 3);
            f.right[k][l] = whole(k, l, 17);
        }
        factor_row_clear(f.right[k + 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_order_of_every_product)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* core/radau.h: the rule does with polynomials what it says. */
#include "core/radau.h"
#include "support/check.h"

#define TOL 4e-15 /* sums of 24 terms of at most one, which have rounding of their own */

/* Up to every point for x^0 ... x^23; to the end for x^0 ... x^46, twice as many. */
static void integrals_are_exact(void **state)
{
    (void)state;
    for (int n = 0; n < RADAU; n++)
        for (int i = 0; i < RADAU; i++) {
            double columns = 0, rows = 0;
            for (int j = 0; j < RADAU; j++) {
                columns += radau_integral[j][i] * pow(radau_x[j], n);
                rows += radau_upto[i][j] * pow(radau_x[j], n);
            }
            assert_near(columns, pow(radau_x[i], n + 1) / (n + 1), 1, TOL);
            assert_near(rows, columns, 1, TOL);
        }
    for (int n = 0; n <= 2 * RADAU - 2; n++) {
        double sum = 0;
        for (int j = 0; j < RADAU; j++)
            sum += radau_whole[j] * pow(radau_x[j], n);
        assert_near(sum, 1.0 / (n + 1), 1, TOL);
    }
}

/* Through 0 and the points there is one polynomial of degree 24. */
static void between_the_points(void **state)
{
    (void)state;
    for (double x = 0.001; x < 1; x += 0.0137)
        for (int n = 0; n <= RADAU; n++) {
            double all = radau_at_0 / x, sum = n == 0 ? all : 0;
            for (int i = 0; i < RADAU; i++) {
                double share = radau_at[i] / (x - radau_x[i]);
                all += share;
                sum += share * pow(radau_x[i], n);
            }
            assert_near(sum / all, pow(x, n), 1, TOL);
        }
}

/* P_n on [0, 1] by its recurrence. */
static double legendre(int n, double x)
{
    double before = 0, here = 1;
    for (int i = 0; i < n; i++) {
        double next = ((2 * i + 1) * (2 * x - 1) * here - i * before) / (i + 1);
        before = here;
        here = next;
    }
    return here;
}

static void last_coefficients(void **state)
{
    (void)state;
    for (int n = 0; n < RADAU; n++)
        for (int k = 0; k < 2; k++) {
            double sum = 0;
            for (int i = 0; i < RADAU; i++)
                sum += radau_last[k][i] * legendre(n, radau_x[i]);
            assert_near(sum, n == RADAU - 1 - k, 1, TOL);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_are_exact),
        cmocka_unit_test(between_the_points),
        cmocka_unit_test(last_coefficients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

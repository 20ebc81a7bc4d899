/* The simplex finds minima that are known: of Rosenbrock's valley, of a kink, and of a bowl with a wall. */
#include <math.h>

#include "core/simplex.h"
#include "support/check.h"

static double valley(void *context, double *x) /* least at (1, 1) */
{
    ++*(int *)context;
    return 100 * (x[1] - x[0] * x[0]) * (x[1] - x[0] * x[0]) + (1 - x[0]) * (1 - x[0]);
}

static double kink(void *context, double *x) /* least at (0.7, -2.385, 0.31) */
{
    ++*(int *)context;
    return fabs(x[0] - 0.7) + 3 * fabs(x[1] + 2.385) + 0.5 * fabs(x[2] - 0.31) + 0.1 * fabs(x[0] - 0.7 + x[1] + 2.385);
}

static double wall(void *context, double *x) /* least at the wall x = 0.4, where points beyond it are moved to */
{
    ++*(int *)context;
    x[0] = x[0] > 0.4 ? 0.4 : x[0];
    return (x[0] - 2) * (x[0] - 2) + (x[1] + 1.3) * (x[1] + 1.3);
}

static void check(double (*at)(void *context, double *x), int n, const double *least, double tolerance)
{
    int calls = 0;
    simplex s = {.n = n, .at = at, .context = &calls};
    for (int i = 0; i <= n; i++)
        for (int j = 0; j < n; j++)
            s.point[i][j] = -1.2 + 0.37 * j + (i == j + 1 ? 0.5 : 0);
    simplex_start(&s);
    assert_int_equal(calls, n + 1);
    for (int i = 0; i < 400; i++) {
        const double best = s.value[0];
        simplex_step(&s);
        assert_true(s.value[0] <= best && s.value[n] >= s.value[0]);
    }
    for (int j = 0; j < n; j++)
        assert_close(s.point[0][j], least[j], tolerance);
}

static void test_known_minima(void **state)
{
    (void)state;
    check(valley, 2, (const double[]){1, 1}, 1e-7);
    check(kink, 3, (const double[]){0.7, -2.385, 0.31}, 1e-7);
    check(wall, 2, (const double[]){0.4, -1.3}, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_minima)};
    return cmocka_run_group_tests_name("simplex", tests, NULL, NULL);
}

/* Points of a study: every point by its number alone. */
#include <math.h>
#include <string.h>

#include "carom/study.h"
#include "support/check.h"

static carom_variables grid_and_draws(double *list)
{
    carom_variables v = {.count = 3, .draws = 4, .seed = 2385};
    v.list[0] = (carom_variable){.name = "a", .from = 0.3, .to = 1.7, .count = 3};
    v.list[1] = (carom_variable){.name = "b", .random = true, .normal = true, .from = 5, .to = 0.25, .count = 1};
    v.list[2] = (carom_variable){.name = "c", .list = list, .count = 2};
    return v;
}

static void test_the_first_variable_changes_slowest(void **state)
{
    double list[] = {-7.5, 11}, x[CAROM_STUDY_VARIABLES];
    (void)state;
    const carom_variables v = grid_and_draws(list);
    assert_true(carom_study_total(&v) == 3 * 2 * 4);
    for (long i = 0; i < 24; i++) {
        const double grid[] = {0.3, 1.0, 1.7};
        carom_study_values(&v, i, x);
        assert_true(fabs(x[0] - grid[i / 8]) < 1e-15); /* one rounding of 0.3 + 0.7 */
        assert_true(x[2] == list[i / 4 % 2]);
    }
}

static void test_draws_depend_on_their_number_alone(void **state)
{
    double list[] = {-7.5, 11}, x[CAROM_STUDY_VARIABLES], y[CAROM_STUDY_VARIABLES];
    (void)state;
    const carom_variables v = grid_and_draws(list);
    for (long i = 0; i < 4; i++) { /* the same draws at every point of the grid */
        carom_study_values(&v, i, x);
        carom_study_values(&v, i + 20, y);
        assert_true(x[1] == y[1]);
    }
}

/* Mean and deviation of many draws, to five deviations of their own error. */
static void test_normal_draws_have_their_moments(void **state)
{
    enum { MANY = 20000 };
    double x[CAROM_STUDY_VARIABLES], sum = 0, squares = 0;
    (void)state;
    carom_variables v = {.count = 1, .draws = MANY, .seed = 11};
    v.list[0] = (carom_variable){.random = true, .normal = true, .from = 5, .to = 0.25, .count = 1};
    for (long i = 0; i < MANY; i++) {
        carom_study_values(&v, i, x);
        sum += x[0];
        squares += (x[0] - 5) * (x[0] - 5);
    }
    assert_true(fabs(sum / MANY - 5) < 5 * 0.25 / sqrt(MANY));
    assert_true(fabs(sqrt(squares / MANY) - 0.25) < 5 * 0.25 / sqrt(2.0 * MANY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_first_variable_changes_slowest),
                                       cmocka_unit_test(test_draws_depend_on_their_number_alone),
                                       cmocka_unit_test(test_normal_draws_have_their_moments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

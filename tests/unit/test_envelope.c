/* Cholesky within an envelope against what it must reproduce. */
#include "support/check.h"
#include "support/corpus.h"

#include "mechanism/envelope.h"

enum { N = 24 };

/* A random matrix with a random envelope, positive definite by its diagonal. */
static int build(dice *d, carom_joint_row rows[N], double A[N][N], double *L)
{
    size_t start = 0;
    for (int i = 0; i < N; i++) {
        rows[i].first = i == 0 ? 0 : dice_below(d, i + 1);
        rows[i].start = start;
        for (int j = 0; j < N; j++)
            A[i][j] = 0;
        for (int j = rows[i].first; j <= i; j++)
            A[i][j] = L[start++] = i == j ? N + dice_between(d, 0, 1) : dice_gauss(d);
    }
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            A[i][j] = A[j][i];
    return (int)start;
}

static void test_solves(void **state)
{
    (void)state;
    dice d = {77};
    carom_joint_row rows[N];
    double A[N][N], L[N * N], x[N], y[N];
    for (int i = 0; i < 100; i++) {
        build(&d, rows, A, L);
        for (int k = 0; k < N; k++)
            x[k] = dice_gauss(&d);
        for (int k = 0; k < N; k++) {
            y[k] = 0;
            for (int j = 0; j < N; j++)
                y[k] += A[k][j] * x[j];
        }
        assert_int_equal(carom_envelope_factor(N, rows, L, 0), -1);
        carom_envelope_forward(N, rows, L, y);
        carom_envelope_backward(N, rows, L, y);
        for (int k = 0; k < N; k++)
            assert_near(y[k], x[k], 1, 1e-13);
    }
}

static void test_lost_pivot_is_named(void **state)
{
    (void)state;
    dice d = {78};
    carom_joint_row rows[N];
    double A[N][N], L[N * N];
    build(&d, rows, A, L);
    envelope_row(&rows[9], L)[9] = 0;
    assert_int_equal(carom_envelope_factor(N, rows, L, 0), 9);
}

/* Every row before i times the combination is zero, whatever its envelope. */
static void test_combination(void **state)
{
    (void)state;
    dice d = {79};
    carom_joint_row rows[N];
    double A[N][N], L[N * N], t[N];
    for (int times = 0; times < 20; times++) {
        build(&d, rows, A, L);
        assert_int_equal(carom_envelope_factor(N, rows, L, 0), -1);
        for (int i = 0; i < N; i++) {
            carom_envelope_combination(i, rows, L, t);
            assert_true(t[i] == 1);
            for (int k = 0; k < i; k++) {
                double sum = 0;
                for (int j = 0; j <= i; j++)
                    sum += A[k][j] * t[j];
                assert_near(sum, 0, N, 1e-14);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solves), cmocka_unit_test(test_lost_pivot_is_named),
                                       cmocka_unit_test(test_combination)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Dense factors: what they multiply to, what they solve, and what they refuse. */
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"

#include "core/cholesky.h"
#include "core/lu.h"

enum { SIZE = 9 };

#define SLACK 1e-12 /* of the largest entry, for matrices whose condition is below a thousand */

/* B B^T + shift, with entries of B between -1 and 1. */
static void draw_definite(dice *d, int n, double shift, double *A)
{
    double B[SIZE * SIZE];
    for (int i = 0; i < n * n; i++)
        B[i] = dice_between(d, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = cholesky_dot(n, B + i * n, B + j * n) + (i == j ? shift : 0);
}

static void assert_solved(int n, const double *A, const double *x, const double *b)
{
    for (int i = 0; i < n; i++)
        assert_true(fabs(cholesky_dot(n, A + i * n, x) - b[i]) <= SLACK * n);
}

static void definite_systems(void **state)
{
    (void)state;
    dice d = {2385};
    for (int n = 1; n <= SIZE; n++)
        for (int round = 0; round < 50; round++) {
            double A[SIZE * SIZE], L[SIZE * SIZE], b[SIZE], x[SIZE];
            draw_definite(&d, n, 0.37, A);
            for (int i = 0; i < n; i++)
                x[i] = b[i] = dice_between(&d, -1, 1);
            assert_true(cholesky_factor(n, A, 1e-9, L));
            cholesky_forward(n, L, x, x);
            cholesky_backward(n, L, x);
            assert_solved(n, A, x, b);
            memcpy(L, A, sizeof L);
            assert_true(cholesky_factor(n, L, 1e-9, L)); /* in place */
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++)
                    assert_true(fabs(cholesky_dot(j + 1, L + i * n, L + j * n) - A[i * n + j]) <= SLACK * n);
        }
}

/* A row that repeats another makes a matrix singular, a negative shift makes it indefinite. */
static void refusals(void **state)
{
    (void)state;
    dice d = {77};
    for (int n = 2; n <= SIZE; n++) {
        double A[SIZE * SIZE], L[SIZE * SIZE];
        int pivot[SIZE];
        draw_definite(&d, n, -1.3 * n, A);
        assert_false(cholesky_factor(n, A, 1e-12, L));
        draw_definite(&d, n, 0.2, A);
        memcpy(A + (n - 1) * n, A, (size_t)n * sizeof *A);
        for (int i = 0; i < n; i++)
            A[i * n + n - 1] = A[i * n];
        A[n * n - 1] = A[0];
        assert_false(cholesky_factor(n, A, 1e-12, L));
        assert_true(lu_factor(n, A, pivot) <= 1e-12);
    }
}

static void general_systems(void **state)
{
    (void)state;
    dice d = {13};
    for (int n = 1; n <= SIZE; n++)
        for (int round = 0; round < 50; round++) {
            double A[SIZE * SIZE], F[SIZE * SIZE], b[SIZE], x[SIZE];
            int pivot[SIZE];
            for (int i = 0; i < n * n; i++)
                A[i] = dice_between(&d, -1, 1);
            for (int i = 0; i < n; i++) {
                A[i * n + (i + 1) % n] += 3; /* far from singular, and every row must be swapped */
                x[i] = b[i] = dice_between(&d, -1, 1);
            }
            memcpy(F, A, sizeof F);
            assert_true(lu_factor(n, F, pivot) > 1e-3);
            lu_solve(n, F, pivot, x);
            assert_solved(n, A, x, b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(definite_systems), cmocka_unit_test(refusals),
                                       cmocka_unit_test(general_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

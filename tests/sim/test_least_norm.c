/* Smallest solutions of singular systems: conditions that they alone meet. */
#include "sim/rest/least_norm.h"

#include "sim/parts.h"

enum { MOST = 24 };

typedef struct system_of {
    double A[MOST * MOST], kept[MOST * MOST], b[MOST], x[MOST], Q[MOST][MOST];
    matrix m;
    int rank;
} system_of;

/* A = P Q with as many columns of P as the rank; b = A z for a random z. */
static void make(dice *d, int n, int rank, system_of *s)
{
    double P[MOST][MOST], z[MOST];
    for (int i = 0; i < MOST; i++) {
        z[i] = dice_gauss(d);
        for (int k = 0; k < MOST; k++)
            P[i][k] = dice_gauss(d), s->Q[i][k] = dice_gauss(d);
    }
    s->rank = rank;
    s->m = (matrix){n, n, s->A};
    for (int i = 0; i < n; i++) {
        s->b[i] = 0;
        for (int j = 0; j < n; j++) {
            s->A[i * n + j] = 0;
            for (int k = 0; k < rank; k++)
                s->A[i * n + j] += P[i][k] * s->Q[k][j];
            s->b[i] += s->A[i * n + j] * z[j];
        }
    }
    memcpy(s->kept, s->A, sizeof s->A);
}

static arena arena_for(int n)
{
    arena a = {.memory = heap_memory};
    store_init(&a.blocks, sizeof(arena_block));
    assert_true(arena_reserve(&a, least_norm_room(n, n)));
    return a;
}

/* The part of v along q. */
static void take_out(double *v, const double *q, int n)
{
    double dot = 0, own = 0;
    for (int j = 0; j < n; j++)
        dot += q[j] * v[j], own += q[j] * q[j];
    for (int j = 0; j < n; j++)
        v[j] -= dot / own * q[j];
}

/* A x = b, and no change of x along a direction v with A v = 0 makes it shorter. */
static void assert_smallest(dice *d, const system_of *s, const double *x)
{
    int n = s->m.rows;
    for (int i = 0; i < n; i++) {
        double sum = -s->b[i];
        for (int j = 0; j < n; j++)
            sum += s->kept[i * n + j] * x[j];
        assert_near(sum, 0, 1e-10);
    }
    double v[MOST], length = 0, along = 0, q[MOST][MOST]; /* a random v, less its part in the rows of Q */
    for (int j = 0; j < n; j++)
        v[j] = dice_gauss(d);
    memcpy(q, s->Q, sizeof q);
    for (int k = 0; k < s->rank; k++) {
        for (int twice = 0; twice < 2; twice++)
            for (int l = 0; l < k; l++)
                take_out(q[k], q[l], n);
        for (int twice = 0; twice < 2; twice++)
            take_out(v, q[k], n);
    }
    for (int j = 0; j < n; j++)
        length += v[j] * v[j], along += v[j] * x[j];
    assert_true(s->rank == n || length > 1e-3);
    assert_near(along, 0, 1e-10 * (1 + sqrt(length)));
}

static void test_singular(void **state)
{
    (void)state;
    dice d = {301};
    for (int n = 0; n < 60; n++) {
        system_of s;
        int size = 2 + dice_below(&d, MOST - 2), rank = 1 + dice_below(&d, size);
        make(&d, size, rank, &s);
        arena a = arena_for(size);
        row_basis basis;
        solve_rows(&a, &s.m, s.b, s.x, &basis);
        assert_int_equal(basis.rank, rank);
        assert_smallest(&d, &s, s.x);
        for (int i = 0; i < size; i++) /* another right side, in the range as well */
            s.b[i] *= -2.5;
        double again[MOST];
        solve_again(&s.m, &basis, s.b, again);
        for (int i = 0; i < size; i++)
            assert_near(again[i], -2.5 * s.x[i], 1e-9 * (1 + fabs(s.x[i])));
        arena_free(&a);
    }
}

/* Four legs of a table: the smallest forces are those of the least squares, F = (W + 3 W x / a +- ...) / 4. */
static void test_table(void **state)
{
    (void)state;
    const double leg[4][2] = {{0.5, 0.3}, {-0.5, 0.3}, {-0.5, -0.3}, {0.5, -0.3}}, W = 7.7, at[2] = {0.13, -0.06};
    double A[16] = {0}, b[4] = {W, W * at[0], W * at[1], 0}, x[4];
    for (int k = 0; k < 4; k++)
        A[k] = 1, A[4 + k] = leg[k][0], A[8 + k] = leg[k][1];
    matrix m = {4, 4, A};
    arena a = arena_for(4);
    row_basis basis;
    solve_rows(&a, &m, b, x, &basis);
    for (int k = 0; k < 4; k++)
        assert_near(x[k], W / 4 * (1 + at[0] * leg[k][0] / 0.25 + at[1] * leg[k][1] / 0.09), 1e-14);
    assert_int_equal(basis.rank, 3);
    arena_free(&a);
}

static void test_eliminate(void **state)
{
    (void)state;
    dice d = {302};
    for (int n = 1; n <= MOST; n++) {
        system_of s;
        make(&d, n, n, &s);
        memcpy(s.x, s.b, sizeof s.x);
        eliminate(&s.m, s.x);
        for (int i = 0; i < n; i++) {
            double sum = -s.b[i];
            for (int j = 0; j < n; j++)
                sum += s.kept[i * n + j] * s.x[j];
            assert_near(sum, 0, 1e-11);
        }
    }
}

/* Columns that repeat others are left out; the rest span the same. */
static void test_span(void **state)
{
    (void)state;
    double A[5 * 4] = {1, 2, 0, 1, 1, 2, 1, 0, 0, 0, 3, 0, 2, 4, 0, 5, 0, 0, 0, 1}; /* column 1 is twice column 0 */
    matrix m = {5, 4, A};
    int count = span_columns(&m);
    assert_int_equal(count, 3);
    for (int k = 0; k < count; k++)
        for (int l = 0; l <= k; l++) {
            double dot = 0;
            for (int i = 0; i < 5; i++)
                dot += row_of(&m, i)[k] * row_of(&m, i)[l];
            assert_near(dot, k == l, 1e-15);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_singular),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_eliminate),
        cmocka_unit_test(test_span),
    };
    return cmocka_run_group_tests_name("least_norm", tests, NULL, NULL);
}

/* Rows of mechanisms have the bits of single ones; a refused row disturbs no other. */
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"

enum { ROWS = 40, N = 5 };

typedef struct batch {
    double M[ROWS * N * N], J[ROWS * 3 * N], qdot[ROWS * N], work[ROWS * CAROM_GENERALIZED_WORK(N)];
    double column[9][ROWS], p[3][ROWS], after[ROWS * N];
    unsigned char status[ROWS];
} batch;

static void make(dice *d, batch *b)
{
    for (int r = 0; r < ROWS; r++) {
        double A[N * N], *M = b->M + r * N * N;
        for (int i = 0; i < N * N; i++)
            A[i] = dice_between(d, -1, 1);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                M[i * N + j] = i == j;
                for (int k = 0; k < N; k++)
                    M[i * N + j] += A[i * N + k] * A[j * N + k];
            }
    }
    for (int i = 0; i < ROWS * 3 * N; i++)
        b->J[i] = dice_between(d, -1, 1);
    for (int i = 0; i < ROWS * N; i++)
        b->qdot[i] = dice_between(d, -2, 2);
    for (int i = 0; i < 3 * ROWS; i++)
        b->p[i / ROWS][i % ROWS] = dice_between(d, -1, 1);
}

static carom_generalized_columns columns_of(batch *b)
{
    double(*c)[ROWS] = b->column;
    return (carom_generalized_columns){c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], b->status};
}

static void compare_row(batch *b, const carom_generalized_rows *rows, size_t i)
{
    double work[CAROM_GENERALIZED_WORK(N)], after[N];
    carom_generalized one = {N,   rows->dim, rows->M + i * rows->M_step, rows->J + i * rows->J_step, b->qdot + i * N,
                             work};
    carom_problem x;
    carom_status status = carom_generalized_reduce(&one, &x);
    assert_int_equal(b->status[i], status);
    if (status) {
        assert_true(b->column[5][i] == 0 && memcmp(b->after + i * N, b->qdot + i * N, sizeof after) == 0);
        return;
    }
    carom_generalized_apply(&one, carom_cvec_make(b->p[0][i], rows->dim == 3 ? b->p[1][i] : 0, b->p[2][i]), after);
    assert_true(b->column[0][i] == x.K.t11 && b->column[3][i] == x.K.t1n && b->column[5][i] == x.K.nn);
    assert_true(b->column[6][i] == x.u.t1 && b->column[8][i] == x.u.n);
    assert_true(rows->dim == 2 || (b->column[1][i] == x.K.t12 && b->column[2][i] == x.K.t22 &&
                                   b->column[4][i] == x.K.t2n && b->column[7][i] == x.u.t2));
    assert_true(memcmp(after, b->after + i * N, sizeof after) == 0);
}

static void run(batch *b, carom_generalized_rows rows)
{
    carom_generalized_columns columns = columns_of(b);
    if (rows.dim == 2)
        columns.K_t12 = columns.K_t22 = columns.K_t2n = columns.u_t2 = NULL;
    carom_generalized_reduce_rows(&rows, &columns);
    const carom_generalized_impulses p = {b->p[0], rows.dim == 3 ? b->p[1] : NULL, b->p[2], b->status};
    carom_generalized_apply_rows(&rows, &p, b->after);
    for (size_t i = 0; i < rows.count; i++)
        compare_row(b, &rows, i);
}

static void test_rows_are_single_mechanisms(void **state)
{
    (void)state;
    static batch b;
    dice d = {71};
    for (int dim = 2; dim <= 3; dim++) {
        make(&d, &b);
        b.M[3 * N * N] = -1;             /* no mass matrix */
        b.qdot[7 * N + 2] = (double)NAN; /* not finite */
        size_t each = (size_t)dim * N;
        run(&b, (carom_generalized_rows){ROWS, N, dim, b.M, b.J, b.qdot, N * N, each, N, b.work});
        run(&b, (carom_generalized_rows){ROWS, N, dim, b.M, b.J, b.qdot, 0, 0, N, b.work}); /* one M, one J */
        run(&b, (carom_generalized_rows){0, N, dim, b.M, b.J, b.qdot, 0, 0, N, b.work});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_single_mechanisms)};
    return cmocka_run_group_tests_name("generalized_rows", tests, NULL, NULL);
}

/* Outputs of a batch written over its inputs, row by row: over the velocities before, which is promised, and over
 * coefficients, which the loops must notice for themselves. */
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"

enum { ROWS = 300 }; /* more than a tile, and not a multiple of one */

static double K[6][ROWS], u[3][ROWS], e[ROWS], mu[ROWS];

static void fill(dice *d)
{
    for (int i = 0; i < ROWS; i++) {
        carom_problem pb = corpus_problem(d, i % 3 == 0 ? CORPUS_RANK_TWO : i % 2 ? CORPUS_SPHERE : CORPUS_GENERIC);
        const double entries[6] = {pb.K.t11, pb.K.t12, pb.K.t22, pb.K.t1n, pb.K.t2n, pb.K.nn};
        for (int k = 0; k < 6; k++)
            K[k][i] = entries[k];
        u[0][i] = pb.u.t1;
        u[1][i] = pb.u.t2;
        u[2][i] = pb.u.n;
        e[i] = dice_between(d, 0, 1);
        mu[i] = dice_between(d, 0, 2);
    }
}

/* Impulses and velocities of every row; those that have no place of their own go to the arrays given. */
typedef struct results {
    double p[3][ROWS], after[3][ROWS];
} results;

static void solve_all(const carom_law *law, results *r, double *p_n, double *after_n)
{
    carom_batch_in in = {.count = ROWS, .K_t11 = K[0], .K_t12 = K[1], .K_t22 = K[2], .K_t1n = K[3], .K_t2n = K[4]};
    in.K_nn = K[5];
    in.u_t1 = u[0];
    in.u_t2 = u[1];
    in.u_n = u[2];
    in.coeffs.e = e;
    in.coeffs.mu = mu;
    carom_batch_out out = {.count = ROWS, .p_t1 = r->p[0], .p_t2 = r->p[1], .p_n = p_n, .u_t1 = r->after[0]};
    out.u_t2 = r->after[1];
    out.u_n = after_n;
    carom_rule rule = carom_rule_default(law);
    assert_int_equal(carom_batch_solve(&in, &rule, &out, &(carom_batch_options){.threads = 1}), CAROM_STATUS_OK);
    memcpy(r->p[2], p_n, sizeof r->p[2]);
    memcpy(r->after[2], after_n, sizeof r->after[2]);
}

static void check_over(double *p_n, double *after_n)
{
    for (int l = 0; l < carom_law_count(); l++) {
        static results apart, over;
        static double own[2][ROWS];
        dice d = {20261116 + (uint64_t)l};
        fill(&d);
        solve_all(carom_law_at(l), &apart, own[0], own[1]);
        solve_all(carom_law_at(l), &over, p_n ? p_n : own[0], after_n ? after_n : own[1]);
        assert_memory_equal(&apart, &over, sizeof apart);
    }
}

static void test_over_velocities(void **state)
{
    (void)state;
    check_over(NULL, u[2]);
}

static void test_over_coefficients(void **state)
{
    (void)state;
    check_over(e, NULL);
    check_over(NULL, mu);
    check_over(mu, e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_over_velocities),
                                       cmocka_unit_test(test_over_coefficients)};
    return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}

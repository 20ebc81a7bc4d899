#include "core/dd.h"
#include "core/psd.h"
#include "support/check.h"
#include "support/corpus.h"

static const carom_csym baber = {20, -23, 31, 4, -7, 4}; /* eigenvalues 1.0, 3.48405, 50.51595 (Baber) */

static void test_eigen_of_a_published_matrix(void **state)
{
    (void)state;
    double value[3];
    carom_cvec v[3];
    csym_eigen(&baber, value, v);
    assert_near(value[0] + value[1] + value[2], 55, 55, 1e-15);
    assert_near(value[0] * value[1] * value[2], 176, 176, 1e-13); /* the determinant, by hand */
    assert_near(value[1], 3.48405, 1, 1e-5);
    assert_near(value[2], 50.51595, 1, 1e-5);
}

static void test_eigen_rebuilds_the_matrix(void **state)
{
    (void)state;
    dice d = {3};
    for (int i = 0; i < 2000; i++) {
        carom_csym K = corpus_K(&d, (corpus_kind)(i % CORPUS_KIND_COUNT));
        double value[3];
        carom_cvec v[3];
        csym_eigen(&K, value, v);
        carom_csym back = csym_from(value, v);
        double size = K.t11 + K.t22 + K.nn;
        assert_near(back.t11, K.t11, size, 1e-14);
        assert_near(back.t12, K.t12, size, 1e-14);
        assert_near(back.t22, K.t22, size, 1e-14);
        assert_near(back.t1n, K.t1n, size, 1e-14);
        assert_near(back.t2n, K.t2n, size, 1e-14);
        assert_near(back.nn, K.nn, size, 1e-14);
        assert_true(value[0] <= value[1] && value[1] <= value[2]);
    }
}

/* K x = v for random K: the residual is at rounding, however ill-conditioned K is. */
static void test_solve_residual(void **state)
{
    (void)state;
    dice d = {5};
    for (int i = 0; i < 2000; i++) {
        carom_csym K = corpus_K(&d, i % 2 ? CORPUS_ILL : CORPUS_GENERIC);
        carom_cvec v = dice_cvec(&d), x = psd_solve(&K, v);
        carom_cvec back = carom_csym_apply(K, x);
        double size = (K.t11 + K.t22 + K.nn) * largest(x) + largest(v);
        assert_cvec_near(back, v, size, 1e-14);
    }
}

static void test_exact_solution(void **state)
{
    (void)state;
    carom_cvec x = psd_solve(&baber, carom_cvec_make(20 - 46 + 12, -23 + 62 - 21, 4 - 14 + 12)); /* K (1, 2, 3) */
    assert_cvec_near(x, carom_cvec_make(1, 2, 3), 3, 1e-14);
}

static void test_planar_zero_row(void **state)
{
    (void)state;
    carom_csym K = {5, 0, 0, -2, 0, 1};
    carom_cvec x = psd_solve(&K, carom_cvec_make(5 * 3 - 2 * 7, 0, -2 * 3 + 7)); /* K (3, 0, 7) */
    assert_cvec_near(x, carom_cvec_make(3, 0, 7), 7, 1e-15);
    assert_true(x.t2 == 0);
}

/* Rank one: K = v v^T / 2, and the shortest x with K x = v is 2 v / |v|^2. */
static void test_rank_one_gives_the_shortest_solution(void **state)
{
    (void)state;
    carom_cvec v = {1, -2, 3};
    carom_csym K = {0.5, -1, 2, 1.5, -3, 4.5};
    assert_true(psd_is_deficient(&K) && spectrum_of(&K).rank == 1);
    carom_cvec x = psd_solve(&K, v);
    assert_cvec_near(x, carom_cvec_scale(2.0 / 14, v), 0.5, 1e-14);
}

/* However stiff the normal is against the tangents, or the tangents against it, K has its rank. */
static void test_a_stiff_axis_is_an_axis(void **state)
{
    (void)state;
    dice d = {23};
    for (int i = 0; i < 2000; i++) {
        double s = dice_decades(&d, -30, 30);
        const carom_csym J = corpus_spread(&d, 1.5);
        const carom_csym K = {s * J.t11 * s, s * J.t12 * s, s * J.t22 * s, s * J.t1n, s * J.t2n, J.nn};
        const carom_cvec want = {1 / s, -2 / s, 3}, v = carom_csym_apply(K, want), x = psd_solve(&K, v);
        assert_false(psd_is_deficient(&K));
        assert_cvec_near(carom_cvec_make(x.t1 * s, x.t2 * s, x.n), carom_cvec_make(1, -2, 3), 3, 1e-11);
    }
}

/* Minors, and the determinant of these, against double-double: to 2 units, however much they cancel. */
static void test_minors_keep_digits(void **state)
{
    (void)state;
    dice d = {19};
    for (int i = 0; i < 20000; i++) {
        const carom_csym K = corpus_problem(&d, (corpus_kind)(i % CORPUS_KIND_COUNT)).K;
        const minors s = minors_of(&K);
        double n11 = dd_value(dd_dot(K.nn, K.t11, -K.t1n, K.t1n)), n22 = dd_value(dd_dot(K.nn, K.t22, -K.t2n, K.t2n));
        double n12 = dd_value(dd_dot(K.nn, K.t12, -K.t1n, K.t2n)), det = dd_value(dd_dot(s.n11, s.n22, -s.n12, s.n12));
        assert_true(fabs(s.n11 - n11) <= 2 * EPS * fabs(n11) && fabs(s.n22 - n22) <= 2 * EPS * fabs(n22));
        assert_true(fabs(s.n12 - n12) <= 2 * EPS * fabs(n12) && fabs(s.det - det) <= 2 * EPS * fabs(det));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigen_of_a_published_matrix),
        cmocka_unit_test(test_eigen_rebuilds_the_matrix),
        cmocka_unit_test(test_solve_residual),
        cmocka_unit_test(test_exact_solution),
        cmocka_unit_test(test_planar_zero_row),
        cmocka_unit_test(test_rank_one_gives_the_shortest_solution),
        cmocka_unit_test(test_a_stiff_axis_is_an_axis),
        cmocka_unit_test(test_minors_keep_digits),
    };
    return cmocka_run_group_tests_name("psd", tests, NULL, NULL);
}

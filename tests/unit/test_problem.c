#include "support/check.h"
#include "support/corpus.h"

static const double K3[9] = {20, -23, 4, -23, 31, -7, 4, -7, 4}, u3[3] = {0.7, -1.3, -2.385};

static void test_from_arrays(void **state)
{
    (void)state;
    carom_problem pb;
    assert_int_equal(carom_problem_from_K(3, K3, u3, &pb), CAROM_STATUS_OK);
    assert_true(pb.K.t11 == 20 && pb.K.t12 == -23 && pb.K.t22 == 31 && pb.K.t1n == 4 && pb.K.t2n == -7 && pb.K.nn == 4);
    assert_true(pb.u.t1 == 0.7 && pb.u.t2 == -1.3 && pb.u.n == -2.385);
    const double K2[4] = {5, -2, -2, 1}, u2[2] = {2, -1};
    assert_int_equal(carom_problem_from_K(2, K2, u2, &pb), CAROM_STATUS_OK);
    assert_true(pb.K.t11 == 5 && pb.K.t1n == -2 && pb.K.nn == 1 && pb.K.t22 == 0 && pb.K.t12 == 0 && pb.K.t2n == 0);
    assert_true(pb.u.t1 == 2 && pb.u.t2 == 0 && pb.u.n == -1);
}

/* M = K^-1 of Baber's matrix by hand: cofactors over the determinant 176. */
static void test_from_mass_matrix(void **state)
{
    (void)state;
    const double M[9] = {75.0 / 176, 64.0 / 176, 37.0 / 176, 64.0 / 176, 64.0 / 176,
                         48.0 / 176, 37.0 / 176, 48.0 / 176, 91.0 / 176};
    carom_problem pb;
    assert_int_equal(carom_problem_from_M(3, M, u3, &pb), CAROM_STATUS_OK);
    assert_near(pb.K.t11, 20, 31, 1e-13);
    assert_near(pb.K.t12, -23, 31, 1e-13);
    assert_near(pb.K.t2n, -7, 31, 1e-13);
    assert_near(pb.K.nn, 4, 31, 1e-13);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_problem pb;
    double skew[9], K[9];
    for (int i = 0; i < 9; i++)
        skew[i] = K[i] = K3[i];
    skew[1] += 1e-6;
    assert_int_equal(carom_problem_from_K(3, skew, u3, &pb), CAROM_STATUS_BAD_MATRIX);
    assert_int_equal(carom_problem_from_K(4, K, u3, &pb), CAROM_STATUS_BAD_SIZE);
    K[8] = -4;
    assert_int_equal(carom_problem_from_K(3, K, u3, &pb), CAROM_STATUS_BAD_MATRIX);
    K[8] = (double)NAN;
    assert_int_equal(carom_problem_from_K(3, K, u3, &pb), CAROM_STATUS_NOT_FINITE);
    const double indefinite[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1}, zero[9] = {0};
    assert_int_equal(carom_problem_from_K(3, indefinite, u3, &pb), CAROM_STATUS_BAD_MATRIX);
    assert_int_equal(carom_problem_from_K(3, zero, u3, &pb), CAROM_STATUS_IMMOVABLE);
    assert_int_equal(carom_problem_from_M(3, zero, u3, &pb), CAROM_STATUS_BAD_MASS_MATRIX);
    assert_int_equal(carom_problem_from_M(3, indefinite, u3, &pb), CAROM_STATUS_BAD_MASS_MATRIX);
    const double rank_one[4] = {1, 0.5, 0.5, 0.25}, coupled[4] = {0, 0.1, 0.1, 1};
    assert_int_equal(carom_problem_from_K(2, rank_one, u3, &pb), CAROM_STATUS_OK);
    assert_int_equal(carom_problem_from_M(2, rank_one, u3, &pb), CAROM_STATUS_BAD_MASS_MATRIX);
    assert_int_equal(carom_problem_from_K(2, coupled, u3, &pb), CAROM_STATUS_BAD_MATRIX);
    /* a valid K whose products leave the range of double is not called indefinite, nor quietly of lower rank */
    const double sizes[] = {1e80, 1e-80};
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 9; i++)
            K[i] = sizes[j] * K3[i];
        assert_int_equal(carom_problem_from_K(3, K, u3, &pb), CAROM_STATUS_OUT_OF_RANGE);
    }
}

static void test_plane_is_found_in_any_frame(void **state)
{
    (void)state;
    dice d = {31};
    for (int i = 0; i < 2000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_HIDDEN_PLANE);
        carom_direction plane;
        assert_int_equal(carom_problem_plane(&pb, &plane), CAROM_STATUS_OK);
        carom_problem flat = carom_problem_turned(&pb, plane);
        double size = flat.K.t11 + flat.K.t22 + flat.K.nn;
        assert_near(flat.K.t12, 0, size, 1e-14);
        assert_near(flat.K.t2n, 0, size, 1e-14);
        assert_near(flat.u.t2, 0, largest(flat.u), 1e-14);
        assert_true(plane.c > 0 || (fabs(plane.c) < 1e-12 && plane.s > 0)); /* the signs of the contact axes */
        pb = corpus_problem(&d, CORPUS_GENERIC);
        assert_int_equal(carom_problem_plane(&pb, &plane), CAROM_STATUS_NOT_PLANAR);
    }
}

static void test_energy(void **state)
{
    (void)state;
    carom_problem sphere = {{3.5, 0, 3.5, 0, 0, 1}, {-1, 2, -5}};
    assert_close(carom_problem_energy(&sphere), 0.5 * (5 / 3.5 + 25), 1e-15);
    carom_problem pendulum = {{0.5, -1, 2, 1.5, -3, 4.5},
                              {1, -2, 3}}; /* u along the one axis that moves: K = v v^T / 2 */
    assert_close(carom_problem_energy(&pendulum), 1.0, 1e-14);
}

/* Without slip the plane is that of the coupling: k = (3, 4)/10 gives (0.6, 0.8). */
static void test_plane_without_slip(void **state)
{
    (void)state;
    carom_problem pb = {.K = {1.36, 0.48, 1.64, 0.3, 0.4, 1}, .u = {0, 0, -1}};
    carom_direction plane;
    assert_int_equal(carom_problem_plane(&pb, &plane), CAROM_STATUS_OK);
    assert_near(plane.c, 0.6, 1, 1e-15);
    assert_near(plane.s, 0.8, 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_arrays), cmocka_unit_test(test_from_mass_matrix),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_plane_is_found_in_any_frame),
        cmocka_unit_test(test_energy),      cmocka_unit_test(test_plane_without_slip),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}

#include "support/check.h"
#include "support/corpus.h"

enum { N_MAX = 64 };

typedef struct mechanism {
    double M[N_MAX * N_MAX], J[3 * N_MAX], qdot[N_MAX], work[CAROM_GENERALIZED_WORK(N_MAX)];
    carom_generalized g;
} mechanism;

/* A random mechanism with n speeds: M = A A^T + 1. */
static void make(dice *d, int n, int dim, mechanism *m)
{
    static double A[N_MAX * N_MAX];
    for (int i = 0; i < n * n; i++)
        A[i] = dice_between(d, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j;
            for (int k = 0; k < n; k++)
                sum += A[i * n + k] * A[j * n + k];
            m->M[i * n + j] = sum;
        }
    for (int i = 0; i < dim * n; i++)
        m->J[i] = dice_between(d, -1, 1);
    for (int i = 0; i < n; i++)
        m->qdot[i] = dice_between(d, -2, 2);
    m->g = (carom_generalized){n, dim, m->M, m->J, m->qdot, m->work};
}

/* J qdot_after = u + K p and the work of p is the change of kinetic energy, for every size. */
static void test_apply_agrees_with_reduce(void **state)
{
    (void)state;
    static mechanism m;
    dice d = {53};
    for (int n = 1; n <= N_MAX; n++) {
        int dim = 2 + n % 2;
        make(&d, n, dim, &m);
        carom_problem pb;
        assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_OK);
        carom_cvec p = dice_cvec(&d);
        if (dim == 2)
            p.t2 = 0;
        double after[N_MAX], again[N_MAX], rows[3] = {0, 0, 0};
        carom_generalized_apply(&m.g, p, after);
        carom_generalized_apply(&m.g, p, again); /* the workspace is still good */
        for (int j = 0; j < dim; j++)
            for (int i = 0; i < n; i++)
                rows[j] += m.J[j * n + i] * after[i];
        assert_true(after[0] == again[0] && after[n - 1] == again[n - 1]);
        carom_cvec want = carom_cvec_add(pb.u, carom_csym_apply(pb.K, p));
        double size = largest(want) + n;
        assert_cvec_near(carom_cvec_make(rows[0], dim == 3 ? rows[1] : 0, rows[dim - 1]), want, size, 1e-13);
        double before = carom_generalized_energy(&m.g, m.qdot), now = carom_generalized_energy(&m.g, after);
        double work = 0.5 * carom_cvec_dot(p, carom_cvec_add(pb.u, want));
        assert_near(now - before, work, before + now, 1e-13);
    }
}

/* The double pendulum of the thesis: its K from the closed form of its 2x2 mass matrix. */
static void test_double_pendulum(void **state)
{
    (void)state;
    double q1 = -0.6, q2 = 1.3, q12 = q1 + q2;
    double M[4] = {5.0 / 3 + cos(q2), 1.0 / 3 + cos(q2) / 2, 1.0 / 3 + cos(q2) / 2, 1.0 / 3};
    double J[4] = {-sin(q1) - sin(q12), -sin(q12), cos(q1) + cos(q12), cos(q12)}, qdot[2] = {-2.7, -3.3};
    double work[CAROM_GENERALIZED_WORK(2)], det = M[0] * M[3] - M[1] * M[1];
    carom_generalized g = {2, 2, M, J, qdot, work};
    carom_problem pb;
    assert_int_equal(carom_generalized_reduce(&g, &pb), CAROM_STATUS_OK);
    double knn = (J[2] * (M[3] * J[2] - M[1] * J[3]) + J[3] * (M[0] * J[3] - M[1] * J[2])) / det;
    assert_close(pb.K.nn, knn, 1e-14);
    assert_close(pb.u.n, J[2] * qdot[0] + J[3] * qdot[1], 1e-15);
    assert_true(pb.K.t22 == 0);
}

/* M = S A A^T S, A random with a column missing, S units over six decades: singular, but for rounding. */
static void test_motion_without_inertia_is_refused(void **state)
{
    (void)state;
    static mechanism m;
    dice d = {61};
    for (int trial = 0; trial < 4000; trial++) {
        int n = 2 + dice_below(&d, 12);
        double A[14][14], unit[14];
        carom_problem pb;
        make(&d, n, 3, &m);
        for (int i = 0; i < n; i++) {
            unit[i] = dice_decades(&d, -3, 3);
            for (int k = 0; k < n - 1; k++)
                A[i][k] = dice_gauss(&d);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n - 1; k++)
                    sum += A[i][k] * A[j][k];
                m.M[i * n + j] = unit[i] * sum * unit[j];
            }
        assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_BAD_MASS_MATRIX);
        for (int i = 0; i < n; i++)
            m.M[i * n + i] *= 1 + 1e-9;
        assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_OK);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static mechanism m;
    dice d = {59};
    carom_problem pb;
    make(&d, 4, 3, &m);
    m.g.dim = 4;
    assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_BAD_SIZE);
    m.g.dim = 3;
    m.g.n = 0;
    assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_BAD_SIZE);
    m.g.n = 4;
    m.M[1] += 0.1;
    assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_BAD_MASS_MATRIX);
    make(&d, 4, 3, &m);
    m.M[5] = -1;
    assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_BAD_MASS_MATRIX);
    make(&d, 4, 3, &m);
    m.qdot[2] = (double)NAN;
    assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_NOT_FINITE);
    make(&d, 4, 3, &m);
    for (int i = 0; i < 4; i++)
        m.J[8 + i] = 0;
    assert_int_equal(carom_generalized_reduce(&m.g, &pb), CAROM_STATUS_IMMOVABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apply_agrees_with_reduce),
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_motion_without_inertia_is_refused),
    };
    return cmocka_run_group_tests_name("generalized", tests, NULL, NULL);
}

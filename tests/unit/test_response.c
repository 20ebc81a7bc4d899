/* K from a black box, against K = J M^-1 J^T of the same mechanism, and every box that is none. */
#include "carom/response.h"

#include <math.h>

#include "support/check.h"
#include "support/corpus.h"

enum { N_MAX = 6 };

/* A mechanism whose M is the identity: K = J J^T, y = y_0 + J (J^T x). */
typedef struct machine {
    int n, dim, calls;
    double J[3 * N_MAX], offset[3], M[N_MAX * N_MAX], qdot[N_MAX];
    double skew, bend, negative; /* K_01 alone; a quadratic answer; an answer against the push */
    int fails_at, nan_at;        /* the call that fails, from 1 */
} machine;

static bool respond(void *context, const double *push, double *answer)
{
    machine *m = context;
    m->calls++;
    double square = 0;
    for (int i = 0; i < m->dim; i++) {
        answer[i] = m->offset[i] - m->negative * push[i];
        square += push[i] * push[i];
    }
    for (int k = 0; k < m->n; k++) {
        double generalized = 0;
        for (int i = 0; i < m->dim; i++)
            generalized += m->J[i * m->n + k] * push[i];
        for (int i = 0; i < m->dim; i++)
            answer[i] += m->J[i * m->n + k] * generalized;
    }
    answer[0] += m->skew * push[1] + m->bend * square;
    if (m->calls == m->nan_at)
        answer[m->dim - 1] = NAN;
    return m->calls != m->fails_at;
}

static machine random_machine(dice *d, int n, int dim)
{
    machine m = {.n = n, .dim = dim};
    for (int i = 0; i < dim * n; i++)
        m.J[i] = dice_between(d, -1, 1);
    for (int i = 0; i < n; i++) {
        m.M[i * n + i] = 1;
        m.qdot[i] = dice_between(d, -2, 2);
    }
    for (int i = 0; i < dim; i++)
        m.offset[i] = 20 * dice_between(d, -1, 1);
    return m;
}

static carom_problem reference(const machine *m)
{
    double work[CAROM_GENERALIZED_WORK(N_MAX)];
    const carom_generalized g = {m->n, m->dim, m->M, m->J, m->qdot, work};
    carom_problem pb;
    assert_int_equal(carom_generalized_reduce(&g, &pb), CAROM_STATUS_OK);
    return pb;
}

static void assert_same_K(const carom_csym *got, const carom_csym *want)
{
    const double size = want->t11 + want->t22 + want->nn;
    assert_cvec_near(carom_cvec_make(got->t11, got->t22, got->nn), carom_cvec_make(want->t11, want->t22, want->nn),
                     size, 1e-13);
    assert_cvec_near(carom_cvec_make(got->t12, got->t1n, got->t2n), carom_cvec_make(want->t12, want->t1n, want->t2n),
                     size, 1e-13);
}

/* Accelerations: u is given; velocities: u is the answer without a push. Every number of freedoms, singular K included.
 */
static void random_mechanisms(void **state)
{
    (void)state;
    dice d = {71};
    for (int i = 0; i < 2000; i++) {
        const int dim = 2 + i % 2, n = 1 + i % N_MAX;
        machine m = random_machine(&d, n, dim);
        carom_response box = {respond, &m, dim, i % 3 ? 0 : 30, 0};
        carom_problem want = reference(&m), got;
        carom_response_report report;
        const double u[3] = {want.u.t1, dim == 3 ? want.u.t2 : want.u.n, want.u.n};
        assert_int_equal(carom_response_reduce(&box, u, &got, &report), CAROM_STATUS_OK);
        assert_same_K(&got.K, &want.K);
        assert_cvec_near(got.u, want.u, 1, 0);
        assert_int_equal(report.rank, n < dim ? n : dim);
        assert_int_equal(report.calls, dim + 3);
        assert_true(report.asymmetry < 1e-13 && report.nonlinearity < 1e-13);
        assert_int_equal(carom_response_reduce(&box, NULL, &got, NULL), CAROM_STATUS_OK);
        assert_near(got.u.n, m.offset[dim - 1], 1, 0);
    }
}

/* What a law answers for the black box is what it answers for the mechanism: K of rank one and two too. */
static void same_impulse(void **state)
{
    (void)state;
    dice d = {72};
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    for (int i = 0; i < 500; i++) {
        const int dim = 2 + i % 2, n = 1 + i % N_MAX;
        machine m = random_machine(&d, n, dim);
        carom_response box = {respond, &m, dim, 0, 0};
        carom_problem want = reference(&m), got;
        carom_outcome first, second;
        const double u[3] = {want.u.t1, dim == 3 ? want.u.t2 : want.u.n, want.u.n};
        assert_int_equal(carom_response_reduce(&box, u, &got, NULL), CAROM_STATUS_OK);
        carom_status one = carom_solve(&want, &rule, NULL, &first), two = carom_solve(&got, &rule, NULL, &second);
        assert_int_equal(one, two);
        if (one == CAROM_STATUS_OK)
            assert_cvec_near(second.u_after, first.u_after, largest(want.u), 1e-8); /* cond(K) is up to 1e5 */
    }
}

/* A wild box is refused with its own status, and nothing is handed over. */
static void assert_refused(machine *m, carom_response box, carom_status wanted)
{
    carom_problem pb = {{1, 1, 1, 1, 1, 1}, {1, 1, 1}};
    carom_response_report report;
    m->calls = 0;
    box.context = m;
    assert_int_equal(carom_response_reduce(&box, NULL, &pb, &report), wanted);
    assert_true(pb.K.nn == 0 && pb.K.t11 == 0 && pb.u.n == 0 && pb.u.t1 == 0);
    assert_int_equal(report.calls, m->calls);
}

static void calls_that_fail(void **state)
{
    (void)state;
    dice d = {73};
    for (int dim = 2; dim <= 3; dim++)
        for (int call = 1; call <= dim + 3; call++) {
            machine m = random_machine(&d, 4, dim);
            const carom_response box = {respond, NULL, dim, 0, 0};
            m.nan_at = call;
            assert_refused(&m, box, CAROM_STATUS_NOT_FINITE);
            m.nan_at = 0;
            m.fails_at = call;
            assert_refused(&m, box, CAROM_STATUS_NO_RESPONSE);
        }
}

static void boxes_that_are_no_mechanism(void **state)
{
    (void)state;
    dice d = {74};
    for (int i = 0; i < 300; i++) {
        const int dim = 2 + i % 2;
        const double small = pow(10, -6 + 6 * dice_between(&d, 0, 1));
        const carom_response box = {respond, NULL, dim, 0, 0};
        machine m = random_machine(&d, 4, dim);
        m.skew = small;
        assert_refused(&m, box, CAROM_STATUS_NOT_SYMMETRIC);
        m.skew = 0;
        m.bend = -small;
        assert_refused(&m, box, CAROM_STATUS_NOT_LINEAR);
        m.bend = 0;
        m.negative = 50;
        assert_refused(&m, box, CAROM_STATUS_NOT_DEFINITE);
    }
}

/* The report names the entries that differ. */
static void asymmetry_is_located(void **state)
{
    (void)state;
    dice d = {75};
    machine m = random_machine(&d, 5, 3);
    carom_response box = {respond, &m, 3, 0, 0};
    carom_problem pb;
    carom_response_report report;
    m.skew = 0.01;
    assert_int_equal(carom_response_reduce(&box, NULL, &pb, &report), CAROM_STATUS_NOT_SYMMETRIC);
    assert_true(report.row == 1 && report.column == 0);
    assert_near(report.K[1] - report.K[3], 0.01, 1, 1e-12);
    box.tolerance = 1; /* on the caller's own responsibility: the symmetric part */
    assert_int_equal(carom_response_reduce(&box, NULL, &pb, &report), CAROM_STATUS_OK);
    assert_near(pb.K.t12, 0.5 * (report.K[1] + report.K[3]), 1, 1e-12);
}

static void arguments(void **state)
{
    (void)state;
    dice d = {76};
    machine m = random_machine(&d, 4, 3);
    carom_response box = {respond, &m, 4, 0, 0};
    assert_refused(&m, box, CAROM_STATUS_BAD_SIZE);
    box.dim = 3;
    box.push = -1;
    assert_refused(&m, box, CAROM_STATUS_BAD_COEFFICIENT);
    box.push = (double)INFINITY;
    assert_refused(&m, box, CAROM_STATUS_NOT_FINITE);
    box.push = 0;
    box.tolerance = (double)NAN;
    assert_refused(&m, box, CAROM_STATUS_NOT_FINITE);
    box.tolerance = 0;
    for (int k = 0; k < m.n; k++)
        m.J[2 * m.n + k] = 0; /* nothing moves along the normal */
    assert_refused(&m, box, CAROM_STATUS_IMMOVABLE);
    for (int k = 0; k < 3 * m.n; k++)
        m.J[k] = 0;
    assert_refused(&m, box, CAROM_STATUS_IMMOVABLE);
    const double u[3] = {0, (double)NAN, -1};
    carom_problem pb;
    assert_int_equal(carom_response_reduce(&box, u, &pb, NULL), CAROM_STATUS_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_mechanisms),    cmocka_unit_test(same_impulse),
        cmocka_unit_test(calls_that_fail),      cmocka_unit_test(boxes_that_are_no_mechanism),
        cmocka_unit_test(asymmetry_is_located), cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests_name("black boxes", tests, NULL, NULL);
}

/* The parts of a fit against numbers that are known otherwise: distributions, whitening, losses, bounds, refusals. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "carom/fit.h"

enum { COUNT = 12 };

/* Quantiles of chi-square: tables of Abramowitz and Stegun, more digits from R's qchisq. */
static void test_chi2_tail(void **state)
{
    (void)state;
    assert_close(carom_fit_chi2_tail(3.841458820694124, 1), 0.05, 1e-12);
    assert_close(carom_fit_chi2_tail(5.991464547107979, 2), 0.05, 1e-12);
    assert_close(carom_fit_chi2_tail(18.307038053275146, 10), 0.05, 1e-11);
    assert_close(carom_fit_chi2_tail(124.34211340400407, 100), 0.05, 1e-10);
    assert_close(carom_fit_chi2_tail(2.7, 2), exp(-1.35), 1e-13); /* two degrees: exp(-x/2) */
    assert_close(carom_fit_chi2_tail(80, 2), exp(-40), 1e-12);
    assert_true(carom_fit_chi2_tail(0, 5) == 1);
}

/* Wald and Wolfowitz: 5 runs of 10 plus and 10 minus; mean 11, variance 200 180 / (400 19). */
static void test_runs(void **state)
{
    (void)state;
    double signs[20];
    int runs;
    const int starts[] = {0, 4, 8, 14, 18, 20};
    for (int k = 0; k < 5; k++)
        for (int i = starts[k]; i < starts[k + 1]; i++)
            signs[i] = k % 2 ? -1.3 : 0.7;
    double p = carom_fit_runs(20, signs, &runs);
    assert_int_equal(runs, 5);
    double mean = 2.0 * 12 * 8 / 20 + 1, both = 2.0 * 12 * 8; /* 4 + 6 + 2 plus, 4 + 4 minus */
    assert_close(p, erfc(fabs(5 - mean) / sqrt(2 * both * (both - 20) / (400.0 * 19))), 1e-13);
    assert_true(carom_fit_runs(5, signs, &runs) == 1);
}

/* S = L L^T with L = (2 0; 3 5): L^-1 (4, 11) = (2, 1), log det = 2 log 10. */
static void test_whiten(void **state)
{
    (void)state;
    double S[4] = {4, 6, 6, 34}, A[6] = {2, 0, 4, 3, 5, 16}, offset[2] = {4, 11}, log_det;
    assert_int_equal(carom_fit_whiten(2, 3, S, A, offset, &log_det), CAROM_STATUS_OK);
    assert_close(offset[0], 2.0, 1e-15);
    assert_close(offset[1], 1.0, 1e-15);
    assert_close(log_det, 2 * log(10), 1e-15);
    assert_near(A[3], 0, 1, 1e-15);
    assert_close(A[4], 1.0, 1e-15);
    assert_close(A[5], 2.0, 1e-15);
    double singular[4] = {1, 1, 1, 1}, negative[4] = {1, 0, 0, -2}, skew[4] = {1, 0.5, 0.2, 1};
    assert_int_equal(carom_fit_whiten(2, 3, singular, A, offset, &log_det), CAROM_STATUS_BAD_MATRIX);
    assert_int_equal(carom_fit_whiten(2, 3, negative, A, offset, &log_det), CAROM_STATUS_BAD_MATRIX);
    assert_int_equal(carom_fit_whiten(2, 3, skew, A, offset, &log_det), CAROM_STATUS_BAD_MATRIX);
}

/* Spheres of unit mass that rebound with e_i: u_n' = e_i |u_n| and sticking. Only the normal is measured. */
typedef struct data {
    carom_fit_impact impacts[COUNT];
    double A[COUNT][3], offset[COUNT];
} data;

#define SIGMA 0.01

static void make(data *d, const double *e)
{
    memset(d, 0, sizeof *d);
    for (int i = 0; i < COUNT; i++) {
        double v = 0.8 + 0.07 * i;
        d->A[i][2] = 1 / SIGMA;
        d->offset[i] = (-v - e[i] * v) / SIGMA;
        carom_fit_impact impact = {.problem = {{3.5, 0, 3.5, 0, 0, 1}, {0.1, 0, -v}},
                                   .count = 1,
                                   .A = d->A[i],
                                   .offset = &d->offset[i],
                                   .log_det = 2 * log(SIGMA),
                                   .weight = 1};
        d->impacts[i] = impact;
    }
}

static const double scattered_e[COUNT] = {0.61, 0.63, 0.58, 0.64, 0.62, 0.59, 0.60, 0.66, 0.57, 0.61, 0.63, 0.60};

/* newton: chi2 is quadratic in e, so the estimate, its deviation and the interval are closed. */
static void test_closed(void **state)
{
    (void)state;
    data d;
    double vv = 0, ev = 0, chi2 = 0;
    make(&d, scattered_e);
    for (int i = 0; i < COUNT; i++) {
        double v = 0.8 + 0.07 * i;
        vv += v * v / (SIGMA * SIGMA);
        ev += scattered_e[i] * v * v / (SIGMA * SIGMA);
    }
    double e = ev / vv, std = 1 / sqrt(vv);
    for (int i = 0; i < COUNT; i++)
        chi2 += pow((scattered_e[i] - e) * (0.8 + 0.07 * i) / SIGMA, 2);
    carom_fit_task task = carom_fit_task_default(carom_law_find("newton"), COUNT, d.impacts);
    carom_fit_result r;
    void *memory = malloc(carom_fit_memory(&task));
    assert_int_equal(task.free_count, 1);
    assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
    assert_close(r.parameters[0].value, e, 1e-12);
    assert_close(r.parameters[0].std, std, 1e-12);
    assert_close(r.chi2, chi2, 1e-12);
    assert_close(r.parameters[0].low, e - 1.959963984540054 * std, 1e-11);
    assert_close(r.parameters[0].high, e + 1.959963984540054 * std, 1e-11);
    task.scale = true; /* n log(chi2/chi2_min) = q: (x/std)^2 = chi2_min (exp(q/n) - 1) */
    assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
    assert_close(r.parameters[0].std, std * sqrt(chi2 / COUNT), 1e-12);
    assert_close(r.parameters[0].high, e + std * sqrt(chi2 * expm1(3.841458820694124 / COUNT)), 1e-10);
    free(memory);
}

/* Any number of shared parameters that a task can have. newton uses e alone: the others leave its estimate where it is,
 * and chi2 does not depend on them. */
static void test_counts(void **state)
{
    (void)state;
    static const int others[CAROM_FIT_SHARED] = {CAROM_COEFF_e,     CAROM_COEFF_e_t,    CAROM_COEFF_mu,
                                                 CAROM_COEFF_s_1,   CAROM_COEFF_s_2,    CAROM_COEFF_eta,
                                                 CAROM_COEFF_kappa, CAROM_COEFF_ratio_1};
    data d;
    double vv = 0, ev = 0;
    make(&d, scattered_e);
    for (int i = 0; i < COUNT; i++) {
        double v = 0.8 + 0.07 * i;
        vv += v * v;
        ev += scattered_e[i] * v * v;
    }
    carom_fit_task task = carom_fit_task_default(carom_law_find("newton"), COUNT, d.impacts);
    for (task.free_count = 1; task.free_count <= CAROM_FIT_SHARED; task.free_count++) {
        carom_fit_free *last = &task.free[task.free_count - 1];
        carom_fit_result r;
        *last = (carom_fit_free){.coeff = others[task.free_count - 1]};
        assert_true(carom_fit_bounds(task.rule.law, last->coeff, &last->min, &last->max));
        void *memory = malloc(carom_fit_memory(&task));
        assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
        assert_close(r.parameters[0].value, ev / vv, 1e-10);
        for (int j = 1; j < task.free_count; j++)
            assert_int_equal(r.parameters[j].state, CAROM_FIT_FLAT);
        free(memory);
    }
}

/* A plate in the plane that lands flat on both ends, without friction: by symmetry u_n' = e_i |v| at both, and v is the
 * estimate of newton above. Contacts that are given as a list of one have the same answer. */
static void test_several(void **state)
{
    (void)state;
    enum { ENDS = 2 };
    static const double arm = 0.7, inertia = 0.3; /* of unit mass */
    const double cross = 1 - arm * arm / inertia, own = 1 + arm * arm / inertia;
    const double K[16] = {1, 0, 1, 0, 0, own, 0, cross, 1, 0, 1, 0, 0, cross, 0, own};
    data d;
    double A[COUNT][2 * ENDS], vv = 0, ev = 0;
    void *memories[COUNT];
    carom_contacts contacts[COUNT];
    make(&d, scattered_e);
    for (int i = 0; i < COUNT; i++) {
        double v = 0.8 + 0.07 * i, u[2 * ENDS] = {0.1, -v, 0.1, -v};
        memories[i] = malloc(carom_contacts_size(ENDS, 2));
        assert_int_equal(carom_contacts_from_K(ENDS, 2, K, u, memories[i], &contacts[i]), CAROM_STATUS_OK);
        memset(A[i], 0, sizeof A[i]);
        A[i][1] = A[i][3] = 1 / SIGMA; /* the velocity of the centre is v + p_n1 + p_n2 */
        d.impacts[i].A = A[i];
        d.impacts[i].contacts = &contacts[i];
        vv += v * v;
        ev += scattered_e[i] * v * v;
    }
    static const char *const laws[] = {"moreau", "lzb", "compliant", "poisson-lcp", "reflections"};
    for (int k = 0; k < 5; k++) {
        carom_fit_task task = carom_fit_task_together(carom_together_find(laws[k]), NULL, COUNT, d.impacts);
        carom_fit_result r;
        task.free_count = 1;
        task.free[0] = (carom_fit_free){CAROM_COEFF_e, 0, 1, false};
        task.rule.coeffs.mu = 0;
        task.workspace = malloc(carom_fit_workspace(&task));
        void *memory = malloc(carom_fit_memory(&task));
        assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
        assert_close(r.parameters[0].value, ev / vv, 1e-7);
        assert_close(r.parameters[0].std, SIGMA / sqrt(vv), 1e-6);
        assert_close(r.parameters[0].high, ev / vv + 1.959963984540054 * SIGMA / sqrt(vv), 1e-6);
        free(memory);
        free(task.workspace);
    }
    carom_fit_task one = carom_fit_task_default(carom_law_find("newton"), COUNT, d.impacts); /* refuses several */
    carom_fit_result r;
    void *memory = malloc(carom_fit_memory(&one));
    assert_int_equal(carom_fit_solve(&one, memory, &r), CAROM_STATUS_BAD_SIZE);
    make(&d, scattered_e); /* single contacts, by a law of several */
    one = carom_fit_task_together(carom_together_find("moreau"), NULL, COUNT, d.impacts);
    one.free_count = 1;
    one.rule.coeffs.mu = 0;
    one.workspace = malloc(carom_fit_workspace(&one));
    assert_int_equal(carom_fit_solve(&one, memory, &r), CAROM_STATUS_OK);
    assert_close(r.parameters[0].value, ev / vv, 1e-9);
    free(one.workspace);
    free(memory);
    for (int i = 0; i < COUNT; i++)
        free(memories[i]);
}

/* Local values: e_i of each impact is what it measured, chi2 is zero. By groups: the mean of each. */
static void test_local(void **state)
{
    (void)state;
    data d;
    make(&d, scattered_e);
    carom_fit_task task = carom_fit_task_default(carom_law_find("newton"), COUNT, d.impacts);
    carom_fit_result r;
    task.free[0].local = true;
    task.unit_count = 2;
    for (int i = 0; i < COUNT; i++)
        d.impacts[i].unit = i % 2;
    void *memory = malloc(carom_fit_memory(&task));
    assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
    assert_int_equal(r.parameter_count, 2);
    for (int unit = 0; unit < 2; unit++) {
        double vv = 0, ev = 0;
        for (int i = unit; i < COUNT; i += 2) {
            vv += pow(0.8 + 0.07 * i, 2);
            ev += scattered_e[i] * pow(0.8 + 0.07 * i, 2);
        }
        assert_close(r.parameters[unit].value, ev / vv, 1e-12);
        assert_close(r.parameters[unit].std, SIGMA / sqrt(vv), 1e-12);
    }
    free(memory);
}

/* An e above one is on its bound, with an interval to one side. */
static void test_bound(void **state)
{
    (void)state;
    data d;
    double e[COUNT];
    for (int i = 0; i < COUNT; i++)
        e[i] = 1.002;
    make(&d, e);
    carom_fit_task task = carom_fit_task_default(carom_law_find("newton"), COUNT, d.impacts);
    carom_fit_result r;
    void *memory = malloc(carom_fit_memory(&task));
    assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
    assert_int_equal(r.parameters[0].state, CAROM_FIT_AT_MAX);
    assert_true(r.parameters[0].value == 1);
    assert_true(isinf(r.parameters[0].std) && isinf(r.parameters[0].high) && r.parameters[0].low < 1);
    free(memory);
}

/* Robust losses: one gross error hardly moves the estimate. */
static void test_robust(void **state)
{
    (void)state;
    data d;
    double e[COUNT];
    memcpy(e, scattered_e, sizeof e);
    e[4] = 0.05;
    make(&d, e);
    carom_fit_task task = carom_fit_task_default(carom_law_find("newton"), COUNT, d.impacts);
    carom_fit_result r;
    carom_fit_case c;
    void *memory = malloc(carom_fit_memory(&task));
    for (int loss = CAROM_FIT_HUBER; loss <= CAROM_FIT_STUDENT; loss++) {
        task.loss = (carom_fit_loss)loss;
        task.loss_parameter = loss == CAROM_FIT_HUBER ? 1.345 : 4;
        assert_int_equal(carom_fit_solve(&task, memory, &r), CAROM_STATUS_OK);
        assert_near(r.parameters[0].value, 0.61, 1, 0.012);
        assert_true(isfinite(r.parameters[0].std) && r.gradient < 1e-7);
        assert_int_equal(carom_fit_diagnose(&task, &r, 4, &c), CAROM_STATUS_OK);
        assert_true(c.downweighted);
    }
    free(memory);
}

static bool stop(void *context, double share)
{
    (void)share;
    return ++*(int *)context < 3;
}

static void test_refusals(void **state)
{
    (void)state;
    data d;
    make(&d, scattered_e);
    carom_fit_task task = carom_fit_task_default(carom_law_find("bilinear"), COUNT, d.impacts), bad;
    carom_fit_result r;
    int calls = 0;
    void *memory = malloc(carom_fit_memory(&task));
    bad = task;
    bad.impact_count = 2; /* two numbers, three coefficients */
    assert_int_equal(carom_fit_solve(&bad, memory, &r), CAROM_STATUS_BAD_SIZE);
    bad = task;
    bad.free[0].max = INFINITY;
    assert_int_equal(carom_fit_solve(&bad, memory, &r), CAROM_STATUS_BAD_COEFFICIENT);
    bad = task;
    bad.free_count = 0;
    assert_int_equal(carom_fit_solve(&bad, memory, &r), CAROM_STATUS_BAD_SIZE);
    bad = task;
    d.impacts[3].problem.K.t1n = 0.4; /* bilinear is for spheres */
    assert_int_equal(carom_fit_solve(&bad, memory, &r), CAROM_STATUS_OUT_OF_SCOPE);
    d.impacts[3].problem.K.t1n = 0;
    bad.watch = stop;
    bad.context = &calls;
    assert_int_equal(carom_fit_solve(&bad, memory, &r), CAROM_STATUS_ITERATION_LIMIT);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chi2_tail), cmocka_unit_test(test_runs),
                                       cmocka_unit_test(test_whiten),    cmocka_unit_test(test_closed),
                                       cmocka_unit_test(test_counts),    cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_local),     cmocka_unit_test(test_bound),
                                       cmocka_unit_test(test_robust),    cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}

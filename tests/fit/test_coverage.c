/* 95 % intervals of fits with errors on both sides of the impact hold the truth in 93 to 97 of 100 data sets. */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "carom/fit_plan.h"

enum { SETS = 400, IMPACTS = 24 };

#define E     0.27
#define MU    0.163
#define SIGMA 0.011

static unsigned long long state = 2385;

static double uniform(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) * 0x1p-53;
}

static double normal(void)
{
    double u = uniform(), v = uniform();
    return sqrt(-2 * log(u + 1e-300)) * cos(6.283185307179586 * v);
}

/* A rod's corner in the plane: what is known before has errors, of twice the size in the tangent. */
static void add_impact(carom_fit_data *data, const carom_law *law)
{
    double phi = 0.4 + 1.1 * uniform(), a = 1.3, K_tt = 1 + a * cos(phi) * cos(phi), K_tn = a * sin(phi) * cos(phi) / 2,
           K_nn = 1 + a * sin(phi) * sin(phi);
    carom_problem problem = {.K = {.t11 = K_tt, .t1n = K_tn, .nn = K_nn},
                             .u = {.t1 = 2.6 * (uniform() - 0.5), .n = -0.6 - uniform()}};
    carom_rule rule = carom_scene_default().rule;
    carom_outcome out;
    carom_case_error error;
    char text[1024];
    rule.law = law;
    rule.coeffs.e = E;
    rule.coeffs.mu = MU;
    assert_int_equal(carom_solve(&problem, &rule, NULL, &out), CAROM_STATUS_OK);
    double u_t = problem.u.t1 + 2 * SIGMA * normal(), u_n = problem.u.n + SIGMA * normal();
    double m_t = out.u_after.t1 + SIGMA * normal(), m_n = out.u_after.n + SIGMA * normal();
    int length =
        snprintf(text, sizeof text,
                 "{\"reduced\": {\"K\": [[%.17g, %.17g], [%.17g, %.17g]], \"u\": [%.17g, %.17g]}, \"measured\": "
                 "{\"u_after\": [%.17g, %.17g], \"sigma\": [%g, %g], \"before\": [[%g, 0], [0, %g]]}}",
                 K_tt, K_tn, K_tn, K_nn, u_t, u_n, m_t, m_n, SIGMA, SIGMA, 4 * SIGMA * SIGMA, SIGMA * SIGMA);
    const carom_text line = {"set", 1, text, (size_t)length};
    assert_true(carom_fit_data_add(data, &line, &error));
}

static void test_coverage(void **unused)
{
    (void)unused;
    int held[2] = {0, 0};
    const double truth[2] = {E, MU};
    for (int set = 0; set < SETS; set++) {
        carom_fit_data data = {0};
        carom_fit_plan plan = carom_fit_plan_default();
        carom_fit_answers answers;
        carom_case_error error;
        plan.law = carom_law_find("routh-stronge");
        plan.folds = 0;
        for (int i = 0; i < IMPACTS; i++)
            add_impact(&data, plan.law);
        assert_true(carom_fit_run(&plan, &data, NULL, &answers, &error));
        const carom_fit_estimate *p = answers.list[0].result.parameters;
        for (int j = 0; j < 2; j++)
            held[j] += p[j].low <= truth[j] && truth[j] <= p[j].high;
        carom_fit_answers_free(&answers);
        carom_fit_data_free(&data);
    }
    for (int j = 0; j < 2; j++)
        assert_in_range(held[j], (int)(0.93 * SETS), (int)(0.97 * SETS + 0.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_coverage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The law with springs at every contact: its readings of two compressions, and its ledger. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/contacts.h"

#define SAME_ONE 1e-12 /* of the largest number: one contact by two programs; of the work: the ledger */

/* Baber's example loads twice: p_n of jia and of compliant under the three readings, from the reference. */
static void test_readings(void **state)
{
    (void)state;
    static const double K[9] = {20, -23, 4, -23, 31, -7, 4, -7, 4}, u[3] = {630, -780, -0.22};
    static const double eta[3] = {0.1, 0.3, 1};
    static const double p_n[3][3] = {{60.81208, 60.81639, 60.86578},
                                     {61.16251, 61.16770, 61.22735}, /* printed: 61.22736 */
                                     {60.83393, 60.83828, 60.88823}};
    for (int k = 0; k < 9; k++) {
        contacts_case c = {.m = 1, .dim = 3, .n = 3};
        carom_problem problem;
        carom_outcome out;
        carom_rule one = carom_rule_default(carom_law_find("jia"));
        carom_together_rule rule = carom_together_rule_default(carom_together_find("compliant"), NULL);
        memcpy(c.K, K, sizeof K);
        memcpy(c.u, u, sizeof u);
        c.coeffs[0] = carom_coeffs_default();
        c.coeffs[0].e = 0.9, c.coeffs[0].mu = 0.5, c.coeffs[0].eta = eta[k % 3];
        one.coeffs = c.coeffs[0];
        one.options.phases = rule.options.phases = k / 3;
        assert_true(contacts_make(&c));
        assert_int_equal(carom_problem_from_K(3, K, u, &problem), CAROM_STATUS_OK);
        assert_int_equal(carom_solve(&problem, &one, NULL, &out), CAROM_STATUS_OK);
        assert_int_equal(contacts_solve(&c, &rule), CAROM_STATUS_OK);
        assert_true(fabs(out.p.n - p_n[k / 3][k % 3]) <= 5.1e-6); /* printed with five decimals */
        assert_int_equal(out.phases.phases, k / 3 == CAROM_OPTION_PHASES_FIRST ? 1 : 2);
        assert_true(fabs(c.p[0] - out.p.t1) <= SAME_ONE * fabs(out.p.t1));
        assert_true(fabs(c.p[1] - out.p.t2) <= SAME_ONE * fabs(out.p.t2));
        assert_true(fabs(c.p[2] - out.p.n) <= SAME_ONE * fabs(out.p.n));
        free(c.memory);
    }
}

/* The losses of all contacts add up to the energy lost; none is negative. */
static void test_losses(void **state)
{
    (void)state;
    contacts_random r = {19};
    carom_together_rule rule = carom_together_rule_default(carom_together_find("compliant"), NULL);
    for (int k = 0; k < 400; k++) {
        contacts_case c;
        double losses[2 * CONTACTS_MOST], sum = 0, work = 0;
        contacts_fill(&r, &c, 2 + k % 4, 2 + k / 4 % 2);
        for (int i = 0; i < c.m; i++)
            c.coeffs[i].eta = contacts_within(&r, 0.3, 2);
        rule.options.phases = k % 3;
        assert_true(contacts_make(&c));
        rule.coeffs = c.coeffs;
        void *memory = malloc(carom_together_work(&c.problem, &rule));
        c.out = (carom_together_outcome){.p = c.p, .u_after = c.u_after, .losses = losses};
        carom_status status = carom_together_solve(&c.problem, &rule, NULL, memory, &c.out);
        free(memory);
        assert_true(status == CAROM_STATUS_OK || status == CAROM_STATUS_SEPARATING);
        for (int i = 0; i < c.n; i++)
            work += fabs(c.p[i]) * (fabs(c.u[i]) + fabs(c.u_after[i]));
        for (int i = 0; i < 2 * c.m; i++) {
            assert_true(losses[i] >= -SAME_ONE * work);
            sum += losses[i];
        }
        if (fabs(sum + c.out.energy.change) > SAME_ONE * work)
            fail_msg("case %d: %.17g is lost, %.17g is booked", k, -c.out.energy.change, sum);
        free(c.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readings),
        cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests_name("springs at every contact", tests, NULL, NULL);
}

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

/* Rigid tangents are lzb: the difference falls with eta. */
static void test_rigid_limit(void **state)
{
    (void)state;
    contacts_random r = {29};
    carom_together_rule springs = carom_together_rule_default(carom_together_find("compliant"), NULL);
    carom_together_rule rigid = carom_together_rule_default(carom_together_find("lzb"), NULL);
    double apart[3] = {0, 0, 0};
    for (int k = 0; k < 40; k++) {
        contacts_case c;
        contacts_fill(&r, &c, 2 + k % 2, 2);
        assert_true(contacts_make(&c));
        (void)contacts_solve(&c, &rigid);
        double u[CONTACTS_ROWS], speed = contacts_largest(c.n, c.u);
        memcpy(u, c.u_after, sizeof u);
        for (int level = 0; level < 3; level++) {
            for (int i = 0; i < c.m; i++)
                c.coeffs[i].eta = pow(0.1, level + 1);
            assert_int_equal(contacts_solve(&c, &springs), contacts_solve(&c, &springs));
            for (int i = 0; i < c.n; i++)
                apart[level] += fabs(c.u_after[i] - u[i]) / speed / 40;
        }
        free(c.memory);
    }
    assert_true(apart[1] < 0.2 * apart[0] && apart[2] < 0.2 * apart[1] && apart[2] < 2e-3);
}

/* Springs are linear where there is friction; without it the law is lzb with any exponent. */
static void test_exponent(void **state)
{
    (void)state;
    contacts_random r = {31};
    carom_together_rule springs = carom_together_rule_default(carom_together_find("compliant"), NULL);
    carom_together_rule rigid = carom_together_rule_default(carom_together_find("lzb"), NULL);
    contacts_case c;
    double u[CONTACTS_ROWS];
    contacts_fill(&r, &c, 3, 3);
    assert_true(contacts_make(&c));
    for (int i = 0; i < c.m; i++)
        c.coeffs[i].exponent = 1.5;
    assert_int_equal(contacts_solve(&c, &springs), CAROM_STATUS_OUT_OF_SCOPE);
    for (int i = 0; i < c.m; i++)
        c.coeffs[i].mu = 0;
    assert_int_equal(contacts_solve(&c, &rigid), CAROM_STATUS_OK);
    memcpy(u, c.u_after, sizeof u);
    assert_int_equal(contacts_solve(&c, &springs), CAROM_STATUS_OK);
    assert_memory_equal(u, c.u_after, (size_t)c.n * sizeof *u);
    free(c.memory);
}

/* What a tracer sees between events: no spring beyond its bound, modes as events say. */
typedef struct seen {
    const contacts_case *c;
    int points, slipping;
} seen;

static void look(void *context, const carom_together_state *at)
{
    seen *s = context;
    const int dim = s->c->dim;
    for (int j = 0; j < s->c->m; j++) {
        const carom_coeffs *c = &s->c->coeffs[j];
        const double *x = at->spring + j * (dim - 1), bound = c->mu * c->eta * c->eta * at->compression[j];
        double size = dim == 3 ? hypot(x[0], x[1]) : fabs(x[0]);
        assert_true(size <= bound * (1 + 1e-9) + 1e-12);
        bool slips = at->modes[j] == CAROM_TOGETHER_MODE_SLIP;
        assert_true(!slips || fabs(size - bound) <= 1e-9 * bound + 1e-12);
        assert_true(at->modes[j] != CAROM_TOGETHER_MODE_OPEN || at->compression[j] == 0);
        s->slipping += slips;
    }
    s->points++;
}

static void test_trace(void **state)
{
    (void)state;
    contacts_random r = {37};
    carom_together_rule rule = carom_together_rule_default(carom_together_find("compliant"), NULL);
    for (int k = 0; k < 40; k++) {
        contacts_case c;
        contacts_fill(&r, &c, 2 + k % 2, 2 + k / 2 % 2);
        seen s = {&c, 0, 0};
        const carom_together_tracer tracer = {.step = look, .context = &s};
        assert_true(contacts_make(&c));
        rule.coeffs = c.coeffs;
        void *memory = malloc(carom_together_work(&c.problem, &rule));
        c.out = (carom_together_outcome){.p = c.p, .u_after = c.u_after};
        carom_status status = carom_together_solve(&c.problem, &rule, &tracer, memory, &c.out);
        assert_true(status == CAROM_STATUS_SEPARATING || (s.points > 8 && s.slipping > 0));
        free(memory);
        free(c.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readings), cmocka_unit_test(test_losses), cmocka_unit_test(test_rigid_limit),
        cmocka_unit_test(test_exponent), cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests_name("springs at every contact", tests, NULL, NULL);
}

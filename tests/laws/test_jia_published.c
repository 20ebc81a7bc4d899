/* jia with mu e in restitution slip: the reading behind the digits of the paper (erratum E1 of docs/laws/jia.md). */
#include "support/check.h"
#include "support/corpus.h"

static const double steel = 1.1019463300386794; /* eta of Poisson's ratio 0.3 */

/* The pencil of the paper, vector jia-0013 rounded. */
static const carom_problem coupled = {{2.85, 0.21, 2.43, -1.62, 0.33, 1.94}, {-2.31, 0.87, -1.74}};

static carom_rule published(double mu)
{
    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs.e = 0.5;
    rule.coeffs.mu = mu;
    rule.coeffs.eta = steel;
    rule.options.restitution_slip = CAROM_OPTION_RESTITUTION_SLIP_MU_E;
    return rule;
}

/* What a ball of unit mass and radius, inertia 0.4, does on the floor. */
typedef struct motion {
    double V_x, V_y, V_z, w_x, w_y;
} motion;

static motion bounce(motion m, const carom_rule *rule)
{
    carom_problem pb = {{3.5, 0, 3.5, 0, 0, 1}, {m.V_x - m.w_y, m.V_y + m.w_x, m.V_z}};
    carom_cvec p = solved(&pb, rule).p;
    motion after = {m.V_x + p.t1, m.V_y + p.t2, m.V_z + p.n, m.w_x + 2.5 * p.t2, m.w_y - 2.5 * p.t1};
    return after;
}

/* Exact values of this reading, from an independent program; then the digits of the paper, which are Euler's. */
static void the_published_reading(void **state)
{
    (void)state;
    static const motion thrown = {-1, 0, -5, 0, 2}, spun = {-1, 0, -5, 6, 6};
    carom_rule rule = published(0.4);
    motion m = bounce(thrown, &rule);
    assert_near(m.V_x, 0.570973761, 1, 1e-9);
    assert_near(m.w_y, -1.927434402, 1, 1e-9);
    assert_near(m.V_x, 0.570984, 1, 2e-5);
    carom_problem fast = {{3.5, 0, 3.5, 0, 0, 1}, {-9, 0, -5}};
    assert_close(solved(&fast, &rule).p.t1, 2.5, 1e-15); /* full slip: 0.4 * 5 + 0.4 * 0.5 * 2.5 */
    carom_rule most = published(0.36);
    assert_near(bounce(thrown, &most).V_x, 0.575887, 1, 6e-7);
    static const double table[8][4] = {{0.898164, -1.627, 1.93251, 1.25459},   {1.07356, -1.77734, 1.55665, 0.816088},
                                       {0.945075, -1.66721, 1.83198, 1.13731}, {1.04278, -1.75096, 1.62268, 0.893038},
                                       {0.964192, -1.68359, 1.79102, 1.08952}, {1.02640, -1.73697, 1.65758, 0.933841},
                                       {0.996746, -1.7115, 1.72126, 1.00813},  {1.00251, -1.71643, 1.70891, 0.993732}};
    m = spun;
    for (int i = 0; i < 8; i++) {
        m = bounce(m, &rule);
        const double got[4] = {m.V_x, m.V_y, m.w_x, m.w_y};
        for (int k = 0; k < 4; k++)
            assert_near(got[k], table[i][k], 1, 1.5e-3);
        m.V_z = -m.V_z;
    }
    assert_near(m.V_x, 1.002404, 1, 6e-7);
    assert_near(m.V_y, -1.716346, 1, 6e-7);
}

/* e = 1 and e = 0 do not tell the readings apart; between them the law keeps its promises in space too. */
static void published_keeps_the_promises(void **state)
{
    (void)state;
    carom_rule rule = published(0.4), plain = rule;
    plain.options.restitution_slip = 0;
    rule.coeffs.e = plain.coeffs.e = 1;
    assert_cvec_near(solved(&coupled, &rule).p, solved(&coupled, &plain).p, 1, 0);
    dice d = {20261122};
    for (int i = 0; i < 2000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        rule.coeffs.mu = dice_between(&d, 0, 2);
        rule.coeffs.e = dice_between(&d, 0.1, 1);
        rule.coeffs.eta = dice_decades(&d, -0.5, 0.5);
        carom_outcome out;
        if (carom_solve(&pb, &rule, NULL, &out) != CAROM_STATUS_OK)
            continue;
        assert_int_equal(out.flags & ~(unsigned)CAROM_FLAG_JAM, 0);
        assert_near(out.energy.normal + out.energy.friction, out.energy.change, out.energy.before, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_reading),
        cmocka_unit_test(published_keeps_the_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "engine/ledger.h"
#include "support/check.h"

/* A law whose impulse is whatever the coefficients say: p = (ratio_1, ratio_2, 1) e, so that outcomes can be made to
 * order. */
static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    (void)x;
    (void)tracer;
    const carom_coeffs *c = &rule->coeffs;
    out->p = carom_cvec_make(c->ratio_1, c->ratio_2, c->nu);
    return CAROM_STATUS_OK;
}

static const carom_law made_to_order = {.id = "made-to-order", .solve = solve};

static carom_outcome outcome_of(carom_problem pb, carom_cvec p, double mu)
{
    carom_rule rule = carom_rule_default(&made_to_order);
    rule.coeffs.ratio_1 = p.t1;
    rule.coeffs.ratio_2 = p.t2;
    rule.coeffs.nu = p.n;
    rule.coeffs.mu = mu;
    carom_outcome out;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
    return out;
}

static const carom_problem ball = {{3.5, 0, 3.5, 0, 0, 2}, {0.5, 0, -1}};

/* Every entry worked out by hand: p = (-0.1, 0, 0.75), u_after = (0.15, 0, 0.5). */
static void test_entries_by_hand(void **state)
{
    (void)state;
    carom_outcome out = outcome_of(ball, carom_cvec_make(-0.1, 0, 0.75), 0.2);
    assert_close(out.u_after.t1, 0.15, 1e-15);
    assert_close(out.u_after.n, 0.5, 1e-15);
    assert_close(out.energy.normal, 0.75 * 0.5 * (-1 + 0.5), 1e-15);
    assert_close(out.energy.friction, -0.1 * 0.5 * (0.5 + 0.15), 1e-15);
    assert_close(out.energy.change, out.energy.normal + out.energy.friction, 1e-15);
    assert_close(out.energy.before, 0.5 * (0.25 / 3.5 + 0.5), 1e-15);
    assert_close(out.energy.after, out.energy.before + out.energy.change, 1e-15);
    assert_close(out.restitution.newton, 0.5, 1e-15);
    assert_close(out.restitution.ivanov, (3.5 * 0.01 + 2 * 0.5625) / (0.05 + 0.75) - 1, 1e-14);
    assert_int_equal(out.restitution.defined, CAROM_HAS_NEWTON | CAROM_HAS_IVANOV);
    assert_close(out.friction_ratio, 0.1 / 0.75, 1e-15);
    assert_close(out.margins.normal, 0.5, 1e-15);
    assert_close(out.margins.cone, 0.2 * 0.75 - 0.1, 1e-14);
    assert_close(out.margins.energy, -out.energy.change, 1e-15);
    assert_int_equal(out.flags, 0);
}

static void test_flags(void **state)
{
    (void)state;
    assert_int_equal(outcome_of(ball, carom_cvec_make(-0.1, 0, 0.4), 0.5).flags, CAROM_FLAG_PENETRATES);
    assert_int_equal(outcome_of(ball, carom_cvec_make(-0.1, 0, 0.75), 0.1).flags, CAROM_FLAG_OUTSIDE_CONE);
    assert_int_equal(outcome_of(ball, carom_cvec_make(0.4, 0, 1), 0.5).flags, CAROM_FLAG_CREATES_ENERGY);
    assert_int_equal(outcome_of(ball, carom_cvec_make(0, 0, 1), 0).flags, 0); /* exactly elastic is no gain */
}

/* On the border of the cone in awkward numbers: rounding alone never raises a flag. */
static void test_border_is_inside(void **state)
{
    (void)state;
    for (double mu = 0.1; mu < 7; mu += 0.237) {
        double p_n = 0.07 / mu, angle = 13 * mu;
        carom_outcome out = outcome_of(ball, carom_cvec_make(mu * p_n * cos(angle), mu * p_n * sin(angle), p_n), mu);
        assert_false(out.flags & CAROM_FLAG_OUTSIDE_CONE);
    }
}

static void test_normal_impulse_has_all_restitutions(void **state)
{
    (void)state;
    carom_outcome out = outcome_of(ball, carom_cvec_make(0, 0, 0.8), 0.3);
    assert_int_equal(out.restitution.defined,
                     CAROM_HAS_NEWTON | CAROM_HAS_POISSON | CAROM_HAS_STRONGE | CAROM_HAS_IVANOV);
    assert_close(out.restitution.poisson, 0.6, 1e-14);
    assert_close(out.restitution.stronge, 0.6, 1e-14);
    assert_close(out.restitution.ivanov, 0.6, 1e-14);
}

/* Units change no digit, however far from one they bring K and u: every entry goes like a power of two. */
static void test_extreme_units(void **state)
{
    (void)state;
    enum { FAR = 190 }; /* 2^190 = 1.6e57 */
    const carom_problem pb = {{2, 0.5, 3, 0.25, -0.5, 1.5}, {0.7, -0.3, -1.1}};
    const carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    carom_outcome one, far;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &one), CAROM_STATUS_OK);
    for (int i = -FAR; i <= FAR; i += 38)
        for (int j = -FAR; j <= FAR; j += 38) {
            double k = ldexp(1, i), v = ldexp(1, j);
            const carom_csym K = pb.K;
            const carom_problem other = {{k * K.t11, k * K.t12, k * K.t22, k * K.t1n, k * K.t2n, k * K.nn},
                                         carom_cvec_scale(v, pb.u)};
            assert_int_equal(carom_solve(&other, &rule, NULL, &far), CAROM_STATUS_OK);
            assert_true(far.p.n == one.p.n * (v / k) && far.u_after.t1 == one.u_after.t1 * v);
            assert_true(far.energy.before == one.energy.before * (v / k) * v);
            assert_true(far.energy.after == one.energy.after * (v / k) * v);
            assert_true(far.restitution.ivanov == one.restitution.ivanov);
        }
}

/* Where p.u is about to underflow: no restitution is NaN, and that of an elastic impact is 1 as long as it is said. */
static void test_next_to_nothing(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("newton"));
    rule.coeffs.e = 1;
    for (double u_n = 1e-150; u_n > 1e-170; u_n *= 0.77)
        for (int slides = 0; slides < 2; slides++) {
            const carom_problem pb = {{1, 0, 1, 0, 0, 1}, {slides * 1e60 * u_n, 0, -u_n}};
            carom_outcome out;
            assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
            assert_true(out.restitution.newton == 1);
            assert_true(out.restitution.ivanov == (out.restitution.defined & CAROM_HAS_IVANOV ? 1 : 0));
        }
}

/* K_t11 out of all proportion to K_nn: the energy of the normal motion, which is all of it, keeps its digits. */
static void test_energy_of_uneven_K(void **state)
{
    (void)state;
    const carom_rule rule = carom_rule_default(carom_law_find("newton"));
    const carom_problem pb = {{1e-200, 0, 0, 0, 0, 1}, {0, 1, -1e-60}};
    carom_outcome out;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
    assert_close(out.energy.before, 5e-121, 4 * DBL_EPSILON);
}

/* The terms of the energy leave the range of double before its change does; the flag follows the change, up to where
 * the answer is refused. */
static void test_flags_near_the_end_of_the_range(void **state)
{
    (void)state;
    const double ratio[2] = {0.4, -0.1};
    for (int i = 0; i < 2; i++) {
        carom_rule rule = carom_rule_default(carom_law_find("brach"));
        carom_outcome out;
        carom_status status = CAROM_STATUS_OK;
        rule.coeffs.e = 1;
        rule.coeffs.ratio_1 = ratio[i];
        for (int power = 0; power < 8 * 1024 && status == CAROM_STATUS_OK; power++) {
            const carom_problem pb = {ball.K, carom_cvec_scale(exp2(power / 8.0), ball.u)};
            status = carom_solve(&pb, &rule, NULL, &out);
            assert_true(status || !(out.flags & CAROM_FLAG_CREATES_ENERGY) == (ratio[i] < 0));
        }
        assert_int_equal(status, CAROM_STATUS_OUT_OF_RANGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_by_hand),    cmocka_unit_test(test_flags),
        cmocka_unit_test(test_border_is_inside),   cmocka_unit_test(test_normal_impulse_has_all_restitutions),
        cmocka_unit_test(test_extreme_units),      cmocka_unit_test(test_next_to_nothing),
        cmocka_unit_test(test_energy_of_uneven_K), cmocka_unit_test(test_flags_near_the_end_of_the_range),
    };
    return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}

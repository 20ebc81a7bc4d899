/* Laws with more than one solution: whittaker and smith in space (docs/theory/algebraic.md). */
#include <string.h>

#include "support/corpus.h"
#include "support/laws.h"

/* The example that answers the thesis' open question: Smith's law is not unique in space. */
static const carom_problem three_ways = {{1.5, -0.45, 0.35, 0.95, 0, 1}, {-0.4, 0.9, -0.3}};

static void test_smith_three_solutions(void **state)
{
    (void)state;
    const carom_cvec want[3] = {{0.11709312784014, -0.69043132454416, 0.18876152855187},
                                {-2.1834065255723, -5.1406715103766, 2.3742361992937},
                                {-19.526696165519, -28.241350078507, 18.850361357243}};
    carom_outcome out = solved_with(&three_ways, "smith", 0, 4);
    assert_int_equal(out.solutions, 3);
    assert_true(out.flags & CAROM_FLAG_NOT_UNIQUE);
    for (int i = 0; i < 3; i++)
        assert_cvec_near(out.all[i], want[i], largest(want[i]), TIGHT);
    assert_cvec_near(out.p, want[0], largest(want[0]), TIGHT); /* the smallest p_n */
    assert_close(out.energy.change, -0.5559559592, 1e-9);
}

/* w of equation (1): z = u_t after, and p_t + mu p_n w(z) must vanish. */
static double smith_residual(const carom_problem *pb, carom_cvec p, double mu)
{
    carom_cvec z = carom_cvec_add(pb->u, carom_csym_apply(pb->K, p));
    double v = carom_cvec_slip(pb->u), r = carom_cvec_slip(z), q = v * v + r * r;
    double w1 = (v * pb->u.t1 + r * z.t1) / q, w2 = (v * pb->u.t2 + r * z.t2) / q;
    return hypot(p.t1 + mu * p.n * w1, p.t2 + mu * p.n * w2) / (mu * p.n);
}

/* Near grazing: three solutions for both laws, p_n = 0.0147871075, 0.1404913270, 0.8657537355 for Smith. */
static void test_near_grazing_three_solutions(void **state)
{
    (void)state;
    const double want[3] = {0.0147871075, 0.1404913270, 0.8657537355};
    const carom_problem pb = {{1, 0, 1, 0.9, 0, 1}, {0.513, 0.858, -0.001}};
    carom_outcome smith = solved_with(&pb, "smith", 0, 2);
    assert_int_equal(smith.solutions, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(smith.all[i].n, want[i], 1, 0.5e-10);
        assert_true(smith_residual(&pb, smith.all[i], 2) < 1e-12);
    }
    carom_rule rule = rule_of("whittaker");
    rule.coeffs.e = 0;
    rule.coeffs.mu = 2;
    carom_outcome stick = solved(&pb, &rule);
    assert_int_equal(stick.solutions, 3);
    assert_string_equal(stick.mode, "stick");
    assert_near(carom_cvec_slip(stick.u_after), 0, 1, 1e-14);
    rule.options.select = CAROM_OPTION_SELECT_FIRST;
    carom_outcome first = solved(&pb, &rule);
    assert_string_equal(first.mode, "slip");
    assert_true(first.p.n < stick.p.n);
    assert_cvec_near(first.p, stick.all[0], largest(first.p), TIGHT);
}

/* Every solution that Smith's law lists solves it, and no energy is gained by any. */
static void test_smith_solutions_solve(void **state)
{
    (void)state;
    dice d = {43};
    int several = 0;
    for (int i = 0; i < 40000; i++) {
        carom_problem pb = corpus_problem(&d, i % 2 ? CORPUS_GENERIC : CORPUS_GRAZING);
        double mu = dice_between(&d, 0.01, 6), e = dice_between(&d, 0, 1);
        carom_outcome out = solved_with(&pb, "smith", e, mu);
        assert_true(smith_residual(&pb, out.p, mu) < 1e-10);
        assert_int_equal(out.solutions % 2, 1); /* phi goes from below zero to above */
        several += out.solutions > 1;
        for (int k = 0; k < out.solutions && out.solutions > 1 && k < CAROM_SOLUTIONS_KEPT; k++) {
            carom_cvec p = out.all[k], after = carom_cvec_add(pb.u, carom_csym_apply(pb.K, p));
            assert_true(smith_residual(&pb, p, mu) < 1e-8);
            assert_true(carom_cvec_dot(p, carom_cvec_add(pb.u, after)) <= 1e-10 * fabs(carom_cvec_dot(p, pb.u)));
        }
    }
    assert_true(several > 5);
}

/* Whittaker's answer is Coulomb's law at the end: inside the cone and at rest, or on it and against the slip. */
static void test_whittaker_is_coulomb(void **state)
{
    (void)state;
    dice d = {47};
    int sticks = 0;
    for (int i = 0; i < 40000; i++) {
        carom_problem pb = corpus_problem(&d, i % 2 ? CORPUS_GENERIC : CORPUS_ROD);
        double mu = dice_between(&d, 0.01, 4);
        carom_outcome out = solved_with(&pb, "whittaker", dice_between(&d, 0, 1), mu);
        double friction = carom_cvec_slip(out.p), slip = carom_cvec_slip(out.u_after), speed = largest(pb.u);
        if (strcmp(out.mode, "stick") == 0) {
            sticks++;
            assert_near(slip, 0, speed + largest(carom_csym_apply(pb.K, out.p)), 1e-12);
            assert_true(friction <= mu * out.p.n * (1 + 1e-12));
        } else {
            double dot = out.p.t1 * out.u_after.t1 + out.p.t2 * out.u_after.t2;
            assert_close(friction, mu * out.p.n, 1e-12);
            assert_near(dot, -friction * slip, friction * speed, 1e-9);
        }
    }
    assert_true(sticks > 5000 && sticks < 35000);
}

/* A direction that K does not move: slip along it never stops, and where there is none the problem is planar, with one
 * solution, whichever tangent the plane has. */
static void test_whittaker_absent_direction(void **state)
{
    (void)state;
    const double root = 0.70710678118654752;
    const carom_problem wall = {{0, 0, 0, 0, 0, 1}, {1, 1, -1}}, half = {{0, 0, 1, 0, 0, 1}, {1, 0.1, -1}};
    const carom_outcome slides = solved_with(&wall, "whittaker", 0.5, 0.3),
                        turns = solved_with(&half, "whittaker", 0.5, 0.3);
    assert_string_equal(slides.mode, "slip");
    assert_cvec_near(slides.p, carom_cvec_make(-0.45 * root, -0.45 * root, 1.5), 1.5, TIGHT);
    assert_string_equal(turns.mode, "slip");
    assert_near(turns.p.t1 * turns.u_after.t2, turns.p.t2 * turns.u_after.t1, 0.45, TIGHT);
    assert_close(carom_cvec_slip(turns.p), 0.45, TIGHT);
    carom_rule rule = rule_of("whittaker");
    rule.coeffs.e = 1;
    rule.coeffs.mu = 0.22895211880593117;
    rule.options.select = CAROM_OPTION_SELECT_FIRST;
    const carom_problem one = {{1.875, 0, 0, -0.1875, 0, 0.15625}, {0.6875, 0, -0.34375}};
    const carom_problem two = {{0, 0, 1.875, 0, -0.1875, 0.15625}, {0, 0.6875, -0.34375}};
    const carom_outcome first = solved(&one, &rule), second = solved(&two, &rule);
    assert_string_equal(first.mode, "stick");
    assert_string_equal(second.mode, "stick");
    assert_int_equal(second.solutions, 1);
    assert_cvec_near(second.p, carom_cvec_make(0, first.p.t1, first.p.n), first.p.n, TIGHT);
}

/* K_TT is isotropic and slip stays on a line: where the search for |z| meets z = 0 on its way, rest is not the answer.
 * In its own plane the closed form answers. */
static void test_smith_passes_rest(void **state)
{
    (void)state;
    const carom_problem flat = {{1.875, 0, 1.875, 0.375, 0, 1.375}, {0.47368421052631576, 0, -1}};
    carom_cvec want = solved_with(&flat, "smith", 0.5, 0.5).p;
    for (int i = 0; i < 20000; i++) {
        double angle = 6.283185307179586 * i / 20000;
        carom_direction d = {cos(angle), sin(angle)};
        carom_problem turned = carom_problem_turned(&flat, d);
        carom_cvec p = solved_with(&turned, "smith", 0.5, 0.5).p;
        assert_close(p.n, want.n, TIGHT);
        assert_close(d.c * p.t1 - d.s * p.t2, want.t1, TIGHT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smith_passes_rest),
        cmocka_unit_test(test_smith_three_solutions),
        cmocka_unit_test(test_near_grazing_three_solutions),
        cmocka_unit_test(test_smith_solutions_solve),
        cmocka_unit_test(test_whittaker_is_coulomb),
        cmocka_unit_test(test_whittaker_absent_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

/* Points of the line have no slip, and the named ones lie where they should. */
static void test_line_of_sticking(void **state)
{
    (void)state;
    dice d = {111};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = corpus_problem(&d, i % 3 ? CORPUS_GENERIC : CORPUS_PLANAR);
        double mu = dice_between(&d, 0.05, 2);
        carom_sticking s;
        assert_int_equal(carom_sticking_of(&pb, mu, &s), CAROM_STATUS_OK);
        const double z[] = {s.centre, s.energy[0], s.energy[1], s.cone[0], s.cone[1]};
        bool empty = s.cone[0] > s.cone[1];
        for (int j = 0; j < 5; j++) {
            if (fabs(z[j]) > 1e8 || (empty && j > 2))
                continue;
            carom_cvec p = carom_cvec_add(s.line.point, carom_cvec_scale(z[j], s.line.direction));
            carom_cvec u = carom_cvec_add(pb.u, carom_csym_apply(pb.K, p));
            double size = largest(pb.u) + (pb.K.t11 + pb.K.t22 + pb.K.nn) * largest(p);
            assert_near(carom_cvec_slip(u), 0, size, 1e-12);
            if (j == 0)
                assert_near(u.n, 0, size, 1e-12);
            if (j == 1 || j == 2)
                assert_near(carom_energy_at(&pb, p), 0, size * largest(p), 1e-11);
            if (j > 2 && z[j] > 0)
                assert_near(carom_cvec_slip(p), mu * p.n, mu * p.n + carom_cvec_slip(p), 1e-9);
        }
    }
}

/* The middle of the interval is inside the cone, a little outside it is not. */
static void test_part_of_the_line_inside_the_cone(void **state)
{
    (void)state;
    dice d = {112};
    int full = 0, open = 0, none = 0;
    for (int i = 0; i < 5000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        double mu = dice_between(&d, 0.05, 1);
        carom_sticking s;
        assert_int_equal(carom_sticking_of(&pb, mu, &s), CAROM_STATUS_OK);
        bool empty = s.cone[0] > s.cone[1], endless = s.cone[1] == CAROM_UNBOUNDED;
        for (int j = 0; j < 20; j++) {
            double z = dice_decades(&d, -2, 2);
            carom_cvec p = carom_cvec_add(s.line.point, carom_cvec_scale(z, s.line.direction));
            double margin = mu * p.n - carom_cvec_slip(p);
            if (fabs(margin) > 1e-9 * (p.n + largest(p)))
                assert_true((margin > 0) == (!empty && z >= s.cone[0] && z <= s.cone[1]));
        }
        none += empty;
        open += !empty && endless;
        full += !empty && !endless;
    }
    assert_true(none > 50 && open > 50 && full > 50);
}

/* Against the law itself: events of routh-stronge with e = 1 in the same order and places. */
static void test_order_along_the_path(void **state)
{
    (void)state;
    const carom_law *law = carom_law_find("routh-newton");
    dice d = {113};
    int stuck_first = 0, compressed_first = 0;
    for (int i = 0; i < 3000 && law; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_PLANAR);
        carom_rule rule = carom_rule_default(law);
        carom_outcome out;
        carom_mark marks[CAROM_MARKS];
        rule.coeffs.mu = dice_between(&d, 0, 1.5);
        rule.coeffs.e = 0;
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        int count = carom_marks_along(&pb, rule.coeffs.mu, marks);
        assert_true(count >= 2);
        for (int j = 1; j < count; j++)
            assert_true(marks[j].p.n >= marks[j - 1].p.n);
        assert_int_equal(marks[count - 1].kind, CAROM_MARK_ENERGY);
        int at = marks[0].kind == CAROM_MARK_COMPRESSION ? 0 : 1;
        assert_int_equal(marks[at].kind, CAROM_MARK_COMPRESSION);
        assert_cvec_near(marks[at].p, out.p, largest(out.p), 1e-11); /* e = 0 ends at maximum compression */
        assert_near(carom_energy_at(&pb, marks[count - 1].p), 0, largest(marks[count - 1].p) * largest(pb.u), 1e-11);
        stuck_first += at == 1;
        compressed_first += at == 0;
    }
    assert_true(!law || (stuck_first > 100 && compressed_first > 100));
    carom_problem apart = {{1, 0, 0, 0, 0, 1}, {1, 0, 2}};
    carom_mark marks[CAROM_MARKS];
    assert_int_equal(carom_marks_along(&apart, 0.5, marks), 0);
}

/* A direction that no impulse moves: there is no line of sticking. */
static void test_no_line_where_a_tangent_does_not_move(void **state)
{
    (void)state;
    static const carom_csym singular[3] = {{1, 1, 1, 0, 0, 1}, {4, 2, 1, 0.2, 0.1, 1}, {0, 0, 1, 0, 0, 1}};
    carom_sticking s;
    for (int i = 0; i < 3; i++) {
        carom_problem pb = {.K = singular[i], .u = {0.5, 0.2, -1}};
        assert_int_equal(carom_sticking_of(&pb, 0.3, &s), CAROM_STATUS_OUT_OF_SCOPE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_of_sticking),
        cmocka_unit_test(test_part_of_the_line_inside_the_cone),
        cmocka_unit_test(test_order_along_the_path),
        cmocka_unit_test(test_no_line_where_a_tangent_does_not_move),
    };
    return cmocka_run_group_tests_name("landmarks", tests, NULL, NULL);
}

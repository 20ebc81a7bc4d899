/* The law region covers the accessible region, all of it and nothing else; its inverse names the coefficients. */
#include <math.h>

#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

static carom_rule rule_of(double mu, const carom_region_place *place)
{
    carom_rule rule = carom_rule_default(carom_law_find("region"));
    rule.coeffs.mu = mu;
    rule.coeffs.e = place->e;
    rule.coeffs.share = place->share;
    rule.coeffs.turn = place->turn;
    return rule;
}

/* K = A A^T, or without t2. */
static carom_problem random_problem(dice *d, bool planar)
{
    carom_cvec a = dice_cvec(d), b = dice_cvec(d), c = dice_cvec(d);
    carom_problem pb;
    pb.K = (carom_csym){carom_cvec_dot(a, a), carom_cvec_dot(a, b), carom_cvec_dot(b, b),
                        carom_cvec_dot(a, c), carom_cvec_dot(b, c), carom_cvec_dot(c, c)};
    pb.u = dice_cvec(d);
    pb.u.n = -fabs(pb.u.n);
    if (planar)
        pb.K.t12 = pb.K.t22 = pb.K.t2n = pb.u.t2 = 0;
    return pb;
}

/* The three rules and nothing else: how far inside p is, in terms of each. */
static bool is_accessible(const carom_problem *pb, double mu, carom_cvec p, double slack)
{
    const carom_cvec Kp = carom_csym_apply(pb->K, p);
    double size = fabs(pb->u.n) + fabs(Kp.n), energy = carom_cvec_dot(p, pb->u) + 0.5 * carom_cvec_dot(p, Kp);
    return p.n > 0 && pb->u.n + Kp.n >= slack * size && energy <= -slack * carom_cvec_dot(p, Kp) &&
           carom_cvec_slip(p) <= mu * p.n * (1 - slack);
}

/* A point of a box that holds the region: no impulse is longer than the ellipsoid is wide. */
static carom_cvec random_impulse(dice *d, const carom_problem *pb, bool planar)
{
    double most = 2.5 * sqrt(2 * carom_problem_energy(pb)) / sqrt(pb->K.nn);
    double wide = pow(dice_between(d, 0, 1), 3) * 4 * most;
    carom_cvec p = {dice_between(d, -wide, wide), planar ? 0 : dice_between(d, -wide, wide), dice_between(d, 0, most)};
    return p;
}

/* Every accessible impulse has coordinates in range, and the law gives it back. */
static void every_accessible_impulse(void **state)
{
    (void)state;
    dice d = {91};
    int seen = 0;
    for (int i = 0; i < 200000; i++) {
        const bool planar = i % 2;
        const carom_problem pb = random_problem(&d, planar);
        const double mu = i % 7 ? dice_decades(&d, -1, 1) : (double)INFINITY;
        const carom_cvec p = random_impulse(&d, &pb, planar);
        carom_region_place place;
        carom_outcome out;
        if (!is_accessible(&pb, mu, p, 1e-6))
            continue;
        seen++;
        assert_int_equal(carom_region_place_of(&pb, mu, p, &place), CAROM_STATUS_OK);
        assert_true(place.e >= 0 && place.e <= 1 && place.share >= 0 && place.share <= 1 && fabs(place.turn) <= 3.1416);
        carom_rule rule = rule_of(mu, &place);
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_cvec_near(out.p, p, sqrt(carom_cvec_dot(p, p)), 1e-9); /* e and share lose digits near the borders */
    }
    assert_true(seen > 10000);
}

/* Every coefficient in range gives an accessible impulse, and others are told apart. */
static void nothing_else(void **state)
{
    (void)state;
    dice d = {92};
    for (int i = 0; i < 100000; i++) {
        const bool planar = i % 2;
        const carom_problem pb = random_problem(&d, planar);
        const double mu = dice_decades(&d, -2, 1.5);
        const carom_region_place place = {dice_below(&d, 4) ? dice_between(&d, 0, 1) : dice_below(&d, 2),
                                          dice_below(&d, 4) ? dice_between(&d, 0, 1) : dice_below(&d, 2),
                                          dice_between(&d, -3.14, 3.14)};
        carom_rule rule = rule_of(mu, &place);
        carom_outcome out;
        carom_region_place again;
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_int_equal(out.flags & ~(unsigned)CAROM_FLAG_JAM, 0);
        assert_true(is_accessible(&pb, mu, out.p, -1e-9));
        const carom_cvec long_p = carom_cvec_scale(3, out.p);
        if (!is_accessible(&pb, mu, long_p, -1e-6))
            assert_int_equal(carom_region_place_of(&pb, mu, long_p, &again), CAROM_STATUS_INADMISSIBLE);
    }
}

/* Without friction it is Newton's law. */
static void newton_without_friction(void **state)
{
    (void)state;
    dice d = {93};
    for (int i = 0; i < 1000; i++) {
        const carom_problem pb = random_problem(&d, i % 2);
        const carom_region_place place = {dice_between(&d, 0, 1), dice_between(&d, 0, 1), dice_between(&d, -3, 3)};
        carom_rule rule = rule_of(0, &place), newton = carom_rule_default(carom_law_find("newton"));
        carom_outcome out, want;
        newton.coeffs.e = place.e;
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_int_equal(carom_solve(&pb, &newton, NULL, &want), CAROM_STATUS_OK);
        assert_cvec_near(out.p, want.p, want.p.n, 1e-14);
    }
}

/* Head-on: friction is measured against the slip to come; without coupling there is no direction at all. */
static void no_slip(void **state)
{
    (void)state;
    const carom_problem coupled = {{2, 0.1, 1.5, 0.3, 0.4, 1}, {0, 0, -1}}, ball = {{3.5, 0, 3.5, 0, 0, 1}, {0, 0, -1}};
    const carom_region_place place = {0.4, 1, 0};
    carom_rule rule = rule_of(0.2, &place);
    carom_outcome out;
    assert_int_equal(carom_solve(&coupled, &rule, NULL, &out), CAROM_STATUS_OK);
    assert_near(out.p.t1 / out.p.n, -0.2 * 0.6, 1, 1e-15);
    assert_near(out.p.t2 / out.p.n, -0.2 * 0.8, 1, 1e-15);
    assert_int_equal(carom_solve(&ball, &rule, NULL, &out), CAROM_STATUS_OK);
    assert_cvec_near(out.p, carom_cvec_make(0, 0, 1.4), 1, 1e-15);
}

/* A pendulum of unbounded mass: the region has no end, and without bound on friction neither has the impulse. */
static void unbounded(void **state)
{
    (void)state;
    const double c = 0.8, s = 0.6;
    const carom_problem pendulum = {{c * c, 0, 0, s * c, 0, s * s}, {-c, 0, -s}};
    const carom_region_place place = {0.4, 1, 3.141592653589793};
    carom_rule rule = rule_of((double)INFINITY, &place);
    carom_outcome out;
    carom_region_place back;
    assert_int_equal(carom_solve(&pendulum, &rule, NULL, &out), CAROM_STATUS_UNBOUNDED);
    rule.coeffs.mu = 0.5;
    assert_int_equal(carom_solve(&pendulum, &rule, NULL, &out), CAROM_STATUS_OK);
    assert_int_equal(carom_region_place_of(&pendulum, 0.5, out.p, &back), CAROM_STATUS_OK);
    assert_near(back.e, 0.4, 1, 1e-13);
}

static void bad_questions(void **state)
{
    (void)state;
    const carom_problem pb = {{3.5, 0, 3.5, 0, 0, 1}, {1, 0, -1}}, leaving = {{3.5, 0, 3.5, 0, 0, 1}, {1, 0, 1}};
    carom_region_place place;
    assert_int_equal(carom_region_place_of(&pb, 0.3, carom_cvec_make(0, 0, 0), &place), CAROM_STATUS_OUT_OF_SCOPE);
    assert_int_equal(carom_region_place_of(&pb, 0.3, carom_cvec_make(0, 0, NAN), &place), CAROM_STATUS_OUT_OF_SCOPE);
    assert_int_equal(carom_region_place_of(&pb, -1, carom_cvec_make(0, 0, 1), &place), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_region_place_of(&leaving, 0.3, carom_cvec_make(0, 0, 1), &place), CAROM_STATUS_SEPARATING);
    assert_int_equal(carom_region_place_of(&pb, 0.3, carom_cvec_make(0, 0, 2.2), &place), CAROM_STATUS_INADMISSIBLE);
    assert_near(place.e, 1.2, 1, 1e-14);
    assert_int_equal(carom_region_place_of(&pb, 0.3, carom_cvec_make(-0.4, 0, 1), &place), CAROM_STATUS_INADMISSIBLE);
    assert_near(place.share, 4.0 / 3, 1, 1e-14);
    carom_rule rule = rule_of(0.3, &(carom_region_place){0.5, 1.1, 0});
    carom_outcome out;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_BAD_COEFFICIENT);
    rule.coeffs.share = 1;
    rule.coeffs.turn = 3.2;
    assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_BAD_COEFFICIENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_accessible_impulse),
        cmocka_unit_test(nothing_else),
        cmocka_unit_test(newton_without_friction),
        cmocka_unit_test(no_slip),
        cmocka_unit_test(unbounded),
        cmocka_unit_test(bad_questions),
    };
    return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}

/* Problems in space that keep to the plane of t1 (K_12 = K_2n = u_2 = 0) take a short way. Seen in axes that are turned
 * about the normal they are like any other: the long way must say the same. And spheres, which keep to the plane of
 * their slip. */
#include <float.h>
#include <string.h>

#include "support/corpus.h"
#include "support/laws.h"

enum { PROBLEMS = 4000 };

static carom_problem flat_problem(dice *d)
{
    carom_problem pb = corpus_problem(d, dice_below(d, 2) ? CORPUS_GENERIC : CORPUS_ROD);
    pb.K.t12 = pb.K.t2n = pb.u.t2 = 0;
    pb.K.t22 *= dice_decades(d, -1, 1);
    if (dice_below(d, 16) == 0)
        pb.u.t1 = 0;
    return pb;
}

/* K stays regular without its other half, and mu is ordinary: digits are lost neither to K nor to a jam. */
static bool is_tame(const carom_problem *pb)
{
    return pb->K.t1n * pb->K.t1n < 0.8 * pb->K.t11 * pb->K.nn;
}

static void compare(const carom_problem *pb, const carom_rule *rule, double angle)
{
    const carom_direction axes = {cos(angle), sin(angle)};
    const carom_problem turned = carom_problem_turned(pb, axes);
    const carom_outcome flat = solved(pb, rule), space = solved(&turned, rule);
    const carom_cvec p = {axes.c * space.p.t1 - axes.s * space.p.t2, axes.s * space.p.t1 + axes.c * space.p.t2,
                          space.p.n};
    if (!strstr(flat.mode, "reversal")) { /* which rounding of the turned K makes a quick turn */
        assert_string_equal(flat.mode, space.mode);
        assert_int_equal(flat.event_count, space.event_count);
    }
    assert_true(flat.p.t2 == 0);
    assert_cvec_near(p, flat.p, largest(flat.p), TIGHT);
}

static void test_turned(void **state)
{
    (void)state;
    static const char *const laws[] = {"whittaker", "smith", "routh-newton", "routh-poisson", "routh-stronge"};
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++) {
        dice d = {11};
        for (int i = 0; i < PROBLEMS; i++) {
            const carom_problem pb = flat_problem(&d);
            carom_rule rule = rule_of(laws[l]);
            rule.coeffs.e = dice_between(&d, 0, 1);
            rule.coeffs.mu = dice_between(&d, 0.05, 0.6);
            if (is_tame(&pb))
                compare(&pb, &rule, dice_between(&d, 0.1, 1.5));
        }
    }
}

/* A sphere in turned axes: rounding couples its directions. */
static carom_problem rounded_sphere(dice *d)
{
    carom_problem pb = corpus_problem(d, CORPUS_SPHERE);
    double size = DBL_EPSILON * sqrt(pb.K.t11 * pb.K.nn);
    pb.K.t1n = size * dice_between(d, -2, 2);
    pb.K.t2n = size * dice_between(d, -2, 2);
    pb.u.n *= dice_decades(d, -6, 0);
    return pb;
}

/* It must not pull the bodies into each other, however much friction there is. */
static void test_rounded_sphere(void **state)
{
    (void)state;
    static const char *const laws[] = {"whittaker",    "smith",         "pfeiffer-glocker",
                                       "routh-newton", "routh-poisson", "routh-stronge"};
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++) {
        dice d = {17};
        for (int i = 0; i < PROBLEMS; i++) {
            const carom_problem pb = rounded_sphere(&d);
            const carom_outcome out = solved_with(&pb, laws[l], 0, dice_decades(&d, -1, 6));
            assert_int_equal(out.flags, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turned), cmocka_unit_test(test_rounded_sphere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

enum { N = 48 };

/* Law II with mu so large that the cone never cuts: the image of (e, e_t) is a parallelogram with corners P1 + ... */
static void test_law_two_sweeps_a_parallelogram(void **state)
{
    (void)state;
    carom_problem pb = {{5, 0, 0, -2, 0, 1}, {2, 0, -1}};
    carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    rule.coeffs.mu = 1e6;
    carom_sweep2 sweep = carom_sweep2_of(&rule);
    assert_int_equal(sweep.coeff[0], CAROM_COEFF_e);
    assert_int_equal(sweep.coeff[1], CAROM_COEFF_e_t);
    carom_cvec points[4 * N];
    carom_reach reach;
    assert_int_equal(carom_reach_trace(&pb, &rule, &sweep, N, points, &reach), CAROM_STATUS_OK);
    assert_int_equal(reach.count, 4 * N);
    assert_int_equal(reach.outside, 0);
    /* P1 = (0, 1); P2 = -K^-1 u = (0, 1): the slip is already what a frictionless bounce leaves at zero */
    assert_cvec_near(points[0], carom_cvec_make(0, 0, 1), 1, 1e-12);
    assert_cvec_near(points[N], carom_cvec_make(0, 0, 2), 2, 1e-12);
}

/* Every law, random planar contacts: what the border traces holds the interior, and safe laws stay in the region. */
static void test_every_law(void **state)
{
    (void)state;
    dice d = {121};
    carom_cvec points[4 * N];
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        if (law->traits & CAROM_TRAIT_CONTACT_FORCE) /* no coefficients that sweep a region */
            continue;
        unsigned safe = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE;
        for (int j = 0; j < 4; j++) {
            carom_problem pb = corpus_problem(&d, CORPUS_PLANAR);
            carom_rule rule = carom_rule_default(law);
            rule.coeffs.mu = 0.5;
            carom_sweep2 sweep = carom_sweep2_of(&rule);
            carom_reach reach;
            carom_status status = carom_reach_trace(&pb, &rule, &sweep, N / 4, points, &reach);
            if (status == CAROM_STATUS_OUT_OF_SCOPE)
                continue; /* the law refuses this contact */
            assert_int_equal(status, CAROM_STATUS_OK);
            for (int k = 0; k < reach.count && (law->traits & safe) == safe; k++) {
                carom_distances far;
                assert_int_equal(carom_distances_at(&pb, 0.5, points[k], &far), CAROM_STATUS_OK);
                double size = 1e-9 * largest(points[k]);
                assert_true(far.compression >= -size && far.cone >= -size && far.energy >= -size);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law_two_sweeps_a_parallelogram),
        cmocka_unit_test(test_every_law),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}

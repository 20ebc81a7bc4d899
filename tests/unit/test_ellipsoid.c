#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

static void test_sphere_by_hand(void **state)
{
    (void)state;
    carom_problem pb = {{0.25, 0, 0.25, 0, 0, 0.25}, {1, -2, -2}}; /* m = 4: centre -4 u, radius 12 */
    carom_ellipsoid e;
    assert_int_equal(carom_ellipsoid_of(&pb, &e), CAROM_STATUS_OK);
    assert_int_equal(e.rank, 3);
    assert_cvec_near(e.centre, carom_cvec_make(-4, 8, 8), 8, 1e-15);
    for (int i = 0; i < 3; i++)
        assert_close(e.radius[i], 12.0, 1e-15);
    carom_distances d;
    assert_int_equal(carom_distances_at(&pb, 1, e.centre, &d), CAROM_STATUS_OK);
    assert_close(d.energy, 12.0, 1e-15);
    assert_near(d.compression, 0, 1, 1e-14);
    assert_int_equal(carom_distances_at(&pb, 1, carom_cvec_make(-4, 8, 28), &d), CAROM_STATUS_OK);
    assert_close(d.energy, -8.0, 1e-14);
    assert_close(d.compression, 20.0, 1e-14);
    assert_close(d.cone, (28 - sqrt(80)) / sqrt(2), 1e-14);
    assert_int_equal(carom_distances_at(&pb, 1, carom_cvec_make(3, 0, -4), &d), CAROM_STATUS_OK);
    assert_close(d.cone, -5.0, 1e-15); /* behind the apex */
}

/* Every axis ends on the surface; the surface has no change of energy. */
static void test_axes_end_on_the_surface(void **state)
{
    (void)state;
    dice d = {81};
    for (int i = 0; i < 2000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        carom_ellipsoid e;
        assert_int_equal(carom_ellipsoid_of(&pb, &e), CAROM_STATUS_OK);
        double energy = carom_problem_energy(&pb);
        assert_close(carom_energy_at(&pb, e.centre), -energy, 1e-12);
        for (int j = 0; j < 3; j++) {
            carom_cvec p = carom_cvec_add(e.centre, carom_cvec_scale(e.radius[j], e.axis[j]));
            assert_near(carom_energy_at(&pb, p), 0, energy, 1e-12);
        }
        assert_true(e.radius[0] <= e.radius[1] && e.radius[1] <= e.radius[2]);
    }
}

/* The distance is that of the foot point: nothing on the surface is nearer, and stepping along the normal changes it by
 * the step. The surface is sampled through its axes. */
static void test_distance_is_the_shortest(void **state)
{
    (void)state;
    dice d = {82};
    for (int i = 0; i < 3000; i++) {
        carom_problem pb = corpus_problem(&d, i % 2 ? CORPUS_GENERIC : CORPUS_ROD);
        carom_ellipsoid e;
        carom_distances far;
        assert_int_equal(carom_ellipsoid_of(&pb, &e), CAROM_STATUS_OK);
        double reach = e.radius[2] * dice_decades(&d, -6, 1);
        carom_cvec p = carom_cvec_add(e.centre, carom_cvec_scale(reach, dice_cvec(&d)));
        assert_int_equal(carom_distances_at(&pb, 1, p, &far), CAROM_STATUS_OK);
        assert_true((far.energy > 0) == (carom_energy_at(&pb, p) < 0));
        for (int j = 0; j < 40; j++) {
            carom_cvec q = dice_cvec(&d), s = e.centre;
            double norm = sqrt(carom_cvec_dot(q, q));
            const double part[3] = {q.t1 / norm, q.t2 / norm, q.n / norm};
            for (int k = 0; k < 3; k++)
                s = carom_cvec_add(s, carom_cvec_scale(part[k] * e.radius[k], e.axis[k]));
            carom_cvec gap = carom_cvec_sub(s, p);
            assert_true(sqrt(carom_cvec_dot(gap, gap)) >= fabs(far.energy) * (1 - 1e-12));
        }
    }
}

/* Points made from their foot point: q on the surface, p = q + step along the outward normal. Inside, a step shorter
 * than the smallest radius of curvature keeps q the nearest. */
static void test_distance_from_known_foot_points(void **state)
{
    (void)state;
    dice d = {83};
    double worst = 0;
    for (int i = 0; i < 5000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        carom_ellipsoid e;
        assert_int_equal(carom_ellipsoid_of(&pb, &e), CAROM_STATUS_OK);
        carom_cvec v = dice_cvec(&d), q = e.centre;
        double norm = sqrt(carom_cvec_dot(v, v));
        const double part[3] = {v.t1 / norm, v.t2 / norm, v.n / norm};
        for (int k = 0; k < 3; k++)
            q = carom_cvec_add(q, carom_cvec_scale(part[k] * e.radius[k], e.axis[k]));
        carom_cvec out = carom_cvec_add(pb.u, carom_csym_apply(pb.K, q)); /* gradient of the energy */
        out = carom_cvec_scale(1 / sqrt(carom_cvec_dot(out, out)), out);
        double curvature_radius = e.radius[0] * e.radius[0] / e.radius[2];
        double step = i % 2 ? dice_decades(&d, -6, 3) * e.radius[2] : -dice_between(&d, 0, 0.9) * curvature_radius;
        carom_distances far;
        carom_cvec p = carom_cvec_add(q, carom_cvec_scale(step, out));
        assert_int_equal(carom_distances_at(&pb, 1, p, &far), CAROM_STATUS_OK);
        worst = fmax(worst, fabs(far.energy + step) / (fabs(step) + e.radius[2]));
    }
    print_message("worst distance error %.2g of the size\n", worst);
    assert_true(worst < 1e-12);
}

/* A slab (rank one) and a cylinder (planar). */
static void test_singular_ellipsoids(void **state)
{
    (void)state;
    carom_problem slab = {{0, 0, 0, 0, 0, 0.5}, {0, 0, -3}}; /* 0 <= p_n <= 12 */
    carom_ellipsoid e;
    carom_distances d;
    assert_int_equal(carom_ellipsoid_of(&slab, &e), CAROM_STATUS_OK);
    assert_int_equal(e.rank, 1);
    assert_close(e.radius[0], 6.0, 1e-15);
    assert_true(e.radius[1] == CAROM_UNBOUNDED);
    assert_int_equal(carom_distances_at(&slab, 0.5, carom_cvec_make(7, 9, 4), &d), CAROM_STATUS_OK);
    assert_close(d.energy, 4.0, 1e-15);
    assert_int_equal(carom_distances_at(&slab, 0.5, carom_cvec_make(7, 9, 15), &d), CAROM_STATUS_OK);
    assert_close(d.energy, -3.0, 1e-15);
    slab.u.t1 = 1; /* K cannot change this */
    assert_int_equal(carom_ellipsoid_of(&slab, &e), CAROM_STATUS_OUT_OF_SCOPE);
}

static void test_ivanov_eta(void **state)
{
    (void)state;
    dice d = {84};
    for (int i = 0; i < 2000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        carom_rule rule = carom_rule_default(carom_law_find("newton"));
        carom_outcome out;
        double eta, e = rule.coeffs.e = dice_between(&d, 0, 1);
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_int_equal(carom_ivanov_eta(&pb, out.p, &eta), CAROM_STATUS_OK);
        assert_near(eta, e, 1, 1e-13); /* along n, Ivanov's and Newton's restitution are one */
        assert_close(eta, out.restitution.ivanov, 1e-12);
    }
    carom_problem pb = {{1, 0, 1, 0, 0, 1}, {0, 0, -1}};
    double eta;
    assert_int_equal(carom_ivanov_eta(&pb, carom_cvec_make(1, 0, 0), &eta), CAROM_STATUS_OUT_OF_SCOPE);
    assert_true(eta == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_by_hand),           cmocka_unit_test(test_axes_end_on_the_surface),
        cmocka_unit_test(test_distance_is_the_shortest), cmocka_unit_test(test_distance_from_known_foot_points),
        cmocka_unit_test(test_singular_ellipsoids),      cmocka_unit_test(test_ivanov_eta),
    };
    return cmocka_run_group_tests_name("ellipsoid", tests, NULL, NULL);
}

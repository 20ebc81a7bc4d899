/* The exact planar region against brute force, and its boundary against the three rules it comes from. */
#include "carom/geometry.h"
#include "support/check.h"
#include "support/corpus.h"

enum { PROBLEMS = 100000, POINTS = 24 };

#define BORDER 1e-11 /* of the terms: points this near to a border are nobody's */

/* Margins of the three rules with the size of their terms; written out, sharing nothing with the library. */
typedef struct rules {
    double normal, energy, cone, normal_size, energy_size, cone_size;
} rules;

static rules rules_at(const carom_problem *pb, double mu, double t, double n)
{
    double a = pb->K.t11, b = pb->K.t1n, c = pb->K.nn;
    rules r;
    r.normal = pb->u.n + b * t + c * n;
    r.energy = -(pb->u.t1 * t + pb->u.n * n + 0.5 * (a * t * t + 2 * b * t * n + c * n * n));
    r.cone = mu * n - fabs(t);
    r.normal_size = fabs(pb->u.n) + fabs(b * t) + c * fabs(n);
    r.energy_size = fabs(pb->u.t1 * t) + fabs(pb->u.n * n) + 0.5 * (a * t * t + 2 * fabs(b * t * n) + c * n * n);
    r.cone_size = mu * fabs(n) + fabs(t);
    return r;
}

static bool is_near_a_border(rules r)
{
    return fabs(r.normal) <= BORDER * r.normal_size || fabs(r.energy) <= BORDER * r.energy_size ||
           fabs(r.cone) <= BORDER * r.cone_size;
}

/* Planar contacts of every temper: spread, nearly singular, singular with and without u in range, grazing. */
static carom_problem planar_problem(dice *d, int i)
{
    double angle = dice_between(d, 0, 6.3), small = dice_decades(d, i % 5 == 1 ? -9 : -1.5, 0);
    double c = cos(angle), s = sin(angle), size = dice_decades(d, -1, 1);
    if (i % 7 == 3)
        small = 0;
    double along = dice_gauss(d), toward = fabs(dice_gauss(d)); /* one after the other, whatever the compiler */
    carom_problem pb = {
        {size * (c * c + small * s * s), 0, 0, size * (1 - small) * c * s, 0, size * (s * s + small * c * c)},
        {along, 0, -toward}};
    if (i % 14 == 3) { /* in the range of a singular K, as a mechanism has it */
        double v = dice_gauss(d);
        pb.u = carom_cvec_make(c * v, 0, s * v);
        if (pb.u.n > 0)
            pb.u = carom_cvec_scale(-1, pb.u);
    }
    if (i % 11 == 5)
        pb.u.n *= dice_decades(d, -8, -3);
    if (i % 13 == 6)
        pb.u.t1 = 0;
    return pb;
}

static double draw_mu(dice *d)
{
    int kind = dice_below(d, 6);
    return kind == 0 ? 0 : kind == 1 ? dice_decades(d, 0, 4) : dice_between(d, 0, 1.5);
}

/* A finite point of some edge, to aim at. */
static carom_cvec aim(dice *d, const carom_region *region)
{
    const carom_edge *edge = &region->edges[dice_below(d, region->count)];
    return carom_edge_at(region, edge, dice_between(d, 0.001, 0.999));
}

/* Points where disagreement would show: between edge points, and just off them on all scales. */
static carom_cvec test_point(dice *d, const carom_region *region, int i)
{
    carom_cvec a = aim(d, region), b = aim(d, region);
    double s = dice_between(d, -0.5, 1.5);
    carom_cvec p = carom_cvec_add(carom_cvec_scale(1 - s, a), carom_cvec_scale(s, b));
    if (i % 3 == 0) {
        double off = dice_decades(d, -8, 0.5) * (fabs(a.t1) + fabs(a.n));
        double x = dice_gauss(d), y = dice_gauss(d);
        p = carom_cvec_add(a, carom_cvec_make(off * x, 0, off * y));
    }
    return p;
}

static void test_membership_agrees_with_brute_force(void **state)
{
    (void)state;
    dice d = {71};
    long inside = 0, outside = 0, disagree = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        carom_problem pb = planar_problem(&d, i);
        carom_region region;
        double mu = draw_mu(&d);
        assert_int_equal(carom_region_of(&pb, mu, &region), CAROM_STATUS_OK);
        for (int j = 0; j < POINTS; j++) {
            carom_cvec p = test_point(&d, &region, j);
            rules r = rules_at(&region.problem, mu, p.t1, p.n);
            if (is_near_a_border(r))
                continue;
            bool brute = r.normal > 0 && r.energy > 0 && r.cone > 0;
            disagree += brute != carom_region_contains(&region, p);
            inside += brute;
            outside += !brute;
        }
    }
    print_message("%ld points inside, %ld outside, %ld disagree\n", inside, outside, disagree);
    assert_true(inside > PROBLEMS && outside > PROBLEMS);
    assert_int_equal(disagree, 0);
}

static double rule_of(carom_edge_kind kind, rules r)
{
    return kind == CAROM_EDGE_COMPRESSION ? r.normal / r.normal_size
           : kind == CAROM_EDGE_ENERGY    ? r.energy / r.energy_size
                                          : r.cone / r.cone_size;
}

/* Every point of an edge obeys its own rule exactly and the other two at least. */
static void check_edge(const carom_region *region, const carom_edge *edge)
{
    for (double s = 0.03125; s < 1; s += 0.0625) {
        carom_cvec p = carom_edge_at(region, edge, s);
        rules r = rules_at(&region->problem, region->mu, p.t1, p.n);
        if (r.cone_size == 0)
            continue; /* the apex */
        assert_near(rule_of(edge->kind, r), 0, 1, 1e-13);
        if (edge->kind == CAROM_EDGE_CONE_PLUS || edge->kind == CAROM_EDGE_CONE_MINUS)
            assert_true(edge->kind == CAROM_EDGE_CONE_PLUS ? p.t1 >= 0 : p.t1 <= 0);
        assert_true(r.normal >= -1e-9 * r.normal_size);
        assert_true(r.energy >= -1e-9 * r.energy_size);
        assert_true(r.cone >= -1e-9 * r.cone_size);
    }
}

static void test_boundary_is_closed_and_obeys_the_rules(void **state)
{
    (void)state;
    dice d = {72};
    for (int i = 0; i < 20000; i++) {
        carom_problem pb = planar_problem(&d, i);
        carom_region region;
        assert_int_equal(carom_region_of(&pb, draw_mu(&d), &region), CAROM_STATUS_OK);
        for (int j = 0; j < region.count; j++) {
            const carom_corner *end = &region.edges[j].to, *start = &region.edges[(j + 1) % region.count].from;
            assert_cvec_near(end->p, start->p, largest(end->p), 1e-300);
            assert_true(end->at_infinity == start->at_infinity);
            check_edge(&region, &region.edges[j]);
        }
    }
}

/* Exact numbers by hand: K = 1, u = (2, -4), mu = 1/2: P1 = (0, 4), the chord |x| and the cone edges. */
static void test_unit_mass_by_hand(void **state)
{
    (void)state;
    const double K[] = {1, 0, 0, 1}, u[] = {2, -4};
    carom_problem pb;
    carom_region region;
    assert_int_equal(carom_problem_from_K(2, K, u, &pb), CAROM_STATUS_OK);
    assert_int_equal(carom_region_of(&pb, 0.5, &region), CAROM_STATUS_OK);
    assert_true(region.bounded);
    assert_int_equal(region.count, 4);
    assert_cvec_near(region.edges[0].from.p, carom_cvec_make(-2, 0, 4), 4, 1e-15); /* on the cone */
    assert_cvec_near(region.edges[0].to.p, carom_cvec_make(2, 0, 4), 4, 1e-15);
    /* (p_t + 2)^2 + (p_n - 4)^2 = 20 meets p_n = 2 p_t at (12/5, 24/5) and p_n = -2 p_t at (-4, 8) */
    assert_cvec_near(region.edges[1].to.p, carom_cvec_make(2.4, 0, 4.8), 5, 1e-15);
    assert_cvec_near(region.edges[2].to.p, carom_cvec_make(-4, 0, 8), 8, 1e-15);
    assert_true(carom_region_contains(&region, carom_cvec_make(-3, 0, 7)));
    assert_false(carom_region_contains(&region, carom_cvec_make(2, 0, 7)));
    assert_false(carom_region_contains(&region, carom_cvec_make(0, 0, 3.999)));
}

/* A rank-one K (pendulum): the ellipse is a strip; inside the cone it has no end. */
static void test_pendulum_is_unbounded(void **state)
{
    (void)state;
    double c = cos(0.3141592653589793), s = sin(0.3141592653589793);
    const double K[] = {c * c, s * c, s * c, s * s}, u[] = {-c, -s};
    carom_problem pb;
    carom_region region;
    assert_int_equal(carom_problem_from_K(2, K, u, &pb), CAROM_STATUS_OK);
    assert_int_equal(carom_region_of(&pb, 0.5, &region), CAROM_STATUS_OK);
    assert_false(region.bounded);
    assert_true(region.edges[0].from.at_infinity);
    assert_cvec_near(region.edges[0].from.p, carom_cvec_make(-s, 0, c), 1, 1e-15);
    assert_true(carom_region_contains(&region, carom_cvec_make(-1e6 * s + 1.5 * c, 0, 1e6 * c + 1.5 * s)));
    assert_false(carom_region_contains(&region, carom_cvec_make(-1e6 * s + 2.5 * c, 0, 1e6 * c + 2.5 * s)));
    assert_int_equal(carom_region_of(&pb, 0.3, &region),
                     CAROM_STATUS_OK); /* tan(pi/10) = 0.3249: now the cone ends it */
    assert_true(region.bounded);
}

/* A slice of a spatial region has the region's own points. */
static void test_slices_of_spatial_regions(void **state)
{
    (void)state;
    dice d = {73};
    for (int i = 0; i < 2000; i++) {
        carom_problem pb = corpus_problem(&d, CORPUS_GENERIC);
        double angle = dice_between(&d, 0, 6.28), mu = dice_between(&d, 0.1, 2);
        carom_direction dir = {cos(angle), sin(angle)};
        carom_region region;
        carom_distances far;
        assert_int_equal(carom_region_slice(&pb, mu, dir, &region), CAROM_STATUS_OK);
        carom_cvec a = aim(&d, &region), b = aim(&d, &region), m = carom_cvec_scale(0.5, carom_cvec_add(a, b));
        carom_cvec p = {m.t1 * dir.c, m.t1 * dir.s, m.n};
        assert_int_equal(carom_distances_at(&pb, mu, p, &far), CAROM_STATUS_OK);
        double size = 1e-12 * sqrt(carom_cvec_dot(p, p));
        assert_true(far.compression >= -size && far.energy >= -size && far.cone >= -size);
    }
}

static void test_statuses(void **state)
{
    (void)state;
    carom_region region;
    carom_problem apart = {{1, 0, 0, 0, 0, 1}, {1, 0, 2}}, skew = {{20, -23, 31, 4, -7, 4}, {630, -780, -0.22}};
    assert_int_equal(carom_region_of(&apart, 0.5, &region), CAROM_STATUS_SEPARATING);
    assert_int_equal(region.count, 0);
    assert_false(carom_region_contains(&region, carom_cvec_make(0, 0, 1)));
    assert_int_equal(carom_region_of(&skew, 0.5, &region), CAROM_STATUS_NOT_PLANAR);
    apart.u.n = -2;
    assert_int_equal(carom_region_of(&apart, -1, &region), CAROM_STATUS_BAD_COEFFICIENT);
    assert_int_equal(carom_region_of(&apart, 0, &region), CAROM_STATUS_OK);
    assert_true(carom_region_contains(&region, carom_cvec_make(0, 0, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_membership_agrees_with_brute_force),
        cmocka_unit_test(test_boundary_is_closed_and_obeys_the_rules),
        cmocka_unit_test(test_unit_mass_by_hand),
        cmocka_unit_test(test_pendulum_is_unbounded),
        cmocka_unit_test(test_slices_of_spatial_regions),
        cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}

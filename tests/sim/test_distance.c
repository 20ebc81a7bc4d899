/* GJK against closed forms and against all pairs of features. */
#include "sim/shape/distance.h"

#include "core/num.h"
#include "sim/plain_distance.h"
#include "sim/shape/feature.h"

enum { TRIES = 600 };
#define ROUND_TOL 1e-8 /* of the distance: where a round core ends the search */
static const looseness tight = {0, 0};

/* A lower bound of a distance between bodies within a size. An axis from nearest points that are rounded is off by
 * EPS size / distance, and the gap along it by that angle times the size; the search on a round core ends earlier. */
static void assert_bound(double got, double want, bool round)
{
    const double size = 3;
    assert_true(got <= want + 4 * EPS * size);
    assert_near(got, want, 4 * EPS * size * (1 + size / fmax(want, 1e-4)) + (round ? ROUND_TOL * want : 0));
}

static void test_from_point(void **state)
{
    (void)state;
    dice d = {21};
    const carom_solid mote = {.kind = CAROM_SOLID_PARTICLE};
    piece point, p;
    assert_true(piece_of(&mote, 3, &point));
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[PART_POINTS], x = dice_vec(&d, 1.5), at = dice_vec(&d, 2);
        carom_quat q = dice_turn(&d);
        carom_solid solid = dice_solid(&d, n % PART_HULL, points);
        assert_true(piece_of(&solid, 3, &p));
        placed a = place_part(&p, NULL, at, q);
        placed b = place_part(&point, NULL, carom_vec3_add(at, quat_turn(q, x)), (carom_quat){1, 0, 0, 0});
        assert_bound(distance_of(&a, &b, vec(0, 0, 0), tight).distance, from_point(&p, x), p.kind > CORE_BOX);
    }
}

static void test_polytopes(void **state)
{
    (void)state;
    dice d = {22};
    int apart = 0;
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS], corners[2][PART_POINTS];
        piece p[2];
        placed at[2];
        int count[2];
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, (n + k) % 3 ? PART_HULL : 0, points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], dice_vec(&d, 1.2), dice_turn(&d));
            count[k] = corners_of(&at[k], corners[k]);
        }
        nearness found = distance_of(&at[0], &at[1], n % 2 ? dice_unit(&d) : vec(0, 0, 0), tight);
        if (!(found.distance > 1e-9))
            continue;
        apart++;
        assert_bound(found.distance, plain_distance(corners[0], count[0], corners[1], count[1]), false);
        assert_near(gap_along(&at[0], &at[1], found.axis), found.distance, 1e-15);
    }
    assert_true(apart > TRIES / 2);
}

/* Overlap is proven by a point in common. */
static void test_overlap(void **state)
{
    (void)state;
    dice d = {23};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS];
        piece p[2];
        placed at[2];
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, k ? dice_below(&d, 3) : PART_HULL, points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], vec(0, 0, 0), dice_turn(&d));
        }
        carom_vec3 middle = {0, 0, 0};
        for (int k = 0; k < PART_POINTS; k++)
            middle = carom_vec3_add(middle, carom_vec3_scale(1.0 / PART_POINTS, from_piece(&at[0], points[0][k])));
        at[1].center = middle; /* which lies inside the hull; boxes, cylinders and cones hold their centre */
        assert_true(distance_of(&at[0], &at[1], dice_unit(&d), tight).distance == 0);
    }
}

/* Looser searches stay below the distance, by no more than they may. */
static void test_loose(void **state)
{
    (void)state;
    dice d = {24};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS];
        piece p[2];
        placed at[2];
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, dice_below(&d, PART_KINDS), points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], dice_vec(&d, 3), dice_turn(&d));
        }
        const looseness loose = {n % 2 ? 0.1 : 0, n % 2 ? 0 : 0.03};
        double whole = distance_of(&at[0], &at[1], vec(0, 0, 0), tight).distance;
        double rough = distance_of(&at[0], &at[1], vec(0, 0, 0), loose).distance;
        if (whole > 1e-9) {
            assert_true(rough <= whole + 1e-14);
            assert_true(rough >= whole - fmax(loose.share * whole, loose.length) * 1.2 - 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_point),
        cmocka_unit_test(test_polytopes),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_loose),
    };
    return cmocka_run_group_tests_name("distance", tests, NULL, NULL);
}

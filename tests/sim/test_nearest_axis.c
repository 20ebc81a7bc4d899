/* The axis between two pieces: distances to rounding, and how it turns. */
#include "sim/shape/nearest_axis.h"

#include "core/num.h"
#include "sim/plain_distance.h"
#include "sim/shape/distance.h"
#include "sim/shape/feature.h"

enum { TRIES = 500 };

typedef struct couple {
    carom_vec3 points[2][PART_POINTS];
    piece p[2];
    placed at[2];
} couple;

static couple *couple_of(dice *d, int first, int second, double apart)
{
    static couple c;
    const int kind[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        carom_solid solid = dice_solid(d, kind[k], c.points[k]);
        assert_true(piece_of(&solid, 3, &c.p[k]));
        c.at[k] = place_part(&c.p[k], c.points[k], dice_vec(d, apart), dice_turn(d));
    }
    return &c;
}

/* The middle of its edge lies across: the distance has all digits where GJK has not. */
static void test_polytopes(void **state)
{
    (void)state;
    dice d = {71};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 corners[2][PART_POINTS];
        couple *c = couple_of(&d, n % 2 ? PART_HULL : 0, n % 3 ? 0 : PART_HULL, 1.2);
        int count[2] = {corners_of(&c->at[0], corners[0]), corners_of(&c->at[1], corners[1])};
        axis_between found = near_axis(&c->at[0], &c->at[1], n % 5 ? vec(0, 0, 0) : dice_unit(&d), 0);
        if (!(found.gap > 1e-4))
            continue;
        assert_near(found.gap, plain_distance(corners[0], count[0], corners[1], count[1]), 2e-15);
        assert_near(gap_along(&c->at[0], &c->at[1], found.n), found.gap, 1e-15);
        assert_true(found.is_exact);
    }
}

/* Nearest points of smooth bodies are their support points: the gap along the axis is the distance of two points. */
static void test_smooth(void **state)
{
    (void)state;
    dice d = {72};
    int apart = 0;
    for (int n = 0; n < TRIES; n++) {
        couple *c = couple_of(&d, 5, n % 2 ? 5 : 7, 2); /* ellipsoids, spheres */
        axis_between found = near_axis(&c->at[0], &c->at[1], vec(0, 0, 0), 0);
        carom_vec3 a = support(&c->at[0], carom_vec3_scale(-1, found.n)), b = support(&c->at[1], found.n);
        if (!(found.gap > 1e-3))
            continue;
        apart++;
        assert_near(carom_vec3_length(carom_vec3_sub(a, b)), found.gap, 1e-14);
        assert_near(carom_vec3_length(found.n), 1, 2 * EPS);
    }
    assert_true(apart > TRIES / 3);
}

/* A ball and each other body: closed forms, and the axis is the direction between the nearest points. */
static void test_balls(void **state)
{
    (void)state;
    dice d = {73};
    for (int n = 0; n < TRIES; n++) {
        couple *c = couple_of(&d, 7, n % PART_HULL, 2);
        carom_vec3 x = to_piece(&c->at[1], carom_vec3_sub(c->at[0].center, c->at[1].center));
        double want = from_point(&c->p[1], x);
        axis_between found = near_axis(&c->at[0], &c->at[1], vec(0, 0, 0), 0);
        if (!(want > 1e-3))
            continue;
        assert_near(found.gap, want, 1e-14);
        carom_vec3 foot = carom_vec3_sub(c->at[0].center, carom_vec3_scale(want, found.n));
        carom_vec3 own = to_piece(&c->at[1], carom_vec3_sub(foot, c->at[1].center));
        assert_near(from_point(&c->p[1], own), 0, 3e-9); /* the foot lies on the body */
    }
}

/* Boxes and cylinders pressed into each other by a little: the axis is the normal of the face, the gap the depth. */
static void test_pressed(void **state)
{
    (void)state;
    dice d = {74};
    for (int n = 0; n < TRIES; n++) {
        couple *c = couple_of(&d, 0, n % 2 ? 0 : 1, 0);
        double depth = dice_decades(&d, -14, -7), half = c->p[1].kind == CORE_BOX ? c->p[1].size[2] : c->p[1].size[1];
        carom_vec3 side = dice_vec(&d, 0.05), n0 = c->at[1].axis[2];
        c->at[0].q = quat_multiply(c->at[1].q, quat_about(vec(0, 0, 1), dice_between(&d, -1, 1)));
        set_axes(&c->at[0]);
        double height = c->p[0].size[2] + half - depth;
        c->at[0].center = carom_vec3_add(c->at[1].center, from_piece(&c->at[1], vec(side.x, side.y, height)));
        axis_between found = near_axis(&c->at[0], &c->at[1], n % 3 ? vec(0, 0, 0) : n0, 0);
        assert_near(found.gap, -depth, 4e-15);
        assert_near(carom_vec3_length(carom_vec3_sub(found.n, n0)), 0, 4e-15);
    }
}

/* ---- bodies that touch a facet ---- */

/* A thin prism over a triangle, and a place on it with a normal that it has there: of the corner, an edge or the
 * triangle. */
static void dice_facet(dice *d, couple *c, carom_vec3 *at, carom_vec3 *n)
{
    carom_vec3 *p = c->points[1], up = {0, 0, 1}, down = {0, 0, -dice_between(d, 0.05, 0.3)};
    for (int k = 0; k < 3; k++) {
        p[k] = vec(cos(2.1 * k) + dice_between(d, -0.5, 0.5), sin(2.1 * k) + dice_between(d, -0.5, 0.5), 0);
        p[k + 3] = carom_vec3_add(p[k], down);
    }
    carom_solid solid = {.kind = CAROM_SOLID_HULL, .points = p, .point_count = 6};
    assert_true(piece_of(&solid, 3, &c->p[1]));
    c->at[1] = place_part(&c->p[1], p, dice_vec(d, 1), dice_turn(d));
    carom_vec3 sides[2] = {minus(p[1], p[0]), minus(p[0], p[2])}, normal = up, x = p[0];
    int flat = (int)dice_between(d, 0, 3); /* edges that the normal is perpendicular to */
    for (int k = 0; k < 2 - flat; k++)
        normal = carom_vec3_add(normal, carom_vec3_scale(dice_between(d, 0, 2), carom_vec3_cross(sides[k], up)));
    if (flat > 0)
        x = carom_vec3_add(x, carom_vec3_scale(dice_between(d, 0.01, 0.9), sides[0]));
    if (flat > 1)
        x = carom_vec3_add(x, carom_vec3_scale(-dice_between(d, 0.01, 0.09), sides[1]));
    *at = carom_vec3_add(c->at[1].center, from_piece(&c->at[1], x));
    *n = from_piece(&c->at[1], carom_vec3_scale(1 / carom_vec3_length(normal), normal));
}

/* Placed over a facet along a normal of both, a body has the gap that it was placed with, and pressed in, no overlap
 * that is deeper. Nothing that went before leads to the axis. Gaps below VISIBLE are bounded only. */
static void test_facets(void **state)
{
    (void)state;
    dice d = {76};
    const double fine = 4e-15, sharp = 1e-10; /* box, disk, rod, hull: of corners and rims GJK loses digits */
    const double tol[PART_KINDS] = {sharp, fine, fine, fine, sharp, fine, sharp, fine, sharp};
    for (int n = 0; n < 40 * TRIES; n++) {
        carom_vec3 at, normal;
        couple *c = couple_of(&d, n % PART_KINDS, 0, 0);
        dice_facet(&d, c, &at, &normal);
        double small = dice_decades(&d, -17, -3), gap = n % 4 == 0 ? 0 : n % 4 == 1 ? -small : small;
        bool bounded = gap > 0 && gap < VISIBLE * (c->p[0].reach + c->p[1].reach);
        at = carom_vec3_add(at, carom_vec3_scale(gap, normal));
        carom_vec3 low = support(&c->at[0], carom_vec3_scale(-1, normal));
        c->at[0].center = carom_vec3_add(c->at[0].center, minus(at, low));
        double found = near_axis(&c->at[0], &c->at[1], vec(0, 0, 0), 0).gap;
        assert_true(found >= (bounded ? 0 : gap) - tol[n % PART_KINDS]);
        assert_true(found <= fabs(gap) + 4e-15);
    }
}

/* ---- faces that are nearly parallel ---- */

/* The largest gap along the normals of the faces of two boxes and across their edges. */
static double widest(const couple *c, carom_vec3 *n)
{
    double most = -INFINITY;
    for (int k = 0; k < 15; k++) {
        const carom_vec3 *a = c->at[0].axis, *b = c->at[1].axis;
        carom_vec3 way = k < 3 ? a[k] : k < 6 ? b[k - 3] : carom_vec3_cross(a[(k - 6) / 3], b[(k - 6) % 3]);
        double length = carom_vec3_length(way);
        for (int sign = -1; sign <= 1 && length > 1e-3; sign += 2) {
            carom_vec3 m = carom_vec3_scale(sign / length, way);
            if (gap_along(&c->at[0], &c->at[1], m) > most)
                most = gap_along(&c->at[0], &c->at[1], m), *n = m;
        }
    }
    return most;
}

/* A box over a part of another one, whose lowest corners may lie beside it: the plane of the other does not stop them.
 * No axis may be wider than the widest; a search that ends far away may miss it by a share of the gap. */
static void test_nearly_parallel(void **state)
{
    (void)state;
    dice d = {77};
    for (int n = 0; n < 8 * TRIES; n++) {
        couple *c = couple_of(&d, 0, 0, 0);
        double tilt = dice_decades(&d, -11, -3), turn = n % 2 ? dice_between(&d, -1, 1) : 0;
        double around = n % 3 ? dice_between(&d, -4, 4) : 0, gap = n % 4 ? dice_decades(&d, -15, -3) : 0;
        carom_quat lean = quat_about(vec(cos(around), sin(around), 0), tilt);
        c->at[0].q = quat_multiply(c->at[1].q, quat_multiply(lean, quat_about(vec(0, 0, 1), turn)));
        set_axes(&c->at[0]);
        const double *s = c->p[1].size, share = 0.9;
        carom_vec3 side = {dice_between(&d, -share, share) * s[0], dice_between(&d, -share, share) * s[1], 0};
        double *height = &side.z, want = 0;
        *height = s[2] + c->p[0].size[2];
        for (int k = 0; k < 4; k++) {
            carom_vec3 way;
            c->at[0].center = carom_vec3_add(c->at[1].center, from_piece(&c->at[1], side));
            want = widest(c, &way);
            *height += gap - want;
        }
        axis_between found = near_axis(&c->at[0], &c->at[1], n % 5 ? c->at[1].axis[2] : vec(0, 0, 0), 0);
        assert_true(found.gap <= want + 1e-14 && found.gap >= want - 0.01 * fabs(want) - 4e-12);
        assert_near(gap_along(&c->at[0], &c->at[1], found.n), found.gap, 4e-15);
    }
}

/* ---- how it turns ---- */

static placed moved(const placed *p, carom_vec3 v, carom_vec3 w, double t)
{
    placed out = *p;
    double angle = t * carom_vec3_length(w);
    out.center = carom_vec3_add(p->center, carom_vec3_scale(t, v));
    out.q = quat_multiply(quat_about(carom_vec3_scale(1 / carom_vec3_length(w), w), angle), p->q);
    set_axes(&out);
    return out;
}

/* The axis at two instants around now, and the rate between: differences, where the features stay the same. */
static void test_rate(void **state)
{
    (void)state;
    const double h = 1e-5;
    dice d = {75};
    int compared = 0;
    for (int n = 0; n < 3 * TRIES; n++) {
        couple *c = couple_of(&d, n % PART_KINDS, n / PART_KINDS % PART_KINDS, 2);
        carom_vec3 v[2] = {dice_vec(&d, 1), dice_vec(&d, 1)}, w[2] = {dice_vec(&d, 2), dice_vec(&d, 2)}, axis[5];
        double least = INFINITY;
        for (int k = -2; k <= 2; k++) {
            placed a = moved(&c->at[0], v[0], w[0], k * h), b = moved(&c->at[1], v[1], w[1], k * h);
            axis_between found = near_axis(&a, &b, vec(0, 0, 0), 0);
            axis[k + 2] = found.n;
            least = fmin(least, found.gap);
        }
        carom_vec3 near = carom_vec3_scale(0.5 / h, carom_vec3_sub(axis[3], axis[1]));
        carom_vec3 far = carom_vec3_scale(0.25 / h, carom_vec3_sub(axis[4], axis[0]));
        double differ = carom_vec3_length(carom_vec3_sub(near, far));
        if (!(least > 0.05) || differ > 1e-6) /* they touch, or a feature changes just now */
            continue;
        meeting m = {.a = c->at[0], .b = c->at[1], .n = axis[2], .wa = w[0], .wb = w[1]};
        m.xa = m.a.center, m.xb = m.b.center, m.w = carom_vec3_sub(v[0], v[1]);
        compared++;
        assert_near(carom_vec3_length(carom_vec3_sub(axis_rate(&m), near)), 0, 1e-6);
    }
    assert_true(compared > TRIES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polytopes), cmocka_unit_test(test_smooth), cmocka_unit_test(test_balls),
        cmocka_unit_test(test_pressed),   cmocka_unit_test(test_facets), cmocka_unit_test(test_nearly_parallel),
        cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests_name("nearest_axis", tests, NULL, NULL);
}

/* Faces of large hulls: those that looking at every pair of points finds, with the same bits, in the same order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/shape/hull.h"

enum { KINDS = 8, FACES = 4000, POINTS = 260 };
#define TURN 6.283185307179586

typedef struct found {
    carom_vec3 normal[FACES];
    int corner[FACES], corners[FACES], count;
} found;

static unsigned long long seed = 20261118;

static double draw(void)
{
    seed = 6364136223846793005ULL * seed + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static void keep(void *context, const hull_points *h, int corner, carom_vec3 normal)
{
    found *f = context;
    int count = 0;
    for (int c = corner; c >= 0 && count < h->count && !(count && c == corner); count++)
        c = hull_next(h, c, normal);
    assert_true(f->count < FACES);
    f->normal[f->count] = normal, f->corner[f->count] = corner, f->corners[f->count++] = count;
}

/* Ellipsoids, prisms, cones, clouds, lattices, spheres by latitude, repeated points, bowls with a lid. */
static carom_vec3 point(int kind, int k, int n, const double *s)
{
    double z = (2 * k + 1.0) / n - 1, r = sqrt(1 - z * z), a = 2.399963229728653 * k, half = TURN * (k / 2) / (n / 2),
           x = 2 * draw() - 1, y = 2 * draw() - 1, polar = TURN / 2 * (k / 20 + 0.5) / ((n + 19) / 20);
    switch (kind) {
    case 1:
        return carom_vec3_make(s[0] * cos(half), s[0] * sin(half), k % 2 ? s[2] : -s[2]);
    case 2:
        return k ? carom_vec3_make(s[0] * cos(TURN * k / (n - 1)), s[0] * sin(TURN * k / (n - 1)), 0)
                 : carom_vec3_make(0, 0, s[2]);
    case 3:
        return carom_vec3_make(s[0] * x, s[1] * y, s[2] * draw());
    case 4:
        return carom_vec3_make(k % 6, k / 6 % 6, k / 36);
    case 5:
        return carom_vec3_make(sin(polar) * cos(TURN * (k % 20) / 20), sin(polar) * sin(TURN * (k % 20) / 20),
                               cos(polar));
    case 6:
        return k < n / 2 ? carom_vec3_make(s[0] * r * cos(a), s[1] * r * sin(a), s[2] * z) : point(6, k - n / 2, n, s);
    case 7:
        return carom_vec3_make(s[0] * x, s[0] * y, k % 2 ? 3 * s[2] : s[2] * (x * x + y * y));
    default:
        return carom_vec3_make(s[0] * r * cos(a), s[1] * r * sin(a), s[2] * z);
    }
}

static void test_faces(void **state)
{
    (void)state;
    static found every, few;
    long faces = 0;
    for (int k = 0; k < 12 * KINDS; k++) {
        carom_vec3 points[POINTS];
        int n = 70 + (int)(draw() * (POINTS - 70));
        const double sizes[3] = {pow(10, 2 * draw() - 1), pow(10, 2 * draw() - 1), pow(10, 2 * draw() - 1)};
        for (int i = 0; i < n; i++)
            points[i] = point(k % KINDS, i, n, sizes);
        hull_points h = hull_of(points, n), plain = h;
        plain.is_large = false;
        every.count = few.count = 0;
        hull_faces(&plain, keep, &every);
        hull_faces(&h, keep, &few);
        assert_int_equal(few.count, every.count);
        size_t count = (size_t)few.count;
        assert_memory_equal(few.normal, every.normal, count * sizeof *few.normal);
        assert_memory_equal(few.corner, every.corner, count * sizeof *few.corner);
        assert_memory_equal(few.corners, every.corners, count * sizeof *few.corners);
        faces += few.count;
    }
    print_message("%ld faces\n", faces);
    assert_true(faces > 5000);
}

/* Each point of a spiral over an ellipsoid has six or so neighbours: few points are looked at. */
static void test_few_are_near(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    static carom_vec3 points[MANY];
    const double sizes[3] = {0.1, 0.08, 0.07};
    long looked_at = 0;
    for (int i = 0; i < MANY; i++)
        points[i] = point(0, i, MANY, sizes);
    hull_points h = hull_of(points, MANY);
    for (int i = 0; i < MANY; i++) {
        int near[1024], count = hull_near(&h, i, near, 1024);
        assert_true(count > 3);
        looked_at += count;
    }
    assert_true(looked_at < 10L * MANY);
}

/* Corner k of a prism of height 2 over a polygon of radius 1. After 2 sides of them the corners come again, where
 * rounding has put them. */
static carom_vec3 prism_corner(int k, int sides)
{
    double a = TURN * (k / 2) / sides;
    return carom_vec3_make(cos(a), sin(a), k % 2 ? 1 : -1);
}

/* Corners that come twice, exactly or but for rounding, change nothing: the volume of a prism, which is known. */
static void test_repeated_corners(void **state)
{
    (void)state;
    for (int sides = 3; sides < 120; sides++)
        for (int more = 0; more <= 2 * sides; more += 1 + sides / 3) {
            carom_vec3 points[4 * 120];
            carom_solid solid = {.kind = CAROM_SOLID_HULL, .points = points, .point_count = 2 * sides + more};
            for (int k = 0; k < solid.point_count; k++)
                points[k] = prism_corner(k, sides);
            carom_body_def def = carom_body_def_default();
            assert_int_equal(carom_solid_body(&solid, 3, 1, &def, NULL), CAROM_STATUS_OK);
            assert_true(fabs(def.mass / (sides * sin(TURN / sides)) - 1) < 1e-12);
        }
}

/* A face of thousands of corners takes no longer than a look at every pair of points. */
static void test_broad_faces(void **state)
{
    (void)state;
    enum { SIDES = 2000 };
    static carom_vec3 points[2 * SIDES];
    static found prism;
    for (int k = 0; k < 2 * SIDES; k++)
        points[k] = prism_corner(k, SIDES);
    hull_points h = hull_of(points, 2 * SIDES);
    prism.count = 0;
    hull_faces(&h, keep, &prism);
    assert_int_equal(prism.count, SIDES + 2);
    for (int k = 0; k < prism.count; k++)
        assert_int_equal(prism.corners[k], fabs(prism.normal[k].z) > 0.5 ? SIDES : 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faces), cmocka_unit_test(test_few_are_near),
                                       cmocka_unit_test(test_repeated_corners), cmocka_unit_test(test_broad_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Masses and inertias of solids against closed forms of affine images, and against sums of slices. */
#include "sim/parts.h"

enum { TRIES = 60 };

typedef struct second {
    double xx, xy, xz, yy, yz, zz; /* mean products of coordinates about the centre */
} second;

/* The columns of a random map that is not too flat. */
static void dice_map(dice *d, carom_vec3 a[3])
{
    do
        for (int k = 0; k < 3; k++)
            a[k] = dice_vec(d, 1.3);
    while (fabs(carom_vec3_dot(a[0], carom_vec3_cross(a[1], a[2]))) < 0.3);
}

/* A map takes a solid with the mean squares f along each axis to one with the mean products f A A^T. */
static second mapped(const carom_vec3 a[3], double f)
{
    second s = {0, 0, 0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        s.xx += f * a[k].x * a[k].x, s.xy += f * a[k].x * a[k].y, s.xz += f * a[k].x * a[k].z;
        s.yy += f * a[k].y * a[k].y, s.yz += f * a[k].y * a[k].z, s.zz += f * a[k].z * a[k].z;
    }
    return s;
}

static void assert_inertia(carom_sym3 got, double mass, second s, double tol)
{
    double scale = mass * (s.xx + s.yy + s.zz);
    assert_near(got.xx, mass * (s.yy + s.zz), tol * scale);
    assert_near(got.yy, mass * (s.xx + s.zz), tol * scale);
    assert_near(got.zz, mass * (s.xx + s.yy), tol * scale);
    assert_near(got.xy, -mass * s.xy, tol * scale);
    assert_near(got.xz, -mass * s.xz, tol * scale);
    assert_near(got.yz, -mass * s.yz, tol * scale);
}

static void assert_hull(const carom_vec3 *points, int count, double volume, carom_vec3 centre, second s)
{
    carom_solid solid = {.kind = CAROM_SOLID_HULL, .points = points, .point_count = count};
    carom_body_def def = carom_body_def_default();
    carom_vec3 at;
    assert_int_equal(carom_solid_body(&solid, 3, 730, &def, &at), CAROM_STATUS_OK);
    assert_near(def.mass, 730 * volume, 1e-12 * def.mass);
    assert_near(carom_vec3_length(carom_vec3_sub(at, centre)), 0, 1e-12);
    assert_inertia(def.inertia, 730 * volume, s, 1e-12);
    def.mass = 0.7;
    assert_int_equal(carom_solid_body(&solid, 3, 0, &def, NULL), CAROM_STATUS_OK);
    assert_true(def.mass == 0.7 || fabs(def.mass - 0.7) < 2e-16);
    assert_inertia(def.inertia, 0.7, s, 1e-12);
}

/* Images of a cube (mean squares 1/3), of an octahedron (1/10), and a simplex: far from the origin, with points inside.
 */
static void test_affine_hulls(void **state)
{
    (void)state;
    dice d = {41};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 a[3], at = dice_vec(&d, 2), p[12];
        dice_map(&d, a);
        double det = fabs(carom_vec3_dot(a[0], carom_vec3_cross(a[1], a[2])));
        for (int k = 0; k < 8; k++) {
            p[k] = carom_vec3_add(at, carom_vec3_scale(k & 1 ? 1 : -1, a[0]));
            p[k] = carom_vec3_add(p[k], carom_vec3_scale(k & 2 ? 1 : -1, a[1]));
            p[k] = carom_vec3_add(p[k], carom_vec3_scale(k & 4 ? 1 : -1, a[2]));
        }
        for (int k = 8; k < 12; k++)
            p[k] = carom_vec3_add(at, carom_vec3_scale(dice_between(&d, -0.9, 0.9), a[k % 3]));
        assert_hull(p, n % 2 ? 12 : 8, 8 * det, at, mapped(a, 1.0 / 3));
        for (int k = 0; k < 6; k++)
            p[k] = carom_vec3_add(at, carom_vec3_scale(k % 2 ? 1 : -1, a[k / 2]));
        assert_hull(p, 6, 4 * det / 3, at, mapped(a, 0.1));
    }
}

/* A prism over a regular polygon with more corners than any table of faces has: mean square of x is (2 + cos(2 pi/n))
 * r^2 / 12. */
static void test_prism(void **state)
{
    (void)state;
    const double r = 0.37, half = 0.21, turn = 6.283185307179586;
    for (int n = 3; n <= 40; n += n < 8 ? 1 : 16) {
        carom_vec3 p[80];
        for (int k = 0; k < n; k++) {
            double angle = turn * k / n + 0.1;
            p[k] = vec(r * cos(angle), r * sin(angle), half), p[n + k] = vec(p[k].x, p[k].y, -half);
        }
        double xx = r * r * (2 + cos(turn / n)) / 12, area = 0.5 * n * r * r * sin(turn / n);
        assert_hull(p, 2 * n, 2 * half * area, vec(0, 0, 0), (second){xx, 0, 0, xx, 0, half * half / 3});
    }
}

/* Shapes round z from slices: area A(z) and mean square of x in it, by Gauss quadrature. */
typedef double radius_at(const double *size, double z);

static double cone_radius(const double *s, double z)
{
    return s[0] * (0.75 - z / s[1]);
}

static double capsule_radius(const double *s, double z)
{
    double over = fmax(fabs(z) - s[1] / 2, 0);
    return sqrt(fmax(s[0] * s[0] - over * over, 0));
}

static double cylinder_radius(const double *s, double z)
{
    (void)z;
    return s[0];
}

typedef struct slices {
    radius_at *radius;
    double size[3], from, middle, to; /* the radius is smooth between these */
    carom_shape_kind kind;
} slices;

static void sum_slices(const slices *s, double from, double to, double sum[4])
{
    static const double node[5] = {-0.90617984593866399, -0.53846931010568309, 0, 0.53846931010568309,
                                   0.90617984593866399};
    static const double weight[5] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889, 0.47862867049936647,
                                     0.23692688505618909};
    for (int part = 0; part < 8; part++)
        for (int k = 0; k < 5; k++) {
            double h = (to - from) / 8, z = from + h * (part + 0.5 + 0.5 * node[k]), r = s->radius(s->size, z);
            double area = 3.141592653589793 * r * r * weight[k] * h / 2;
            sum[0] += area, sum[1] += area * z, sum[2] += area * z * z, sum[3] += area * r * r / 4;
        }
}

static void test_slices(void **state)
{
    (void)state;
    const slices shapes[] = {
        {cone_radius, {0.31, 0.83}, -0.2075, 0.1, 0.6225, CAROM_SHAPE_CONE},
        {capsule_radius, {0.17, 0.53}, -0.435, 0, 0.435, CAROM_SHAPE_CAPSULE},
        {cylinder_radius, {0.29, 0.47}, -0.235, 0.11, 0.235, CAROM_SHAPE_CYLINDER},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        const slices *s = &shapes[k];
        double sum[4] = {0};
        carom_solid solid = {.kind = CAROM_SOLID_SHAPE, .shape = {s->kind, {s->size[0], s->size[1]}}};
        carom_body_def def = carom_body_def_default();
        bool capped = s->kind == CAROM_SHAPE_CAPSULE; /* its slices have corners where the caps begin */
        double low = capped ? -0.265 : s->middle, high = capped ? 0.265 : s->middle;
        sum_slices(s, s->from, low, sum);
        sum_slices(s, low, high, sum);
        sum_slices(s, high, s->to, sum);
        assert_int_equal(carom_solid_body(&solid, 3, 910, &def, NULL), CAROM_STATUS_OK);
        assert_near(def.mass, 910 * sum[0], 1e-13 * def.mass);
        assert_near(sum[1], 0, 1e-15); /* the centre of mass is at the origin */
        second mean = {sum[3] / sum[0], 0, 0, sum[3] / sum[0], 0, sum[2] / sum[0]};
        assert_inertia(def.inertia, 910 * sum[0], mean, 1e-13);
    }
}

/* A box cut into two: the compound of the parts, turned as a whole, has the inertia of the box. */
static void test_compound(void **state)
{
    (void)state;
    dice d = {42};
    for (int n = 0; n < TRIES; n++) {
        double size[3] = {dice_between(&d, 0.2, 1), dice_between(&d, 0.2, 1), dice_between(&d, 0.2, 1)};
        double cut = dice_between(&d, 0.1, 0.9);
        carom_quat q = dice_turn(&d);
        carom_vec3 at = dice_vec(&d, 1), centre;
        carom_part parts[2];
        for (int k = 0; k < 2; k++) {
            double share = k ? 1 - cut : cut, x = k ? 0.5 * cut * size[0] : 0.5 * (cut - 1) * size[0];
            parts[k] = (carom_part){
                .solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {share * size[0], size[1], size[2]}}},
                .position = carom_vec3_add(at, quat_turn(q, vec(x, 0, 0))),
                .orientation = quat_scale(2.5, q),
                .density = 1.3};
        }
        carom_solid solid = {.kind = CAROM_SOLID_COMPOUND, .parts = parts, .part_count = 2};
        carom_body_def def = carom_body_def_default();
        def.mass = 2.1;
        assert_int_equal(carom_solid_body(&solid, 3, 0, &def, &centre), CAROM_STATUS_OK);
        assert_near(carom_vec3_length(carom_vec3_sub(centre, at)), 0, 1e-15);
        carom_vec3 axes[3] = {quat_turn(q, vec(size[0], 0, 0)), quat_turn(q, vec(0, size[1], 0)),
                              quat_turn(q, vec(0, 0, size[2]))};
        assert_inertia(def.inertia, 2.1, mapped(axes, 1.0 / 12), 1e-14);
    }
}

/* In the plane: a triangle has the mean squares of its three corners over 12; a rod lies along x. */
static void test_plane(void **state)
{
    (void)state;
    dice d = {43};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 p[3], centre;
        for (int k = 0; k < 3; k++)
            p[k] = vec(dice_between(&d, -1, 1), dice_between(&d, -1, 1), 0);
        carom_vec3 e = carom_vec3_sub(p[1], p[0]), f = carom_vec3_sub(p[2], p[0]), g = carom_vec3_sub(p[2], p[1]);
        double area = fabs(e.x * f.y - e.y * f.x) / 2;
        if (area < 0.05)
            continue;
        carom_solid solid = {.kind = CAROM_SOLID_HULL, .points = p, .point_count = 3};
        carom_body_def def = carom_body_def_default();
        assert_int_equal(carom_solid_body(&solid, 2, 3, &def, &centre), CAROM_STATUS_OK);
        assert_near(def.mass, 3 * area, 1e-14);
        assert_near(centre.x, (p[0].x + p[1].x + p[2].x) / 3, 1e-14);
        double sides = carom_vec3_dot(e, e) + carom_vec3_dot(f, f) + carom_vec3_dot(g, g);
        assert_near(def.inertia.zz, def.mass * sides / 36, 1e-14);
    }
    carom_solid rod = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_ROD, {1.9, 0, 0}}};
    carom_body_def def = carom_body_def_default();
    def.mass = 0.6;
    assert_int_equal(carom_solid_body(&rod, 2, 0, &def, NULL), CAROM_STATUS_OK);
    assert_near(def.inertia.zz, 0.6 * 1.9 * 1.9 / 12, 1e-16);
}

static void test_refused(void **state)
{
    (void)state;
    const carom_vec3 flat[4] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}},
                     line[3] = {{0, 0, 0}, {1, 2, 0}, {2, 4, 0}};
    const carom_vec3 bad[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}};
    carom_solid hull = {.kind = CAROM_SOLID_HULL, .points = flat, .point_count = 4};
    carom_body_def def = carom_body_def_default();
    assert_int_equal(carom_solid_body(&hull, 3, 1, &def, NULL), CAROM_STATUS_BAD_SHAPE);
    hull.points = bad;
    assert_int_equal(carom_solid_body(&hull, 3, 1, &def, NULL), CAROM_STATUS_NOT_FINITE);
    hull.points = line, hull.point_count = 3;
    assert_int_equal(carom_solid_body(&hull, 2, 1, &def, NULL), CAROM_STATUS_BAD_SHAPE);
    carom_solid box = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {1, 0, 1}}};
    assert_int_equal(carom_solid_body(&box, 3, 1, &def, NULL), CAROM_STATUS_BAD_SHAPE);
    def.mass = -1;
    assert_int_equal(carom_solid_body(&box, 3, 0, &def, NULL), CAROM_STATUS_BAD_MASS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affine_hulls), cmocka_unit_test(test_prism), cmocka_unit_test(test_slices),
        cmocka_unit_test(test_compound),     cmocka_unit_test(test_plane), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("solid", tests, NULL, NULL);
}

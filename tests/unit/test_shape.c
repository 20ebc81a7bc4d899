/* Inertias of shapes against integration over their volume, slice by slice (Simpson's rule is exact for these
 * polynomials in pieces), and where shapes touch a plane. */
#include "carom/shape.h"
#include "support/check.h"

/* A body of discs along z: the radius squared at z. */
typedef double profile(double z, const double *size);

static double of_sphere(double z, const double *s)
{
    return s[0] * s[0] - z * z;
}

static double of_cylinder(double z, const double *s)
{
    (void)z;
    return s[0] * s[0];
}

/* Apex at 3/4 of the height above the centre of mass. */
static double of_cone(double z, const double *s)
{
    double r = s[0] * (0.75 * s[1] - z) / s[1];
    return r * r;
}

static double of_cap(double z, const double *s)
{
    double beyond = fabs(z) - s[1] / 2;
    return s[0] * s[0] - beyond * beyond;
}

typedef struct sums {
    double m, first, xx, zz;
} sums;

/* Density 1: per slice m = pi r^2, zz = m r^2 / 2, xx = m (r^2 / 4 + z^2). */
static void add(sums *s, profile *f, const double *size, double from, double to)
{
    enum { STEPS = 400 };
    double h = (to - from) / STEPS;
    for (int i = 0; i <= STEPS; i++) {
        double z = from + i * h, q = fmax(0, f(z, size)), m = 3.14159265358979323846 * q;
        double w = h / 3 * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
        s->m += w * m;
        s->first += w * m * z;
        s->zz += w * m * q / 2;
        s->xx += w * m * (q / 4 + z * z);
    }
}

static void same(carom_body_def def, sums s, const carom_shape *shape)
{
    assert_near(s.first, 0, s.m * shape->size[0], 1e-9);
    assert_close(def.inertia.xx, s.xx * def.mass / s.m, 1e-9);
    assert_close(def.inertia.yy, s.xx * def.mass / s.m, 1e-9);
    assert_close(def.inertia.zz, s.zz * def.mass / s.m, 1e-9);
    assert_close(carom_shape_volume(shape), s.m, 1e-9);
}

static void inertias_by_integration(void **state)
{
    (void)state;
    const double r = 0.37, h = 1.13;
    carom_shape sphere = {CAROM_SHAPE_SPHERE, {r, 0, 0}}, cylinder = {CAROM_SHAPE_CYLINDER, {r, h, 0}};
    carom_shape cone = {CAROM_SHAPE_CONE, {r, h, 0}}, capsule = {CAROM_SHAPE_CAPSULE, {r, h, 0}};
    sums s = {0, 0, 0, 0};
    add(&s, of_sphere, sphere.size, -r, r);
    same(carom_shape_sphere(2.385, r), s, &sphere);
    s = (sums){0, 0, 0, 0};
    add(&s, of_cylinder, cylinder.size, -h / 2, h / 2);
    same(carom_shape_cylinder(2.385, r, h), s, &cylinder);
    s = (sums){0, 0, 0, 0};
    add(&s, of_cone, cone.size, -h / 4, 3 * h / 4);
    same(carom_shape_cone(2.385, r, h), s, &cone);
    s = (sums){0, 0, 0, 0};
    add(&s, of_cylinder, capsule.size, -h / 2, h / 2);
    add(&s, of_cap, capsule.size, h / 2, h / 2 + r);
    add(&s, of_cap, capsule.size, -h / 2 - r, -h / 2);
    same(carom_shape_capsule(2.385, r, h), s, &capsule);
}

/* Differences of solids, and limits. */
static void inertias_by_relations(void **state)
{
    (void)state;
    const double R = 0.7, r = 0.45, M = 4.1;
    double outer = R * R * R, inner = r * r * r, m_out = M * outer / (outer - inner), m_in = m_out - M;
    double want = carom_shape_sphere(m_out, R).inertia.xx - carom_shape_sphere(m_in, r).inertia.xx;
    assert_close(carom_shape_hollow_sphere(M, R, r).inertia.xx, want, 1e-13);
    assert_close(carom_shape_hollow_sphere(M, R, R).inertia.zz, 2 * M * R * R / 3, 1e-15);
    assert_close(carom_shape_hollow_sphere(M, R, 0).inertia.zz, carom_shape_sphere(M, R).inertia.zz, 1e-15);
    carom_vec3 size = {0.3, 0.5, 0.9};
    carom_body_def box = carom_shape_box(M, size), round = carom_shape_ellipsoid(M, (carom_vec3){R, R, R});
    assert_close(box.inertia.xx, M * (0.25 + 0.81) / 12, 1e-15);
    assert_close(box.inertia.zz, M * (0.09 + 0.25) / 12, 1e-15);
    assert_close(round.inertia.yy, carom_shape_sphere(M, R).inertia.yy, 1e-15);
    assert_close(carom_shape_disk(M, R).inertia.zz, carom_shape_cylinder(M, R, 1e-9).inertia.zz, 1e-15);
    assert_close(carom_shape_rod(M, R).inertia.xx, M * R * R / 12, 1e-15);
    carom_body body;
    carom_body_def rod = carom_shape_rod(M, R);
    assert_int_equal(carom_body_init(&rod, &body), CAROM_STATUS_OK);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    carom_body body;
    const carom_body_def bad[] = {carom_shape_sphere(1, 0),       carom_shape_sphere(1, -0.1),
                                  carom_shape_sphere(0, 1),       carom_shape_sphere(1, NAN),
                                  carom_shape_cylinder(1, 1, -1), carom_shape_hollow_sphere(1, 1, 2),
                                  carom_shape_rod(1, INFINITY),   carom_shape_box(1, (carom_vec3){1, 0, 1}),
                                  carom_shape_capsule(1, -1, 1),  carom_shape_cone(-1, 1, 1)};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(carom_body_init(&bad[i], &body), CAROM_STATUS_NOT_FINITE);
}

/* No point of the shape lies further in the direction: compared with many points of its surface through the
 * orientation. */
static void touches_where_it_reaches_furthest(void **state)
{
    (void)state;
    const carom_quat q = {0.8, 0.2, -0.4, 0.4};
    const carom_vec3 d = {0.36, -0.48, -0.8};
    carom_vec3 arm;
    carom_shape sphere = {CAROM_SHAPE_SPHERE, {0.5, 0, 0}}, rod = {CAROM_SHAPE_ROD, {2, 0, 0}};
    carom_shape box = {CAROM_SHAPE_BOX, {1, 2, 3}}, ellipsoid = {CAROM_SHAPE_ELLIPSOID, {1, 2, 3}};
    assert_int_equal(carom_shape_touch(&sphere, q, d, &arm), CAROM_STATUS_OK);
    assert_near(carom_vec3_dot(arm, d), 0.5, 1, 1e-15);
    assert_int_equal(carom_shape_touch(&rod, q, d, &arm), CAROM_STATUS_OK);
    assert_near(carom_vec3_length(arm), 1, 1, 1e-15);
    assert_true(carom_vec3_dot(arm, d) > 0);
    assert_int_equal(carom_shape_touch(&box, q, d, &arm), CAROM_STATUS_OK);
    assert_near(carom_vec3_dot(arm, arm), 0.25 + 1 + 2.25, 1, 1e-14);
    assert_int_equal(carom_shape_touch(&ellipsoid, q, d, &arm), CAROM_STATUS_OK);
    carom_vec3 other;
    carom_vec3 tilted = {0.35, -0.49, -0.7984985911070852};
    assert_int_equal(carom_shape_touch(&ellipsoid, q, tilted, &other), CAROM_STATUS_OK);
    assert_true(carom_vec3_dot(arm, d) >= carom_vec3_dot(other, d));
    carom_quat upright = {1, 0, 0, 0};
    assert_int_equal(carom_shape_touch(&box, upright, (carom_vec3){0, 0, -1}, &arm), CAROM_STATUS_OUT_OF_SCOPE);
    assert_near(arm.z, -1.5, 1, 1e-15);
    carom_shape cone = {CAROM_SHAPE_CONE, {1, 4, 0}};
    assert_int_equal(carom_shape_touch(&cone, upright, (carom_vec3){0, 0, 1}, &arm), CAROM_STATUS_OK);
    assert_near(arm.z, 3, 1, 1e-15);
}

/* How far a body of discs between two heights reaches along d = (sin, 0, cos): a search over its profile. */
static double furthest(profile *p, const double *size, double low, double high, double tilt)
{
    enum { POINTS = 20000 };
    double most = -INFINITY;
    for (int k = 0; k <= POINTS; k++) {
        double z = low + (high - low) * k / POINTS;
        most = fmax(most, z * cos(tilt) + sqrt(fmax(p(z, size), 0)) * sin(tilt));
    }
    return most;
}

/* Cylinders, cones, capsules and disks in any tilt. The search misses the furthest point by less than 1e-8. */
static void round_shapes_reach_as_far_as_their_profile(void **state)
{
    (void)state;
    const double s[3] = {0.7, 1.3, 0};
    const carom_shape cylinder = {CAROM_SHAPE_CYLINDER, {0.7, 1.3, 0}}, cone = {CAROM_SHAPE_CONE, {0.7, 1.3, 0}},
                      capsule = {CAROM_SHAPE_CAPSULE, {0.7, 1.3, 0}}, disk = {CAROM_SHAPE_DISK, {0.7, 0, 0}};
    for (double tilt = 0.1; tilt < 3.1; tilt += 0.37) {
        carom_vec3 arm, d = {sin(tilt), 0, cos(tilt)};
        carom_quat upright = {1, 0, 0, 0};
        assert_int_equal(carom_shape_touch(&cylinder, upright, d, &arm), CAROM_STATUS_OK);
        assert_near(carom_vec3_dot(arm, d), furthest(of_cylinder, s, -0.65, 0.65, tilt), 1, 1e-8);
        assert_int_equal(carom_shape_touch(&cone, upright, d, &arm), CAROM_STATUS_OK);
        assert_near(carom_vec3_dot(arm, d), furthest(of_cone, s, -0.325, 0.975, tilt), 1, 1e-8);
        assert_int_equal(carom_shape_touch(&capsule, upright, d, &arm), CAROM_STATUS_OK);
        assert_near(carom_vec3_dot(arm, d),
                    fmax(furthest(of_cap, s, 0.65, 1.35, tilt), furthest(of_cap, s, -1.35, -0.65, tilt)), 1, 1e-7);
        assert_int_equal(carom_shape_touch(&disk, upright, d, &arm), CAROM_STATUS_OK);
        assert_near(carom_vec3_dot(arm, d), furthest(of_cylinder, s, 0, 0, tilt), 1, 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertias_by_integration),
        cmocka_unit_test(inertias_by_relations),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(touches_where_it_reaches_furthest),
        cmocka_unit_test(round_shapes_reach_as_far_as_their_profile),
    };
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}

#include "support/check.h"
#include "support/corpus.h"

static carom_vec3 dice_vec3(dice *d)
{
    carom_cvec v = dice_cvec(d);
    return carom_vec3_make(v.t1, v.t2, v.n);
}

static carom_vec3 dice_unit(dice *d)
{
    carom_vec3 v = dice_vec3(d);
    return carom_vec3_scale(1 / carom_vec3_length(v), v);
}

/* Inertia of random point masses: always physical. */
static carom_sym3 dice_inertia(dice *d)
{
    carom_sym3 I = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 5; i++) {
        carom_vec3 r = dice_vec3(d);
        I.xx += r.y * r.y + r.z * r.z;
        I.yy += r.x * r.x + r.z * r.z;
        I.zz += r.x * r.x + r.y * r.y;
        I.xy -= r.x * r.y;
        I.xz -= r.x * r.z;
        I.yz -= r.y * r.z;
    }
    return I;
}

static carom_body dice_body(dice *d)
{
    carom_body_def def = carom_body_def_default();
    def.mass = dice_decades(d, -1, 1);
    def.inertia = dice_inertia(d);
    double w = dice_gauss(d), x = dice_gauss(d), y = dice_gauss(d), z = dice_gauss(d);
    double norm = sqrt(w * w + x * x + y * y + z * z);
    def.orientation = (carom_quat){w / norm, x / norm, y / norm, z / norm};
    def.velocity = dice_vec3(d);
    def.omega = dice_vec3(d);
    carom_body body;
    assert_int_equal(carom_body_init(&def, &body), CAROM_STATUS_OK);
    return body;
}

/* The ball of Jia's paper: K = diag(3.5, 3.5, 1), u = v + omega x r. */
static void test_ball_on_table(void **state)
{
    (void)state;
    carom_body_def def = carom_body_def_default(), floor = carom_body_def_default();
    def.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    def.velocity = carom_vec3_make(-1, 0, -5);
    def.omega = carom_vec3_make(0, 2, 0);
    floor.fixed = true;
    carom_body a, b;
    carom_contact contact;
    carom_problem pb;
    assert_int_equal(carom_body_init(&def, &a), CAROM_STATUS_OK);
    assert_int_equal(carom_body_init(&floor, &b), CAROM_STATUS_OK);
    assert_int_equal(
        carom_contact_init(carom_vec3_make(0, 0, -1), carom_vec3_make(0, 0, 0), carom_vec3_make(0, 0, 1), &contact),
        CAROM_STATUS_OK);
    assert_int_equal(carom_bodies_reduce(&a, &b, &contact, &pb), CAROM_STATUS_OK);
    assert_close(pb.K.t11, 3.5, 1e-15);
    assert_close(pb.K.t22, 3.5, 1e-15);
    assert_true(pb.K.nn == 1 && pb.K.t12 == 0 && pb.K.t1n == 0 && pb.K.t2n == 0);
    assert_true(pb.u.t1 == -3 && pb.u.t2 == 0 && pb.u.n == -5);
    assert_close(carom_body_energy(&a), 13.8, 1e-15);
    assert_int_equal(carom_bodies_reduce(&b, &b, &contact, &pb), CAROM_STATUS_IMMOVABLE);
}

/* Applying p changes the relative velocity by K p, the kinetic energy by the work of p, and no total momentum. */
static void test_apply_agrees_with_reduce(void **state)
{
    (void)state;
    dice d = {41};
    for (int i = 0; i < 2000; i++) {
        carom_body a = dice_body(&d), b = dice_body(&d);
        carom_contact contact;
        assert_int_equal(carom_contact_init(dice_vec3(&d), dice_vec3(&d), dice_unit(&d), &contact), CAROM_STATUS_OK);
        carom_problem before, after;
        assert_int_equal(carom_bodies_reduce(&a, &b, &contact, &before), CAROM_STATUS_OK);
        carom_cvec p = dice_cvec(&d), want = carom_cvec_add(before.u, carom_csym_apply(before.K, p));
        double energy = carom_body_energy(&a) + carom_body_energy(&b);
        carom_vec3 momentum =
            carom_vec3_add(carom_vec3_scale(a.mass, a.velocity), carom_vec3_scale(b.mass, b.velocity));
        carom_bodies_apply(&contact, p, &a, &b);
        assert_int_equal(carom_bodies_reduce(&a, &b, &contact, &after), CAROM_STATUS_OK);
        double size = largest(want) + (before.K.t11 + before.K.t22 + before.K.nn) * largest(p);
        assert_cvec_near(after.u, want, size, 1e-14);
        double work = 0.5 * carom_cvec_dot(p, carom_cvec_add(before.u, after.u));
        double now = carom_body_energy(&a) + carom_body_energy(&b);
        assert_near(now - energy, work, energy + now, 1e-13);
        carom_vec3 sum = carom_vec3_add(carom_vec3_scale(a.mass, a.velocity), carom_vec3_scale(b.mass, b.velocity));
        assert_near(carom_vec3_length(carom_vec3_sub(sum, momentum)), 0, 50, 1e-14);
    }
}

/* Exchange A and B and turn the normal: every law gives the opposite impulse in the world. */
static void test_swapping_bodies(void **state)
{
    (void)state;
    dice d = {43};
    carom_rule rule = carom_rule_default(carom_law_find("chatterjee-momentum"));
    for (int i = 0; i < 500; i++) {
        carom_body a = dice_body(&d), b = dice_body(&d);
        carom_vec3 ra = dice_vec3(&d), rb = dice_vec3(&d), n = dice_unit(&d);
        carom_contact there, back;
        carom_problem one, two;
        carom_outcome first, second;
        assert_int_equal(carom_contact_init(ra, rb, n, &there), CAROM_STATUS_OK);
        assert_int_equal(carom_contact_init(rb, ra, carom_vec3_scale(-1, n), &back), CAROM_STATUS_OK);
        assert_int_equal(carom_bodies_reduce(&a, &b, &there, &one), CAROM_STATUS_OK);
        assert_int_equal(carom_bodies_reduce(&b, &a, &back, &two), CAROM_STATUS_OK);
        assert_int_equal(carom_solve(&one, &rule, NULL, &first), carom_solve(&two, &rule, NULL, &second));
        carom_vec3 sum =
            carom_vec3_add(carom_frame_to_world(there.frame, first.p), carom_frame_to_world(back.frame, second.p));
        assert_near(carom_vec3_length(sum), 0, largest(first.p), 1e-10);
    }
}

/* The inertia of a turned body: R I R^T computed by turning vectors. */
static void test_orientation(void **state)
{
    (void)state;
    carom_body_def def = carom_body_def_default();
    def.inertia = (carom_sym3){1.1, 0, 0, 2.3, 0, 2.9};
    double half = 0.5 * 1.5707963267948966;
    def.orientation = (carom_quat){cos(half), 0, 0, sin(half)}; /* a quarter turn about z exchanges x and y */
    carom_body body;
    assert_int_equal(carom_body_init(&def, &body), CAROM_STATUS_OK);
    assert_close(body.inertia.xx, 2.3, 1e-15);
    assert_close(body.inertia.yy, 1.1, 1e-15);
    assert_close(body.inv_inertia.xx, 1 / 2.3, 1e-15);
    assert_near(body.inertia.xy, 0, 1, 1e-15);
}

static void test_frames_for_any_normal(void **state)
{
    (void)state;
    dice d = {47};
    for (int i = 0; i < 2006; i++) {
        carom_vec3 n = dice_unit(&d);
        if (i < 6)
            n = carom_vec3_make((i == 0) - (i == 1), (i == 2) - (i == 3), (i == 4) - (i == 5));
        carom_frame f;
        assert_int_equal(carom_frame_init(n, &f), CAROM_STATUS_OK);
        assert_near(carom_vec3_dot(f.t1, f.t2), 0, 1, 1e-15);
        assert_near(carom_vec3_dot(f.t1, f.n), 0, 1, 1e-15);
        assert_near(carom_vec3_length(f.t1), 1, 1, 1e-15);
        assert_near(carom_vec3_length(f.t2), 1, 1, 1e-15);
        assert_near(carom_vec3_dot(carom_vec3_cross(f.t1, f.t2), f.n), 1, 1, 16 * 0x1p-53); /* 16 roundings */
    }
    carom_frame f;
    /* t1 is the axis least along n, made orthogonal to it: its own component is the largest, sqrt(1 - n_k^2) */
    static const carom_vec3 normals[6] = {{0.36, 0.48, 0.8}, {0.36, 0.8, 0.48}, {0.48, 0.36, 0.8},
                                          {0.8, 0.36, 0.48}, {0.48, 0.8, 0.36}, {0.8, 0.48, 0.36}};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(carom_frame_init(normals[i], &f), CAROM_STATUS_OK);
        const double t1[3] = {f.t1.x, f.t1.y, f.t1.z};
        assert_near(t1[i / 2], sqrt(1 - 0.36 * 0.36), 1, 1e-15);
    }
    assert_int_equal(carom_frame_init_t1(carom_vec3_make(0, 0, 1), carom_vec3_make(0, 1, 0), &f), CAROM_STATUS_OK);
    assert_true(f.t1.y == 1 && f.t2.x == -1);
    assert_int_equal(carom_frame_init_planar(0, 1, &f), CAROM_STATUS_OK);
    assert_true(f.t1.x == 1 && f.t1.y == 0 && f.t2.z == -1);
}

static carom_status init_with(void (*spoil)(carom_body_def *))
{
    carom_body_def def = carom_body_def_default();
    carom_body body;
    spoil(&def);
    return carom_body_init(&def, &body);
}

#define SPOIL(name, change)                                                                                            \
    static void name(carom_body_def *def)                                                                              \
    {                                                                                                                  \
        change;                                                                                                        \
    }
SPOIL(no_mass, def->mass = 0)
SPOIL(negative_mass, def->mass = -2.385)
SPOIL(nan_mass, def->mass = (double)NAN)
SPOIL(nan_velocity, def->velocity.y = (double)NAN)
SPOIL(flat_inertia, def->inertia.zz = 0)
SPOIL(skewed_inertia, def->inertia.xy = 1.5)
SPOIL(impossible_inertia, def->inertia.zz = 2.1)
SPOIL(disk_inertia, def->inertia.zz = 2)
SPOIL(long_quaternion, def->orientation.w = 1.01)
SPOIL(wall, def->fixed = true; def->mass = -1)

static void test_bad_bodies(void **state)
{
    (void)state;
    assert_int_equal(init_with(no_mass), CAROM_STATUS_BAD_MASS);
    assert_int_equal(init_with(negative_mass), CAROM_STATUS_BAD_MASS);
    assert_int_equal(init_with(nan_mass), CAROM_STATUS_NOT_FINITE);
    assert_int_equal(init_with(nan_velocity), CAROM_STATUS_NOT_FINITE);
    assert_int_equal(init_with(flat_inertia), CAROM_STATUS_BAD_INERTIA);
    assert_int_equal(init_with(skewed_inertia), CAROM_STATUS_BAD_INERTIA);
    assert_int_equal(init_with(impossible_inertia), CAROM_STATUS_BAD_INERTIA);
    assert_int_equal(init_with(disk_inertia), CAROM_STATUS_OK);
    assert_int_equal(init_with(long_quaternion), CAROM_STATUS_BAD_ORIENTATION);
    assert_int_equal(init_with(wall), CAROM_STATUS_OK);
}

/* Baber's example: the inverse inertia (9 6 -6; 6 6 -2; -6 -2 9) struck at (1, 1, 1) has the K that the paper prints.
 */
static void unphysical_inertia_on_request(void **state)
{
    (void)state;
    carom_body_def def = carom_body_def_default();
    carom_body body, wall = {0};
    carom_contact contact;
    carom_problem pb;
    def.inertia = (carom_sym3){50 / 54.0, -42 / 54.0, 24 / 54.0, 45 / 54.0, -18 / 54.0, 18 / 54.0};
    assert_false(carom_inertia_is_physical(def.inertia));
    assert_int_equal(carom_body_init(&def, &body), CAROM_STATUS_BAD_INERTIA);
    def.unphysical = true;
    assert_int_equal(carom_body_init(&def, &body), CAROM_STATUS_OK);
    contact.arm_a = (carom_vec3){1, 1, 1};
    contact.arm_b = (carom_vec3){0, 0, 0};
    contact.planar = false;
    assert_int_equal(carom_frame_init_t1((carom_vec3){0, 0, 1}, (carom_vec3){1, 0, 0}, &contact.frame),
                     CAROM_STATUS_OK);
    assert_int_equal(carom_bodies_reduce(&body, &wall, &contact, &pb), CAROM_STATUS_OK);
    const double got[] = {pb.K.t11, pb.K.t12, pb.K.t22, pb.K.t1n, pb.K.t2n, pb.K.nn}, want[] = {20, -23, 31, 4, -7, 4};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(got[i] - want[i]) <= 1e-12 * 31);
}

static void test_bad_contacts(void **state)
{
    (void)state;
    carom_vec3 zero = {0, 0, 0}, x = {1, 0, 0}, z = {0, 0, 1};
    carom_contact c;
    carom_frame f;
    assert_int_equal(carom_contact_init(zero, zero, zero, &c), CAROM_STATUS_BAD_NORMAL);
    assert_int_equal(carom_contact_init(zero, zero, carom_vec3_make(0, 0, 1 + 1e-7), &c), CAROM_STATUS_OK);
    assert_true(c.frame.n.z == 1);
    assert_int_equal(carom_contact_init(zero, zero, carom_vec3_make(0, 0, 1 + 1e-5), &c), CAROM_STATUS_BAD_NORMAL);
    assert_int_equal(carom_contact_init(carom_vec3_make((double)NAN, 0, 0), zero, z, &c), CAROM_STATUS_NOT_FINITE);
    assert_int_equal(carom_frame_init_t1(z, carom_vec3_make(0.8, 0, 0.6), &f), CAROM_STATUS_BAD_TANGENT);
    assert_int_equal(carom_frame_init_t1(z, carom_vec3_make(2, 0, 0), &f), CAROM_STATUS_BAD_TANGENT);
    assert_int_equal(carom_frame_init_t1(z, x, &f), CAROM_STATUS_OK);
}

static void test_planar_bodies(void **state)
{
    (void)state;
    carom_body_def def = carom_body_def_default(), floor = carom_body_def_default();
    def.mass = 2;
    def.inertia.zz = 0.5;
    def.velocity = carom_vec3_make(3, -1, 0);
    def.omega = carom_vec3_make(0, 0, 0.7);
    floor.fixed = true;
    carom_body a, b;
    assert_int_equal(carom_body_init_planar(&def, &a), CAROM_STATUS_OK);
    assert_int_equal(carom_body_init_planar(&floor, &b), CAROM_STATUS_OK);
    carom_contact contact = {{0.3, -0.4, 0}, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, true};
    assert_int_equal(carom_frame_init_planar(0, 1, &contact.frame), CAROM_STATUS_OK);
    carom_problem pb;
    assert_int_equal(carom_bodies_reduce(&a, &b, &contact, &pb), CAROM_STATUS_OK);
    assert_close(pb.K.t11, 0.5 + 0.16 / 0.5, 1e-15); /* 1/m + r_y^2 / I */
    assert_close(pb.K.nn, 0.5 + 0.09 / 0.5, 1e-15);  /* 1/m + r_x^2 / I */
    assert_close(pb.K.t1n, 0.12 / 0.5, 1e-15);       /* -r_x r_y / I */
    assert_true(pb.K.t22 == 0 && pb.K.t12 == 0 && pb.K.t2n == 0 && pb.u.t2 == 0);
    assert_close(pb.u.t1, 3 + 0.7 * 0.4, 1e-15);
    assert_close(pb.u.n, -1 + 0.7 * 0.3, 1e-15);
    def.inertia.zz = 0;
    assert_int_equal(carom_body_init_planar(&def, &a), CAROM_STATUS_BAD_INERTIA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_on_table),
        cmocka_unit_test(test_apply_agrees_with_reduce),
        cmocka_unit_test(unphysical_inertia_on_request),
        cmocka_unit_test(test_swapping_bodies),
        cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_frames_for_any_normal),
        cmocka_unit_test(test_bad_bodies),
        cmocka_unit_test(test_bad_contacts),
        cmocka_unit_test(test_planar_bodies),
    };
    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}

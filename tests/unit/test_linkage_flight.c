/* Linkages in motion: joints closed to 1e-8 throughout, energy kept. */
#include "support/linkages.h"

#define JOINT_TOL 1e-8 /* m and rad, at every look */

static rig r;
static const int ball[2] = {0, 3}, hinge[2] = {0, 1}, universal[2] = {0, 2}, weld[2] = {0, 0}, slider[2] = {1, 0},
                 on_plane[2] = {2, 3}, cylinder[2] = {1, 1};
static const carom_vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

/* Advance and look; returns the largest change of energy. */
static double watch(double duration, int looks)
{
    double start = rig_energy(&r), drift = 0;
    for (int i = 0; i < looks; i++) {
        assert_int_equal(carom_linkage_advance(&r.linkage, duration / looks), CAROM_STATUS_OK);
        assert_int_equal(carom_linkage_check(&r.linkage), CAROM_STATUS_OK);
        assert_true(r.linkage.linear_error < JOINT_TOL && r.linkage.angular_error < JOINT_TOL);
        drift = fmax(drift, fabs(rig_energy(&r) - start));
    }
    return drift;
}

static void test_hinged_door(void **state)
{
    (void)state;
    rig_clear(&r);
    int door = rig_body(&r, 21.5, carom_vec3_make(0.4, 0, 1), carom_vec3_make(0.8, 0.04, 2));
    rig_joint(&r, door, CAROM_WORLD, hinge, (carom_vec3[]){{0, 0, 1}, Z, Z});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    r.linkage.gravity = carom_vec3_make(0, 0, -9.81);
    r.linkage.step_tolerance = 1e-11;
    r.bodies[door].body.velocity = carom_vec3_make(0.3, 2.1, 0.2); /* the hinge takes what it does not allow */
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    double speed = r.bodies[door].body.omega.z, T = carom_linkage_kinetic(&r.linkage);
    assert_true(watch(3, 100) < 1e-8 * T);
    assert_near(r.bodies[door].body.omega.z, speed, 1, 1e-9); /* gravity does not turn it */
    double angle = 2 * atan2(r.bodies[door].orientation.z, r.bodies[door].orientation.w);
    assert_near(cos(angle), cos(3 * speed), 1, 1e-7);
}

/* A hundred links, hung at one end and let go at an angle. */
static void test_chain_of_a_hundred(void **state)
{
    (void)state;
    const double length = 0.5, c = cos(0.7), s = sin(0.7);
    enum { LINKS = 100 };
    rig_clear(&r);
    for (int i = 0; i < LINKS; i++) {
        double at = (i + 0.5) * length;
        rig_body(&r, 0.37, carom_vec3_make(at * s, 0, -at * c), carom_vec3_make(0.1, 0.12, 0.14));
        carom_vec3 pin = {i * length * s, 0, -i * length * c};
        rig_joint(&r, i, i - 1, ball, (carom_vec3[]){pin, Z, Z});
        r.bodies[i].body.velocity = carom_vec3_make(0, 0.02 * at, 0); /* out of the plane */
        r.bodies[i].body.omega = carom_vec3_make(0.1, 0, 0.05);
    }
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(r.linkage.row_count, 3 * LINKS);
    r.linkage.step_tolerance = 1e-6;
    assert_true(r.linkage.work_size < 6 * 3 * LINKS + 2 * 3 * LINKS + 200 * LINKS); /* a band, not a square */
    r.linkage.gravity = carom_vec3_make(0, 0, -9.81);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    double lowest = -0.37 * LINKS * 9.81 * length * LINKS / 2, moves = rig_energy(&r) - lowest;
    double drift = watch(10, 1000);
    print_message("chain: energy drift %.2e of what moves in 10 s\n", drift / moves);
    assert_true(drift < 1e-3 * moves);
}

static void test_universal_joint(void **state)
{
    (void)state;
    rig_clear(&r);
    int shaft = rig_body(&r, 2.3, carom_vec3_make(0, 0, 0), carom_vec3_make(1, 0.2, 0.3));
    int other = rig_body(&r, 1.7, carom_vec3_make(1, 0, 0), carom_vec3_make(1, 0.3, 0.2));
    rig_joint(&r, shaft, CAROM_WORLD, hinge, (carom_vec3[]){{0, 0, 0}, X, X});
    rig_joint(&r, other, shaft, universal, (carom_vec3[]){{0.5, 0, 0}, Z, Y});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(r.linkage.row_count, 5 + 4);
    r.linkage.gravity = carom_vec3_make(0, 0, -9.81);
    r.bodies[shaft].body.omega = carom_vec3_make(5.3, 0, 0);
    r.bodies[other].body.omega = carom_vec3_make(5.3, 0.4, 0.7);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    double T = carom_linkage_kinetic(&r.linkage);
    assert_true(watch(3, 200) < 1e-5 * T);
}

/* Crank, rod and piston: a closed loop. Rod angle, against the sine rule. */
static void test_slider_crank(void **state)
{
    (void)state;
    rig_clear(&r);
    const double a = 0.3, b = 0.9;
    int crank = rig_body(&r, 1.1, carom_vec3_make(a / 2, 0, 0), carom_vec3_make(a, 0.05, 0.05));
    int rod = rig_body(&r, 0.7, carom_vec3_make(a + b / 2, 0, 0), carom_vec3_make(b, 0.05, 0.06));
    int piston = rig_body(&r, 0.9, carom_vec3_make(a + b, 0, 0), carom_vec3_make(0.2, 0.2, 0.2));
    rig_joint(&r, crank, CAROM_WORLD, hinge, (carom_vec3[]){{0, 0, 0}, Z, Z});
    rig_joint(&r, rod, crank, ball, (carom_vec3[]){{a, 0, 0}, Z, Z});
    rig_joint(&r, rod, piston, universal, (carom_vec3[]){{a + b, 0, 0}, Y, Z});
    rig_joint(&r, piston, CAROM_WORLD, slider, (carom_vec3[]){{a + b, 0, 0}, X, X});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(r.linkage.row_count, 17);
    r.bodies[crank].body.omega = carom_vec3_make(0, 0, 7.1);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    double T = carom_linkage_kinetic(&r.linkage);
    assert_true(watch(3, 300) < 1e-5 * T);
    carom_quat q = r.bodies[crank].orientation;
    double turn = 2 * atan2(q.z, q.w), x = a * cos(turn) + sqrt(b * b - a * a * sin(turn) * sin(turn));
    assert_near(r.bodies[piston].body.position.x, x, 1, 1e-8);
    assert_near(r.bodies[piston].body.position.y, 0, 1, 1e-8);
}

/* Two boxes welded fly as one. */
static void test_weld(void **state)
{
    (void)state;
    rig_clear(&r);
    rig_body(&r, 1.3, carom_vec3_make(0, 0, 0), carom_vec3_make(1, 0.4, 0.2));
    rig_body(&r, 0.8, carom_vec3_make(0.7, 0.1, 0.2), carom_vec3_make(0.3, 0.6, 0.2));
    rig_joint(&r, 1, 0, weld, (carom_vec3[]){{0.5, 0.1, 0.1}, Z, Z});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    r.linkage.gravity = carom_vec3_make(0, 0, -9.81);
    r.bodies[0].body.omega = carom_vec3_make(3.1, -2.2, 1.7);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    double T = carom_linkage_kinetic(&r.linkage);
    assert_true(watch(2, 100) < 1e-5 * T);
    carom_vec3 w = carom_vec3_sub(r.bodies[0].body.omega, r.bodies[1].body.omega);
    assert_near(carom_vec3_length(w), 0, 1, 1e-12);
}

/* The rest of the pairs at once: a cylinder joint, a point on a plane that itself turns, a line that turns. */
static void test_lines_and_planes_turn_with_their_body(void **state)
{
    (void)state;
    rig_clear(&r);
    int disk = rig_body(&r, 3.1, carom_vec3_make(0, 0, 0), carom_vec3_make(2, 2, 0.1));
    int bead = rig_body(&r, 0.4, carom_vec3_make(0.3, 0.4, 0.5), carom_vec3_make(0.1, 0.1, 0.1));
    int ring = rig_body(&r, 0.2, carom_vec3_make(0.6, 0, 0), carom_vec3_make(0.1, 0.1, 0.1));
    rig_joint(&r, disk, CAROM_WORLD, ball, (carom_vec3[]){{0, 0, 0}, Z, Z});
    rig_joint(&r, bead, disk, on_plane, (carom_vec3[]){{0.3, 0.4, 0}, Z, Z});
    rig_joint(&r, ring, disk, cylinder, (carom_vec3[]){{0.6, 0, 0}, X, X});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(r.linkage.row_count, 3 + 1 + 4);
    r.linkage.gravity = carom_vec3_make(0, 0, -3);
    r.bodies[disk].body.omega = carom_vec3_make(0.7, 0.3, 2.1);
    r.bodies[ring].body.omega = carom_vec3_make(9, 0, 0);
    assert_int_equal(carom_linkage_constrain(&r.linkage), CAROM_STATUS_OK);
    double T = carom_linkage_kinetic(&r.linkage);
    double drift = watch(1.5, 100);
    assert_true(drift < 1e-5 * T);
}

/* A compound pendulum from rest: the first thing asked of it is to move. */
static void test_advance_comes_first(void **state)
{
    (void)state;
    rig_clear(&r);
    rig_body(&r, 1.7, carom_vec3_make(0.4, 0, 0), carom_vec3_make(0.8, 0.1, 0.1));
    rig_joint(&r, 0, CAROM_WORLD, hinge, (carom_vec3[]){{0, 0, 0}, Y, Y});
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    r.linkage.gravity = carom_vec3_make(0, 0, -9.81);
    r.linkage.step_tolerance = 1e-11;
    double E = rig_energy(&r);
    assert_int_equal(carom_linkage_advance(&r.linkage, 0.43), CAROM_STATUS_OK); /* a quarter of its period */
    assert_near(rig_energy(&r), E, 1.7 * 9.81 * 0.4, 1e-9);
    assert_near(r.bodies[0].body.position.z, -0.4, 0.4, 0.01);
}

static void test_open_joint_is_refused(void **state)
{
    (void)state;
    rig_clear(&r);
    rig_body(&r, 1.3, carom_vec3_make(0, 0, 0), carom_vec3_make(1, 0.4, 0.2));
    rig_body(&r, 0.8, carom_vec3_make(0.7, 0.1, 0.2), carom_vec3_make(0.3, 0.6, 0.2));
    rig_joint(&r, 0, CAROM_WORLD, ball, (carom_vec3[]){{0, 0, 0}, Z, Z});
    rig_joint(&r, 1, 0, ball, (carom_vec3[]){{0.5, 0.1, 0.1}, Z, Z});
    r.defs[1].point_a.x += 1e-3;
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_advance(&r.linkage, 0.1), CAROM_STATUS_JOINT_OPEN);
    assert_int_equal(r.linkage.culprit, 1);
    assert_near(r.linkage.linear_error, 1e-3, 1, 1e-12);
    assert_int_equal(carom_linkage_correct(&r.linkage), CAROM_STATUS_OK); /* closed on request */
    assert_true(r.linkage.linear_error < 1e-10 && r.linkage.iterations < 6);
    r.linkage.step_limit = 2;
    r.bodies[1].body.omega.x = 30;
    assert_int_equal(carom_linkage_advance(&r.linkage, 10), CAROM_STATUS_STEP_LIMIT);
}

static int tidy(void **state)
{
    (void)state;
    rig_clear(&r);
    return 0;
}

static void test_backward_is_refused(void **state)
{
    (void)state;
    rig_clear(&r);
    rig_body(&r, 1, carom_vec3_make(0, 0, 0), carom_vec3_make(1, 1, 1));
    assert_int_equal(rig_init(&r), CAROM_STATUS_OK);
    assert_int_equal(carom_linkage_advance(&r.linkage, -1), CAROM_STATUS_BAD_TIME);
    assert_int_equal(carom_linkage_advance(&r.linkage, NAN), CAROM_STATUS_BAD_TIME);
    assert_int_equal(carom_linkage_advance(&r.linkage, 0), CAROM_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinged_door),
        cmocka_unit_test(test_chain_of_a_hundred),
        cmocka_unit_test(test_universal_joint),
        cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_weld),
        cmocka_unit_test(test_lines_and_planes_turn_with_their_body),
        cmocka_unit_test(test_advance_comes_first),
        cmocka_unit_test(test_open_joint_is_refused),
        cmocka_unit_test(test_backward_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, tidy);
}

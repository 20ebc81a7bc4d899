/* Smooth motion: energy, momentum, known trajectories, and events. */
#include "support/check.h"
#include "support/trees.h"

#define DRIFT_PER_SECOND 1e-9 /* of the energy in motion, at the default tolerance */

static tree t;
static double work[CAROM_FLIGHT_WORK(7 * 60, 6 * 60)];

static double energy(void)
{
    return carom_motion_kinetic(&t.motion) + carom_motion_potential(&t.motion);
}

static carom_flight flight_until(double until)
{
    carom_flight f = carom_flight_default();
    f.until = until;
    f.work = work;
    return f;
}

static void test_double_pendulum_keeps_its_energy(void **state)
{
    (void)state;
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    t.mechanism.gravity = carom_vec3_make(0, -9.81, 0);
    t.q[0] = 1.3;
    t.q[1] = 0.7;
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    double start = energy(), moves = start + 2 * 9.81; /* above hanging */
    carom_flight f = flight_until(10);
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
    assert_true(f.time == 10 && !f.hit);
    print_message("double pendulum: drift %.2e per second, %d steps per second\n", (energy() - start) / moves / 10,
                  f.steps / 10);
    assert_near(energy(), start, moves, 10 * DRIFT_PER_SECOND);
}

static void test_random_trees_keep_their_energy(void **state)
{
    (void)state;
    dice d = {61};
    for (int i = 0; i < 12; i++) {
        assert_int_equal(tree_random(&d, &t, 1 + dice_below(&d, 8)), CAROM_STATUS_OK);
        t.mechanism.gravity = carom_vec3_make(1, -3, 2);
        double start = energy(), scale = fabs(start) + carom_motion_kinetic(&t.motion);
        carom_flight f = flight_until(0.5);
        assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
        assert_near(energy(), start, scale, 1e-9);
        for (int k = 0; k < t.mechanism.count; k++) {
            carom_quat w = t.states[k].turn;
            assert_near(w.w * w.w + w.x * w.x + w.y * w.y + w.z * w.z, 1, 1, 1e-13);
        }
    }
}

/* A body thrown and spinning: parabola of the centre of mass, angular momentum kept in the world. */
static void test_free_flight(void **state)
{
    (void)state;
    t.defs[0] = carom_link_def_default();
    t.defs[0].joint = CAROM_JOINT_FREE;
    t.defs[0].com = carom_vec3_make(0.2, -0.1, 0.3);
    t.defs[0].inertia = (carom_sym3){1.1, 0, 0, 1.7, 0, 2.3};
    assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
    t.mechanism.gravity = carom_vec3_make(0, 0, -9.81);
    double speeds[6] = {0.3, 0.2, 4.1, 1.5, -6.7, 0.9};
    for (int k = 0; k < 6; k++)
        t.qdot[k] = speeds[k];
    assert_int_equal(carom_motion_place(&t.motion), CAROM_STATUS_OK);
    carom_vec3 x = carom_motion_point(&t.motion, 0, t.defs[0].com),
               v = carom_motion_velocity(&t.motion, 0, t.defs[0].com);
    carom_vec3 L = carom_sym3_apply(t.states[0].inertia, t.states[0].velocity.w);
    carom_flight f = flight_until(2);
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
    carom_vec3 y = carom_motion_point(&t.motion, 0, t.defs[0].com);
    carom_vec3 H = carom_sym3_apply(t.states[0].inertia, t.states[0].velocity.w);
    assert_near(y.x, x.x + 2 * v.x, 1, 1e-10);
    assert_near(y.z, x.z + 2 * v.z - 9.81 * 2, 10, 1e-10);
    assert_near(carom_vec3_length(carom_vec3_sub(H, L)), 0, carom_vec3_length(L), 1e-9);
}

static double height(void *context, const carom_motion *motion)
{
    double floor = *(double *)context;
    return motion->q[0] - floor;
}

static void drop(double z, double speed)
{
    t.defs[0] = carom_link_def_default();
    t.defs[0].joint = CAROM_JOINT_PRISMATIC;
    assert_int_equal(tree_init(&t, 1), CAROM_STATUS_OK);
    t.mechanism.gravity = carom_vec3_make(0, 0, -9.81);
    t.q[0] = z;
    t.qdot[0] = speed;
}

/* A ball that falls 2.385 m, and one that just left the floor. */
static void test_event_is_located(void **state)
{
    (void)state;
    double floor = 0.385;
    drop(floor + 2.385, 0);
    carom_flight f = flight_until(10);
    f.gap = height;
    f.context = &floor;
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
    assert_true(f.hit);
    assert_near(f.time, sqrt(2 * 2.385 / 9.81), 1, 1e-12);
    assert_near(t.q[0], floor, 1, 1e-15);
    for (int k = 0; k <= 12; k += 2) { /* smaller and smaller bounces */
        double speed = pow(10, -k), start = f.time;
        t.q[0] = floor;
        t.qdot[0] = speed;
        f.step = 0.1;
        f.until = f.time + 1;
        assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
        assert_true(f.hit);
        if (k > 4) /* the bounce is below the rounding of q */
            continue;
        assert_near(f.time - start, 2 * speed / 9.81, 1, 1e-14 + 1e-16 / speed); /* q is known to 1e-16 */
        assert_near(t.qdot[0], -speed, 1, 1e-13 + 1e-15 / speed);
    }
}

static void test_flight_that_begins_closed(void **state)
{
    (void)state;
    double floor = 0;
    drop(-1e-17, -0.5); /* approaching: hit where it is */
    carom_flight f = flight_until(1);
    f.gap = height;
    f.context = &floor;
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
    assert_true(f.hit && f.time == 0 && t.qdot[0] == -0.5);
    drop(-0.2, 3); /* below the floor on its way up: only the way down counts */
    f = flight_until(5);
    f.gap = height;
    f.context = &floor;
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
    assert_true(f.hit && t.qdot[0] < 0);
    assert_near(t.q[0], 0, 1, 1e-15);
}

static void test_step_limit(void **state)
{
    (void)state;
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    t.qdot[0] = 3;
    carom_flight f = flight_until(100);
    f.step_limit = 10;
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_STEP_LIMIT);
    assert_true(f.time > 0 && f.time < 100 && f.steps == 11);
    t.qdot[0] = NAN;
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_NOT_FINITE);
}

static void test_backward_is_refused(void **state)
{
    (void)state;
    const double wrong[] = {-1e-9, -1, -INFINITY, NAN};
    assert_int_equal(tree_double_pendulum(&t), CAROM_STATUS_OK);
    t.qdot[0] = 1;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        carom_flight f = flight_until(wrong[i]);
        f.hit = true;
        assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_BAD_TIME);
        assert_true(f.time == 0 && !f.hit && f.steps == 0 && t.q[0] == 0);
    }
    carom_flight f = flight_until(0); /* no time at all is fine */
    assert_int_equal(carom_motion_advance(&t.motion, &f), CAROM_STATUS_OK);
    assert_true(f.time == 0 && t.q[0] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum_keeps_its_energy),
        cmocka_unit_test(test_random_trees_keep_their_energy),
        cmocka_unit_test(test_free_flight),
        cmocka_unit_test(test_event_is_located),
        cmocka_unit_test(test_flight_that_begins_closed),
        cmocka_unit_test(test_step_limit),
        cmocka_unit_test(test_backward_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
